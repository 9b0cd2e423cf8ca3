// An array that code gets which is not there may change.
public class Filled {
    interface Filler {
        void fill(int[] numbers);

        int count();
    }

    public static void filled(Filler filler) {
        int[] numbers = new int[2];
        filler.fill(numbers);
        assert numbers[0] == 0; //: AssertionError
    }

    public static void kept(Filler filler) {
        int[] numbers = new int[2];
        filler.count();
        assert numbers[0] == 0;
    }

    public static void changedLater(Filler filler) {
        int[] numbers = new int[2];
        filler.fill(numbers);
        numbers[0] = 1;
        filler.count();
        assert numbers[0] == 1; //: AssertionError
    }

    public static void copied(Filler filler, int[] given) {
        int[] own = given.clone();
        filler.fill(given);
        assert own.length == given.length;
    }
}
