// A number has as many characters as its digits, and a sign.
//! values: 0 7 -3 10 99 -100
import org.sosy_lab.sv_benchmarks.Verifier;

public class Width {
    public static void main(String[] args) {
        int number = Verifier.nondetInt();
        Verifier.assume(number > -1000 && number < 1000);
        String text = "<" + number + ">";
        int width = number < 0 ? 3 : 2; // wrong: int width = 2;
        for (int rest = number; rest != 0; rest /= 10) {
            width++;
        }
        assert text.length() == (number == 0 ? width + 1 : width);
    }
}
