// The mean of three numbers lies between them.
//! values: 0.5 1.5 -1.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Summed {
    public static void main(String[] args) {
        float sum = 0f;
        float least = Float.MAX_VALUE;
        for (int at = 0; at < 3; at++) {
            float value = Verifier.nondetFloat();
            Verifier.assume(value >= -100f && value <= 100f);
            least = Math.min(least, value);
            sum += value;
        }
        assert sum >= -300f && sum <= 300f; // wrong: assert sum <= 4f;
        assert least <= 100f;
    }
}
