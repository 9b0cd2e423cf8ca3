// A reference that is null on one way.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class NullField {
    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        int[] box = value == 0 ? null : new int[] {value};
        int got = box == null ? 0 : box[0]; // wrong: int got = box[0];
        assert got == value;
    }
}
