// The remainder of an unknown number.
//! values: 0.0 1.5 5.0 -1.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Remainder {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        Verifier.assume(value >= 0.0 && value <= 1000000.0);
        double rest = value % 3.0;
        assert rest >= 0.0 && rest < 3.0; // wrong: assert rest >= 0.0 && rest < 2.0 && rest != 1.5;
    }
}
