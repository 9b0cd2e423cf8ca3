// Four deposits and withdrawals never overdraw an account.
//! values: 0 1 5 -1
import org.sosy_lab.sv_benchmarks.Verifier;

public class Bank {
    public static void main(String[] args) {
        int balance = 0;
        for (int round = 0; round < 4; round++) {
            int amount = Verifier.nondetInt();
            if (amount > 0 && amount < 1000) {
                balance += amount;
            } else if (amount < 0 && balance >= -amount && amount > -1000) { // wrong: } else if (amount < 0 && amount > -1000) {
                balance += amount;
            }
            assert balance >= 0;
        }
    }
}
