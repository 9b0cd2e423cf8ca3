// The receiver may be of a subclass that inherits the method.
// scope: 1
// domain: int 0 1
// complete: all
public class Inherited {
    int n;

    int step() {
        return 1;
    }

    public void forwards() {
        n = step();
        assert n > 0;
    }

    public void same() {
        assert step() == step();
    }

    public static class Back extends Inherited {
        @Override
        int step() {
            return -1;
        }
    }
}
