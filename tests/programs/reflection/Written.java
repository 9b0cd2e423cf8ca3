// A private field that is written by reflection.
//! values: 0 1 7
import java.lang.reflect.Field;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Written {
    static class Account {
        private int balance;
        private int limit = 7;

        boolean isFine() {
            return balance <= limit;
        }
    }

    public static void main(String[] args) {
        Account account = new Account();
        int value = Verifier.nondetInt();
        Verifier.assume(value >= 0 && value < 8);
        try {
            Field field = Account.class.getDeclaredField("balance"); // wrong: Field field = Account.class.getDeclaredField("limit");
            field.setAccessible(true);
            field.setInt(account, value);
            assert field.getInt(account) == value && account.isFine() && account.balance == value;
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
