// A product by repeated addition has the sign of its factors.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Products {
    public static void main(String[] args) {
        int factor = Verifier.nondetInt();
        int times = Verifier.nondetInt();
        Verifier.assume(factor > 0 && factor < 100 && times >= 0 && times < 1000);
        int product = 0;
        for (int round = 0; round < times; round++) {
            product += factor;
        }
        assert product >= 0 || times > 0; // wrong: assert product != 6;
    }
}
