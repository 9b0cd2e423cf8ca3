// Casts cut off, and rounding does not.
//! values: 0.0 0.5 1.5 2.5
import org.sosy_lab.sv_benchmarks.Verifier;

public class Rounded {
    public static void main(String[] args) {
        float value = Verifier.nondetFloat();
        Verifier.assume(value >= 0.0f && value <= 100.0f);
        int cut = (int) value;
        assert cut <= value && value < cut + 1; // wrong: assert cut == Math.round(value);
    }
}
