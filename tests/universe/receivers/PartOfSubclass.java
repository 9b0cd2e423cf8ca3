// A part of the receiver may be of a subclass, which does something else.
// scope: 2
// domain: int 0 1
// complete: all
public class PartOfSubclass {
    static class Step {
        int n;

        int value() {
            return 1;
        }
    }

    static class Nothing extends Step {
        @Override
        int value() {
            return 0;
        }
    }

    Step step;
    Step other;

    boolean repOK() {
        return step != null && (other == null || other.value() == 1);
    }

    public int divide() {
        return 6 / step.value();
    }

    public int divideOther() {
        return other == null ? 0 : 6 / other.value();
    }

    public void kind() {
        assert step.getClass() == Step.class;
    }

    public static int given(Step step) {
        return step == null ? 0 : 6 / step.value();
    }
}
