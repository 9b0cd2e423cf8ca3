// Ten rounds of three sensors and a few flags.
//! values: 0 1 9
import org.sosy_lab.sv_benchmarks.Verifier;

public class Sensors {
    public static void main(String[] args) {
        boolean warm = false;
        boolean full = false;
        boolean stopped = false;
        int faults = 0;
        for (int round = 0; round < 10; round++) {
            int sensor = Verifier.nondetInt();
            boolean reset = Verifier.nondetBoolean();
            if (sensor > 8) {
                warm = true;
                faults++;
            }
            if (sensor < 1) {
                full = true;
            }
            if (warm && full) {
                stopped = true;
            }
            if (reset) {
                warm = false;
                full = false;
                stopped = false; // wrong: stopped = faults > 0 && stopped;
            }
            assert !stopped || warm && full;
        }
    }
}
