// Unknown kinds of objects in an array, called through their interface.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Machines {
    interface Machine {
        int step(int value);
    }

    static class Adder implements Machine {
        public int step(int value) { return value + 1; }
    }

    static class Doubler implements Machine {
        public int step(int value) { return value * 2; }
    }

    public static void main(String[] args) {
        Machine[] machines = new Machine[3];
        for (int at = 0; at < machines.length; at++) {
            machines[at] = Verifier.nondetBoolean() ? new Adder() : new Doubler();
        }
        int start = Verifier.nondetInt();
        Verifier.assume(start >= 0 && start < 100);
        int value = start;
        for (Machine machine : machines) {
            value = machine.step(value);
        }
        assert value >= start; // wrong: assert value > start;
    }
}
