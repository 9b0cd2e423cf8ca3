// The product of the first numbers.
//! values: 1 3 4 5
import org.sosy_lab.sv_benchmarks.Verifier;

public class Factorial {
    static int factorial(int number) {
        return number <= 1 ? 1 : number * factorial(number - 1); // wrong: return number <= 1 ? 1 : number + factorial(number - 1);
    }

    public static void main(String[] args) {
        int number = Verifier.nondetInt();
        Verifier.assume(1 <= number && number <= 6);
        assert factorial(number) % number == 0 && factorial(number) >= number;
    }
}
