// A resource of the class path: the file of the class itself begins with a magic number.
//! values: 0 1 2 3
import java.io.IOException;
import java.io.InputStream;
import org.sosy_lab.sv_benchmarks.Verifier;

public class OwnClass {
    public static void main(String[] args) throws IOException {
        int at = Verifier.nondetInt();
        Verifier.assume(at >= 0 && at < 4);
        try (InputStream stream = OwnClass.class.getResourceAsStream("OwnClass.class")) {
            byte[] bytes = stream.readNBytes(4);
            assert (bytes[at] & 0xFF) >= 0xBA; // wrong: assert (bytes[at] & 0xFF) > 0xBA;
        }
    }
}
