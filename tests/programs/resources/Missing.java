// A resource that is not there.
//! values: 0 1
import java.io.InputStream;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Missing {
    public static void main(String[] args) {
        boolean isAsked = Verifier.nondetBoolean();
        InputStream stream = isAsked ? Missing.class.getResourceAsStream("Missing.txt") : System.in;
        assert !isAsked || stream == null; // wrong: assert stream.hashCode() == stream.hashCode();
    }
}
