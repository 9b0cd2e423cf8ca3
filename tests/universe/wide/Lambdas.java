// Lambdas stand behind an interface that classes implement, too: they run its default methods, also in an invariant.
// scope: 1
// domain: int 0 2
// complete: precise precise-search
public class Lambdas {
    interface Step {
        int next(int from);

        default boolean isSound() {
            return true;
        }
    }

    static class By implements Step {
        int by;

        public int next(int from) {
            return from + by;
        }

        public boolean isSound() {
            return by > 0 && by < 9;
        }
    }

    static Step back() {
        return from -> from - 1;
    }

    Step step;

    boolean repOK() {
        return step != null && step.isSound();
    }

    public void classGoesOn() {
        assert !(step instanceof By) || step.next(1) > 1;
    }

    public void classGoesFar() {
        assert !(step instanceof By) || step.next(1) > 3;
    }

    public void isSound() {
        assert step.isSound();
    }
}
