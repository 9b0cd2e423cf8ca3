// A loop with nothing unknown in it goes on for long.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Long {
    public static void main(String[] args) {
        int start = Verifier.nondetInt();
        int count = 0;
        for (int i = 0; i < 20000; i++) {
            count++;
        }
        assert count == 20000; // wrong: assert count + start != 20000;
    }
}
