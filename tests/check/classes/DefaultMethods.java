// Checks interfaces with default methods, abstract classes, and a parameter that another one narrows.
// target: DefaultMethods.total
// scope: 2
// domain: int 0 3
public class DefaultMethods {
    interface Sized {
        int size();

        default int twice() {
            return 2 * size();
        }
    }

    interface Named {
        default int rank() {
            return 1;
        }
    }

    abstract static class Part implements Sized {
        int n;

        public int size() {
            return n;
        }
    }

    static class Leaf extends Part implements Named {
        public int twice() {
            return -n;
        }
    }

    static class Pair extends Part {
        public int size() {
            return super.size() + 1;
        }
    }

    static int total(Sized sized, Named named, Part part) {
        int sum = 0;
        if (sized != null) {
            sum += sized.twice();
        }
        if (part == sized && part != null) {
            part.n = 10;
        }
        if (named == sized && named != null) {
            sum += named.rank() + sized.size();
        }
        return sum;
    }
}
