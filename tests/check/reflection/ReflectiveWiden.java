// Checks that a reflective call unboxes an unknown number and widens it.
// target: ReflectiveWiden.call
// domain: int -2..2 -200 -100 100 200
public class ReflectiveWiden {
    static long twice(long number) {
        return 2 * number;
    }

    static int call(int number) throws Exception {
        long twice = (long) ReflectiveWiden.class.getDeclaredMethod("twice", long.class).invoke(null, number);
        return twice == 4 ? 1 : 0;
    }
}
