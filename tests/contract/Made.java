/** What a constructor takes, and what it makes. */
public class Made {
    final int number;

    Made(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("negative");
        }
        this.number = number;
    }

    boolean repOK() {
        return number != 7;
    }

    static boolean given(int number) {
        return number >= 0 && number != 7;
    }

    static boolean notNegative(int number) {
        return number >= 0;
    }

    boolean instance(int number) {
        return true;
    }

    boolean holdsIt(int number) {
        return this.number == number;
    }

    boolean holdsMore(int number) {
        return this.number > number;
    }
}
