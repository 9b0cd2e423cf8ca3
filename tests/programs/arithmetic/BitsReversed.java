// Reverses the bits of a byte.
//! values: 0 1 6 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class BitsReversed {
    public static void main(String[] args) {
        int value = Verifier.nondetInt() & 0xff;
        int reversed = 0;
        for (int bit = 0; bit < 8; bit++) {
            if ((value >> bit & 1) != 0) {
                reversed |= 128 >> bit; // wrong: reversed |= bit == 2 ? 16 : 128 >> bit;
            }
        }
        assert reversed == Integer.reverse(value) >>> 24;
    }
}
