// Checks static fields of two classes that may hold the same object.
// target: TwoHolders.isShared
// scope: 2
// statics: first second
// domain: int 0..1
public class TwoHolders {
    static Cell first;

    static class Cell {
        int value;
    }

    static class Other {
        static Cell second;
    }

    static int isShared() {
        if (first != Other.second) {
            return 0;
        }
        return first == null ? -1 : first.value;
    }
}
