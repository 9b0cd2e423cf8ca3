// Multiplies by shifts and additions.
//! values: 0 1 6 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Multiplied {
    public static void main(String[] args) {
        int left = Verifier.nondetInt() & 15;
        int right = Verifier.nondetInt() & 15;
        int product = 0;
        for (int bit = 0; bit < 4; bit++) {
            if ((right & 1 << bit) != 0) {
                product += left << bit; // wrong: product |= left << bit;
            }
        }
        assert product == left * right;
    }
}
