// A callback may throw; the invariant must hold then, too.
public class Gate {
    interface Step {
        void run() throws java.io.IOException;
    }

    private boolean isOpen;

    public Gate() { }

    public boolean repOK() {
        return !isOpen;
    }

    public void pass(Step step) throws java.io.IOException { //: repOK
        isOpen = true;
        step.run();
        isOpen = false;
    }

    public void safePass(Step step) throws java.io.IOException {
        isOpen = true;
        try {
            step.run();
        } finally {
            isOpen = false;
        }
    }

    public static int caught(Step step) {
        try {
            step.run();
        } catch (java.io.IOException failed) {
            return 1;
        } catch (IllegalStateException state) {
            return 1 / 0; //: ArithmeticException
        }
        return 2;
    }

    public static int caughtAll(Step step) {
        try {
            step.run();
        } catch (Exception failed) {
            return 1;
        }
        return 2;
    }
}
