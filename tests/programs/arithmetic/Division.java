// A divisor that may be zero.
//! values: 0 1 2 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Division {
    public static void main(String[] args) {
        int divisor = Verifier.nondetInt();
        int quotient = divisor == 0 ? 0 : 100 / divisor; // wrong: int quotient = divisor == 1 ? 100 : 100 / divisor;
        assert divisor != 100 || quotient == 1;
    }
}
