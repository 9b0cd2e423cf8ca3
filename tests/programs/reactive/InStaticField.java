// The state of an endless loop is in a static field of a class that is initialised on the way.
//! values: 0 1
import org.sosy_lab.sv_benchmarks.Verifier;

public class InStaticField {
    static class Total {
        static int value;
    }

    public static void main(String[] args) {
        while (true) {
            if (Verifier.nondetInt() == 1) {
                Total.value = (Total.value + 1) % 2; // wrong: Total.value = (Total.value + 1) % 3;
            }
            assert Verifier.nondetInt() != 1 || Total.value < 2;
        }
    }
}
