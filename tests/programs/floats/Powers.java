// Powers, roots and logarithms of unknown numbers.
//! values: 0.0 1.0 2.0 -1.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Powers {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        if (value > 1.0 && value < 1000.0) {
            assert Math.log(value) > 0.0; // wrong: assert Math.log(value) > 0.7;
            assert Math.pow(value, 2.0) >= 1.0;
            assert Math.exp(-value) < 1.0;
        }
    }
}
