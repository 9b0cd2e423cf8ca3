// Checks generic code behind raw types, which say nothing about what it holds: the cast fails where the value is used.
// target: GenericErasure.run
// scope: 2
// domain: int 0..1
public class GenericErasure {
    static class Cell<T> {
        T held;

        T get() {
            return held;
        }
    }

    static class Item {
        int n;
    }

    static class Thing extends Item {
    }

    static class Alien {
    }

    @SuppressWarnings("rawtypes")
    static int run(Cell cell, Cell other) {
        if (cell == null || other == null) {
            return 0;
        }
        Object raw = cell.get();
        try {
            Thing thing = (Thing) other.get();
            if (thing == null) {
                return 1;
            }
            thing.n++;
        } catch (ClassCastException e) {
            return raw instanceof Item ? 2 : 3;
        }
        return raw instanceof Alien ? 4 : cell.get() == raw ? 5 : 6;
    }
}
