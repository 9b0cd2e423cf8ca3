// A stream of the program's own keeps what is printed to it.
//! values: 0 1 9
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Printed {
    public static void main(String[] args) {
        ByteArrayOutputStream kept = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(kept);
        stream.print((char) ('a' + (Verifier.nondetInt() & 7)));
        stream.flush();
        assert kept.size() == 1; // wrong: assert kept.size() == 0;
    }
}
