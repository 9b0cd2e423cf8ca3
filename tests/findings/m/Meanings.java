// Each method ends its line with what is noticed about it; `lazuli check` must say the same.
package m;

import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

public class Meanings {
    static class Box {
        Integer n;
        Box next;
    }

    private int level;

    public Meanings(int level) {
        this.level = level;
    }

    private static void check(int amount) {
        if (amount < 0) {
            throw new IllegalArgumentException("negative");
        }
    }

    static void demand(boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException("no");
        }
    }

    private static int lengthOf(String text) {
        return text.length();
    }

    // A null check that the compiler adds is none of the programmer's.

    public int referenceToNull(boolean isMissing) { //: defect NullPointerException
        String text = isMissing ? null : "x";
        Supplier<Integer> length = text::length;
        return length.get();
    }

    public int referenceToArgument(String text) { //: null-argument NullPointerException text
        Supplier<Integer> length = text::length;
        return length.get();
    }

    public Object innerOfNull(boolean isMissing) { //: defect NullPointerException
        Meanings outer = isMissing ? null : this;
        return outer.new Inner();
    }

    public String required(String text) { //: rejection NullPointerException
        Objects.requireNonNull(text);
        return text;
    }

    class Inner { }

    // Callers expect neither an exception that is not declared nor a class that fails.

    public void undeclared(int number) { //: defect Exception
        if (number == 3) {
            Meanings.<RuntimeException>hide(new Exception("three"));
        }
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void hide(Exception hidden) throws E {
        throw (E) hidden;
    }

    static class Failing {
        static final int VALUE = value();

        private static int value() {
            throw new IllegalStateException("no value");
        }
    }

    public int failingClass(int number) { //: defect ExceptionInInitializerError
        return number == 3 ? Failing.VALUE : 0;
    }

    // The target, or a helper of its class, says no.

    public int thrownInTarget(int amount) { //: rejection IllegalArgumentException
        if (amount < 0) {
            throw new IllegalArgumentException("negative");
        }
        return amount;
    }

    public int privateHelper(int amount) { //: rejection IllegalArgumentException
        check(amount);
        return amount;
    }

    public int helperOfClass(int amount) { //: rejection IllegalStateException
        demand(amount >= 0);
        return amount;
    }

    public int rejectedState() { //: rejection IllegalStateException
        if (level < 0) {
            throw new IllegalStateException("level");
        }
        return level;
    }

    public Object required(Object value) { //: rejection NullPointerException
        return Objects.requireNonNull(value);
    }

    public int documented(int amount) throws IllegalStateException {
        if (amount < 0) {
            throw new IllegalStateException("declared, and so allowed");
        }
        return amount;
    }

    // Another object says no: to an argument as it came, or to something that the target has computed.

    public void passedThrough(Ledger ledger, int amount) { //: rejection IllegalArgumentException
        if (ledger != null) {
            ledger.post(amount);
        }
    }

    public void computed(Ledger ledger) { //: defect IllegalArgumentException
        if (ledger != null) {
            ledger.post(-1);
        }
    }

    public void computedFrom(Ledger ledger, int amount) { //: defect IllegalArgumentException
        if (ledger != null && amount > 5) {
            ledger.post(amount - 10);
        }
    }

    // The JVM and the library raise what the code provokes.

    public int division(int by) { //: defect ArithmeticException
        return 10 / by;
    }

    public int index(int[] values, int at) { //: defect ArrayIndexOutOfBoundsException
        return values == null ? 0 : values[at];
    }

    public int cast(Object value) { //: defect ClassCastException
        return value == null ? 0 : ((String) value).length();
    }

    public void asserted(int n) { //: defect AssertionError
        assert n < 3 : "n";
    }

    public void assertionThrown(int n) { //: defect AssertionError
        if (n > 3) {
            throw new AssertionError("n");
        }
    }

    public int unboxed(Integer n) { //: defect NullPointerException
        Integer other = n == null || n > 3 ? null : n;
        return other;
    }

    public char library(String text) { //: defect StringIndexOutOfBoundsException
        return text == null ? 'x' : text.charAt(0);
    }

    public void provoked() { //: defect UnsupportedOperationException
        List.of(1).add(2);
    }

    public int two(Box box) { //: defect NullPointerException, defect NullPointerException, defect NullPointerException
        return box == null ? 0 : box.n + box.next.n;
    }

    // A parameter is null.

    public int length(String text) { //: null-argument NullPointerException text
        return text.length();
    }

    public int unboxedArgument(Integer n) { //: null-argument NullPointerException n
        return n + 1;
    }

    public int inHelper(String text) { //: null-argument NullPointerException text
        return lengthOf(text);
    }

    // One instruction, two meanings.

    public int chosen(boolean own, String text) { //: defect NullPointerException, null-argument NullPointerException text
        return lengthOf(own ? null : text);
    }
}
