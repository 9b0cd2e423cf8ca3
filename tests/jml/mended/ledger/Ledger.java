package ledger;

/**
 * Every method breaks a clause, of every kind that there is. A line that ends with `// mended: CODE` is wrong, and CODE is right.
 */
public class Ledger {
    private static class Entry {
        private /*@ nullable @*/ Entry next;
        private int amount;
        private final int[] parts = new int[2];
    }

    static int opened;
    private /*@ nullable @*/ Entry first;
    private int count;
    private long total;
    private /*@ nullable @*/ Entry[] table;

    //@ invariant count == \reach(first, Entry, next).int_size();
    /*@ invariant (\forall Entry e; \reach(first, Entry, next).has(e);
      @     e.parts != null && e.parts.length == 2 && !\reach(e.next, Entry, next).has(e));
      @*/

    //@ ensures count == \old(count) + 1;
    //@ ensures first != null && first.amount == amount && \fresh(first);
    public void add(int amount) {
        Entry entry = new Entry();
        entry.amount = amount;
        entry.next = first;
        first = entry;
        // mended: count++;
    }

    //@ ensures (\forall Entry e; \old(\reach(first, Entry, next)).has(e); \reach(first, Entry, next).has(e) || e.amount == amount);
    public void drop(int amount) {
        if (first != null && first.amount != amount) { // mended: if (first != null && first.amount == amount) {
            first = first.next;
            count--;
        }
    }

    //@ ensures \result == (\sum Entry e; \reach(first, Entry, next).has(e); e.amount);
    public int sum() {
        int sum = 0;
        for (Entry entry = first; entry != null; entry = entry.next) {
            sum = entry.amount; // mended: sum += entry.amount;
        }
        return sum;
    }

    //@ requires first != null;
    //@ ensures \result == (\max Entry e; \reach(first, Entry, next).has(e); e.amount);
    public int largest() {
        int largest = 0; // mended: int largest = first.amount;
        for (Entry entry = first; entry != null; entry = entry.next) {
            largest = Math.max(largest, entry.amount);
        }
        return largest;
    }

    //@ assignable total;
    public void post(int amount) {
        total += amount;
        opened++; // mended:
    }

    //@ assignable first.parts[1..1];
    public void split() {
        if (first != null) {
            first.parts[0] = 1; // mended: first.parts[1] = 1;
        }
    }

    //@ ensures \fresh(\result) && (\forall int i; 0 <= i && i < \result.length; \result[i] == 0);
    public int[] parts() {
        return first == null ? new int[2] : first.parts; // mended: return new int[2];
    }

    //@ requires table != null && table.length == 1;
    //@ ensures table[0] != null ==> table[0].amount == \old(table).length && \old(table[0]) == table[0];
    public void stamp() {
        if (table[0] != null) {
            table[0].amount = 2; // mended: table[0].amount = 1;
        }
    }

    //@ signals (IllegalStateException e) first == null && e.getMessage() != null;
    public int top() {
        if (first == null) {
            throw new IllegalStateException(); // mended: throw new IllegalStateException("empty");
        }
        return first.amount;
    }

    //@ signals_only IllegalArgumentException;
    public void check(int amount) throws Exception {
        if (amount < 0) {
            throw new Exception("negative"); // mended: throw new IllegalArgumentException("negative");
        }
    }

    /*@ requires amount >= 0;
      @ ensures \result >= 0;
      @ also
      @ requires amount < 0;
      @ ensures \result == -1;
      @*/
    public static int sign(int amount) {
        return amount > 0 ? 1 : amount; // mended: return amount > 0 ? 1 : amount == 0 ? 0 : -1;
    }

    //@ ensures \result <==> isEmpty();
    public boolean hasNone() {
        return count <= 1; // mended: return count == 0;
    }

    private /*@ pure @*/ boolean isEmpty() {
        return first == null;
    }

    //@ requires a.length <= 2;
    //@ ensures (\forall int i, j; 0 <= i && i < j && j < a.length; a[i] <= a[j]);
    //@ ensures (\forall int j; 0 <= j && j <= a.length - 1; (\exists int i; -1 < i && i < a.length; a[i] == \old(a[j])));
    public static void sortTwo(int[] a) {
        if (a.length == 2 && a[0] > a[1]) {
            int larger = a[0];
            a[0] = a[1];
            a[1] = a[0]; // mended: a[1] = larger;
        }
    }

    //@ ensures x > 0 ==> \result == ((x & 1) == 0 ? x / 2 : 3 * x + 1) && \result != Integer.MIN_VALUE;
    public static int step(int x) {
        return x > 0 ? ((x & 1) != 0 ? x / 2 : 3 * x + 1) : 0; // mended: return x > 0 ? ((x & 1) == 0 ? x / 2 : 3 * x + 1) : 0;
    }

    //@ ensures \typeof(\result) == \type(String) && ((String) \result).length() > 0;
    public Object label(/*@ nullable @*/ String wanted) {
        return wanted != null ? wanted : "none"; // mended: return wanted != null && !wanted.equals("") ? wanted : "none";
    }
}
