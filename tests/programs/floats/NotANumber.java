// No number is unequal to itself but one.
//! values: 0.0 1.5 NaN -2.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class NotANumber {
    public static void main(String[] args) {
        double value = Verifier.nondetDouble();
        assert value == value || Double.isNaN(value); // wrong: assert value == value;
    }
}
