// Two arguments of different types may be the same object.
// scope: 1
// domain: int 0 1
// wide: int[] Object[] String Integer
public class TwoArguments {
    public static void arrayAndObject(int[] numbers, Object other) {
        if (numbers != null && numbers == other) {
            throw new AssertionError();
        }
    }

    public static void objectAndArray(Object other, int[] numbers) {
        if (other != null && numbers == other) {
            throw new AssertionError();
        }
    }

    public static void textAndComparable(String text, Comparable<String> other) {
        if (text != null && text == other) {
            throw new AssertionError();
        }
    }

    public static void write(int[] one, int[] other) {
        if (one != null && other != null && one.length == 1 && other.length == 1) {
            one[0] = 0;
            other[0] = 1;
            assert one[0] == 0;
        }
    }

    public static void boxes(Integer one, Object other) {
        assert one == null || one != other;
    }

    public static void different(int[] numbers, String text) {
        Object one = numbers;
        Object other = text;
        assert one == null || one != other;
    }
}
