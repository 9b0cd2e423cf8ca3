// An argument, a static field and a part of the receiver may be the same object.
// scope: 2
// objects: 4
// domain: int 0 2
public class ArgumentInStatic {
    static class Item { int n; }

    static Item last;
    Item mine;

    boolean repOK() {
        return mine != null && mine.n == 0;
    }

    public void throughStatic() {
        if (last != null) {
            last.n = 2;
        }
    }

    public void throughBoth(Item given) {
        if (given != null && given == last) {
            given.n = 2;
        }
    }

    public void onlyForeign(Item given) {
        if (given != null && given == last && given != mine) {
            given.n = 2;
        }
    }
}
