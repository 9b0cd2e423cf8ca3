// The functional interfaces of the JDK.
import java.util.function.Function;
import java.util.function.IntBinaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;

public class Functions {
    public static int unboxed(Function<String, Integer> function) {
        return function.apply("a"); //: NullPointerException
    }

    public static int checked(Function<String, Integer> function) {
        Integer found = function.apply("a");
        return found == null ? 0 : found;
    }

    public static int length(Supplier<String> supplier) {
        String text = supplier.get();
        return text == null ? 0 : text.length();
    }

    public static void twice(Predicate<String> predicate, String text) {
        assert predicate.test(text) == predicate.test(text); //: AssertionError
    }

    public static void once(Predicate<String> predicate, String text) {
        boolean is = predicate.test(text);
        assert is || !is;
    }

    public static int quotient(IntBinaryOperator operator, int number) {
        int divisor = operator.applyAsInt(number, number);
        return divisor > 0 ? number / divisor : number / (divisor - 1);
    }

    public static void runs(Runnable runnable, int number) {
        int before = number;
        runnable.run();
        assert number == before;
    }
}
