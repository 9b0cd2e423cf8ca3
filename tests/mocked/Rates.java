// A method that is declared to be pure changes nothing; each of its calls returns any value all the same.
public class Rates {
    /** As libraries of annotations have it. */
    @interface Pure { }

    static class Account {
        int balance;
    }

    interface Service {
        int rate(Account account);
    }

    interface PureService {
        @Pure
        int rate(Account account);
    }

    public static void changed(Service service, Account account) {
        int before = account.balance;
        service.rate(account);
        assert account.balance == before; //: AssertionError
    }

    public static void kept(PureService service, Account account) {
        int before = account.balance;
        service.rate(account);
        assert account.balance == before;
    }

    public static int divided(PureService service, Account account) {
        return service.rate(account) == 7 ? 1 / account.balance : 0; //: ArithmeticException
    }
}
