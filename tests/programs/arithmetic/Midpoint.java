// The mean of two numbers that are not negative lies between them; a sum overflows.
//! values: 0 1 7 2147483647
import org.sosy_lab.sv_benchmarks.Verifier;

public class Midpoint {
    public static void main(String[] args) {
        int low = Verifier.nondetInt(), high = Verifier.nondetInt();
        Verifier.assume(0 <= low && low <= high);
        int middle = low + (high - low) / 2; // wrong: int middle = (low + high) / 2;
        assert low <= middle && middle <= high;
    }
}
