// An auditor sees each entry before it is booked, may refuse it by an exception, and gets nothing else.
public class Ledger {
    interface Auditor {
        boolean accepts(int amount);
    }

    private int balance;
    private int booked;

    public Ledger() { }

    public boolean repOK() {
        return balance >= 0 && booked >= 0;
    }

    public void book(Auditor auditor, int amount) {
        if (amount > 0 && amount < 1000 && balance < 1000 && booked < 1000 && auditor.accepts(amount)) {
            balance += amount;
            booked++;
        }
    }

    public void bookFirst(Auditor auditor) { //: repOK
        int before = balance;
        balance = -1;
        if (auditor.accepts(before)) {
            balance = before;
        }
    }

    public static int twice(Auditor auditor, int amount) {
        boolean first = auditor.accepts(amount);
        boolean second = auditor.accepts(amount);
        return first == second ? 1 : 1 / 0; //: ArithmeticException
    }

    public static int once(Auditor auditor, int amount) {
        boolean first = auditor.accepts(amount);
        return first == !first ? 1 / 0 : 1;
    }
}
