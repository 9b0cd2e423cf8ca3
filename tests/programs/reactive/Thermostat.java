// An endless controller: heater and cooler are never both on.
//! values: -1 10 30
import org.sosy_lab.sv_benchmarks.Verifier;

public class Thermostat {
    public static void main(String[] args) {
        boolean heater = false;
        boolean cooler = false;
        while (true) {
            int temperature = Verifier.nondetInt();
            if (temperature < 5) {
                heater = true;
                cooler = false; // wrong: cooler = cooler && temperature < 0;
            } else if (temperature > 25) {
                cooler = true;
                heater = false;
            } else if (temperature == 10) {
                heater = false;
            }
            assert !(heater && cooler);
        }
    }
}
