// Checks the lesser and the greater of two numbers, zeros of both signs and NaN among them.
// target: Extremes.compute
// domain: double NaN -0.0 0.0 1.0 -1.0 Infinity
public class Extremes {
    static int compute(double a, double b) {
        double least = Math.min(a, b), greatest = Math.max(a, b);
        if (least != least) {
            return greatest != greatest ? 1 : 2;
        }
        if (1 / least < 0 && 1 / greatest > 0) {
            return 3;
        }
        return least == greatest ? 4 : 5;
    }
}
