// Checks functions that only facts bound: what holds on every machine is refuted, what this one computes is found.
// target: Curves.compute
// domain: double NaN -0.0 0.0 1.0 -1.0 0.5 2.0 Infinity -Infinity 100.0
public class Curves {
    static int compute(double x) {
        if (Math.sin(x) > 1 || Math.exp(x) < 0 || Math.cos(x) < -1) {
            return 1;
        }
        if (x >= 0 && Math.atan(x) < 0) {
            return 2;
        }
        if (Math.log(x) > 0.5) {
            return Math.exp(x) > 1e40 ? 3 : 4;
        }
        return Math.pow(x, 2) > 0.2 ? 5 : 6;
    }
}
