// A reactive program: an alarm stays on until it is acknowledged.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Alarm {
    public static void main(String[] args) {
        boolean alarm = false;
        for (int round = 0; round < 3; round++) {
            int level = Verifier.nondetInt();
            if (level > 2) {
                alarm = true;
            } else if (level == 0) { // wrong: } else if (level == 1) {
                alarm = false;
            }
            assert level != 0 || !alarm;
        }
    }
}
