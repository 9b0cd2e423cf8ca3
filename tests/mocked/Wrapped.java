// What code that is not there makes may refer to what it was handed, and to nothing that comes later (Kiasan's context versions).
public class Wrapped {
    static class Box {
        int size;
        Box inner;
    }

    interface Store {
        Box wrap(Box box);
    }

    public static void wraps(Store store) {
        Box made = new Box();
        Box found = store.wrap(made);
        if (found != null && found != made) {
            assert found.inner != made; //: AssertionError
        }
    }

    public static void wrapsLater(Store store) {
        Box found = store.wrap(new Box());
        Box made = new Box();
        if (found != null) {
            assert found.inner != made;
        }
    }

    /** What was there before cannot refer to what is new, unless somebody writes it there. */
    public static void returnsInput(Store store, Box box) {
        Box made = new Box();
        if (store.wrap(made) == box) {
            assert box.inner != made;
        }
    }

    public static void changesWrapped(Store store) {
        Box made = new Box();
        Box found = store.wrap(made);
        made.size = 5;
        if (found != null && found.inner != null) {
            found.inner.size = 6;
            assert made.size == 5; //: AssertionError
        }
    }
}
