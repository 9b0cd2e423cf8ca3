// A function that is handed over.
//! values: 0 1 2 10
import java.util.function.IntUnaryOperator;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Applied {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        Verifier.assume(value >= 0 && value < 1000);
        IntUnaryOperator more = number -> number + 1;
        IntUnaryOperator both = more.andThen(number -> number * 2); // wrong: IntUnaryOperator both = more.compose(number -> number * 2);
        assert both.applyAsInt(value) == 2 * value + 2;
    }
}
