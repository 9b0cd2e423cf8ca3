// A part of an array is copied to an unknown place.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class CopiedPart {
    public static void main(String[] args) {
        int[] from = {1, 2, 3, 4, 5};
        int[] to = new int[5];
        int at = Verifier.nondetInt();
        int length = Verifier.nondetInt();
        Verifier.assume(at >= 0 && length >= 0 && at + length <= 5 && at < 10 && length < 10);
        System.arraycopy(from, 0, to, at, length);
        for (int index = 0; index < length; index++) {
            assert to[at + index] == index + 1;
        }
        assert length == 5 || to[4] == 0 || at + length == 5; // wrong: assert to[1] != 2;
    }
}
