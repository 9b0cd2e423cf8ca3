// An array of unknown length is filled with its indices.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class UnknownLength {
    public static void main(String[] args) {
        int length = Verifier.nondetInt();
        Verifier.assume(length >= 0 && length <= 20);
        int[] array = new int[length];
        for (int at = 0; at < length; at++) {
            array[at] = at; // wrong: array[at] = at == 2 ? 3 : at;
        }
        int index = Verifier.nondetInt();
        if (index >= 0 && index < length) {
            assert array[index] == index;
        }
    }
}
