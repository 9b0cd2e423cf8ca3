// Checks inner classes that write to their outer object, and are made by the method.
// target: InnerThis.run
// scope: 2
// domain: int 0..2
public class InnerThis {
    int count;
    InnerThis other;

    class Step {
        int by;

        Step(int by) {
            this.by = by;
        }

        int go() {
            count += by;
            return InnerThis.this.count;
        }
    }

    int run(int by) {
        Step step = new Step(by);
        if (other != null) {
            step = other.new Step(by + 1);
        }
        int first = step.go();
        Runnable later = () -> this.count *= 2;
        later.run();
        return first - count;
    }
}
