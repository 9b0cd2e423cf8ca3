// An exception for each kind of argument, and all are handled.
//! values: 0 1 4 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Handled {
    static void run(int kind) {
        int[] numbers = {1, 2, 3, 4};
        numbers[kind] = 12 / kind;
    }

    public static void main(String[] args) {
        int kind = Verifier.nondetInt();
        int handled = 0;
        try {
            run(kind);
            handled = 1;
        } catch (ArithmeticException zero) {
            handled = 2;
        } catch (ArrayIndexOutOfBoundsException outside) { // wrong: } catch (NegativeArraySizeException outside) {
            handled = 3;
        } finally {
            handled += 10;
        }
        assert handled == (kind == 0 ? 12 : kind > 0 && kind < 4 ? 11 : 13);
    }
}
