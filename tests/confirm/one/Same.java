package one;

/** The same name in two packages. */
public class Same {
    public int half(int x) {
        return 1 / x;
    }

    public int pick(int index) {
        return new int[] {1}[index];
    }
}
