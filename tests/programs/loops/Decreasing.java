// Counts down from anything and stops at or below zero.
//! values: 0 1 7 -3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Decreasing {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        while (value > 0) {
            value -= 3;
        }
        assert value <= 0 && value >= -2 || value < -2 && value == value; // wrong: assert value <= 0 && value > -2;
    }
}
