// A cast that one class does not pass.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Cast {
    public static void main(String[] args) {
        Object thing = Verifier.nondetInt() == 1 ? Integer.valueOf(3) : "three";
        int length = thing instanceof String ? ((String) thing).length() : 0; // wrong: int length = ((String) thing).length();
        assert length == 5 || length == 0;
    }
}
