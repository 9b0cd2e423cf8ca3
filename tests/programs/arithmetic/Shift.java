// Distances of shifts are taken modulo 32.
//! values: 0 1 31 32 33
import org.sosy_lab.sv_benchmarks.Verifier;

public class Shift {
    public static void main(String[] args) {
        int distance = Verifier.nondetInt();
        Verifier.assume(0 <= distance && distance <= 33);
        int shifted = distance > 31 ? 0 : 1 << distance; // wrong: int shifted = 1 << distance;
        assert distance < 32 || shifted == 0;
    }
}
