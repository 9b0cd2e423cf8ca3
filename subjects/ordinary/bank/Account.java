package ordinary.bank;

/** An account of a bank, in cents. */
public interface Account {
    String number();

    long balance();

    void deposit(long amount);

    /** How much may be withdrawn now. */
    long available();

    /** @return whether there was enough */
    boolean withdraw(long amount);
}
