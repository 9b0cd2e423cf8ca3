// Powers by squares.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Power {
    static int power(int base, int exponent) {
        if (exponent == 0) {
            return 1;
        }
        int half = power(base, exponent / 2);
        return exponent % 2 == 0 ? half * half : half * half * base; // wrong: return half * half;
    }

    public static void main(String[] args) {
        int exponent = Verifier.nondetInt();
        Verifier.assume(0 <= exponent && exponent <= 6);
        assert power(2, exponent) == 1 << exponent;
    }
}
