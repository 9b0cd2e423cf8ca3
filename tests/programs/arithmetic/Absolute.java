// The absolute value of the least int is negative.
//! values: 0 5 -5 -2147483648
import org.sosy_lab.sv_benchmarks.Verifier;

public class Absolute {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        long absolute = Math.abs((long) value); // wrong: long absolute = Math.abs(value);
        assert absolute >= 0;
    }
}
