// Rounds up to a power of two.
//! values: 1 7 64
import org.sosy_lab.sv_benchmarks.Verifier;

public class PowerOfTwo {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        Verifier.assume(value > 0 && value <= 1 << 30);
        int power = value - 1;
        power |= power >>> 1;
        power |= power >>> 2;
        power |= power >>> 4;
        power |= power >>> 8;
        power |= power >>> 16;
        power++;
        assert power >= value && (power & power - 1) == 0; // wrong: assert power > value && (power & power - 1) == 0;
    }
}
