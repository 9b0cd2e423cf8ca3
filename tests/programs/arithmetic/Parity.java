// A remainder has the sign of the dividend.
//! values: 0 1 -1 2 -3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Parity {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        boolean isOdd = value % 2 != 0; // wrong: boolean isOdd = value % 2 == 1;
        assert isOdd == ((value & 1) == 1);
    }
}
