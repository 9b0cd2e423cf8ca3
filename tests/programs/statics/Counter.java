// A static field begins as its type says.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Counter {
    static int counter;

    public static void main(String[] args) {
        counter++;
        if (Verifier.nondetBoolean()) {
            counter++;
        }
        assert counter >= 1 && counter <= 2; // wrong: assert counter == 1;
    }
}
