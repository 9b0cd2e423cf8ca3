// calls: 3
// ints: 0 1
// Static fields that only calls change.
class Registry {
    private static int made;
    private static Registry last;
    private final int number;

    private Registry(int number) {
        this.number = number;
    }

    static Registry make() {
        made = made + 1;
        last = new Registry(made);
        return last;
    }

    static void forget() {
        last = null;
    }

    int checkNumber() {
        return 6 / number;
    }

    int checkSecond() {
        return 6 / (number - 2);
    }

    int checkCount() {
        assert number <= made && made > 0;
        return 0;
    }

    int checkLast() {
        return last == this ? 0 : 6 / (number - 1);
    }

    static int checkStatic() {
        return 6 / (made - 2);
    }

    static int checkNegative() {
        return 6 / (made + 1);
    }
}
