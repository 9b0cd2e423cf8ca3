// A place may hold what a static final field holds, and that is as its initialiser left it.
// scope: 2
// domain: int 0 1
// complete: precise precise-search eager
public class Sentinels {
    static final class Tag { int n; }

    static final Tag NONE = new Tag();
    static final Tag SOME = new Tag();

    Tag one;
    Tag two;

    boolean repOK() {
        return one != null;
    }

    public void isNone() {
        assert one != NONE;
    }

    public void both() {
        assert one != NONE || two != SOME;
    }

    public void same(Tag given) {
        assert given == null || given != NONE || two != given;
    }

    public void different() {
        assert NONE != SOME && NONE.n == 0;
    }

    public void marked(Tag given) {
        if (given != null) {
            given.n = 1;
            assert SOME.n == 0;
        }
    }
}
