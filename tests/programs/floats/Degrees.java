// Converts temperatures to and fro.
//! values: 0.0 37.0 -40.0
import org.sosy_lab.sv_benchmarks.Verifier;

public class Degrees {
    public static void main(String[] args) {
        double celsius = Verifier.nondetDouble();
        Verifier.assume(celsius >= -273.0 && celsius <= 10000.0);
        double fahrenheit = celsius * 1.8 + 32.0;
        assert fahrenheit >= -460.0 && fahrenheit <= 18033.0; // wrong: assert fahrenheit != celsius;
    }
}
