// An endless traffic light: never green in both directions.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Lights {
    public static void main(String[] args) {
        int north = 0;
        int east = 2;
        while (true) {
            int event = Verifier.nondetInt();
            if (event == 0 && north == 0) {
                east = 1;
            } else if (event == 1 && east == 1) {
                east = 0;
                north = 2;
            } else if (event == 2 && north == 2) {
                north = 0;
                east = 2; // wrong: north = 2; east = 2;
            }
            assert !(north == 2 && east == 2);
        }
    }
}
