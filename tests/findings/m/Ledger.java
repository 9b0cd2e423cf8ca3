package m;

public class Ledger {
    private int total;
    public void post(int amount) {
        if (amount < 0) throw new IllegalArgumentException("amount " + amount);
        total += amount;
    }
    public int total() { return total; }
}
