// The digits of a number, read again.
//! values: 0 5 42 -7 -90
import org.sosy_lab.sv_benchmarks.Verifier;

public class Digits {
    public static void main(String[] args) {
        int number = Verifier.nondetInt();
        Verifier.assume(number > -100 && number < 100);
        String text = String.valueOf(number);
        boolean isNegative = text.charAt(0) == '-';
        int value = 0;
        for (int at = isNegative ? 1 : 0; at < text.length(); at++) {
            value = value * 10 + text.charAt(at) - '0';
        }
        assert number == (isNegative ? -value : value); // wrong: assert number == value;
    }
}
