// A label that a builder makes of a name and a number.
//! values: 1 3 -2 12
import org.sosy_lab.sv_benchmarks.Verifier;

public class Label {
    public static void main(String[] args) {
        int number = Verifier.nondetInt();
        StringBuilder label = new StringBuilder("item");
        label.append('#').append(number);
        String text = label.toString();
        if (text.equals("item#3")) {
            assert number == 3; // wrong: assert number == 2;
        }
        assert text.startsWith("item");
    }
}
