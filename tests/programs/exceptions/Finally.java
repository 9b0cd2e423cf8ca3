// What runs in any case.
//! values: 0 1 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Finally {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        boolean closed = false;
        try {
            if (value < 0) {
                throw new IllegalArgumentException();
            }
        } catch (IllegalArgumentException rejected) { // wrong: } catch (IllegalStateException rejected) {
            value = 0;
        } finally {
            closed = true;
        }
        assert closed && value >= 0;
    }
}
