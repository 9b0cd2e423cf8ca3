// Heron's method for a square root: four rounds.
//! values: 1.0 2.0 4.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Iterated {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        Verifier.assume(value >= 1.0 && value <= 4.0);
        double root = value;
        for (int round = 0; round < 4; round++) {
            root = (root + value / root) / 2.0;
        }
        assert root > 0.9 && root < 4.0; // wrong: assert root > 0.9 && root < 1.9;
    }
}
