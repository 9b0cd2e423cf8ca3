// defect underflow, missing guard: StackMachine.apply throws NullPointerException
//     StackMachine machine = new StackMachine();
//     machine.push(1);
//     machine.apply(StackMachine.Op.ADD);
// defect swapped, swapped arguments: StackMachine.apply throws AssertionError
//     StackMachine machine = new StackMachine();
//     machine.push(5);
//     machine.push(3);
//     machine.apply(StackMachine.Op.SUB);
package ordinary.machine;

import java.util.LinkedList;

/** Calculates in reverse Polish notation. */
public class StackMachine {
    public enum Op {
        ADD {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        SUB {
            @Override
            int apply(int a, int b) {
                return a - b;
            }
        },
        MUL {
            @Override
            int apply(int a, int b) {
                return a * b;
            }
        };

        abstract int apply(int a, int b);
    }

    private final LinkedList<Integer> stack = new LinkedList<>();

    public void push(int number) {
        stack.addLast(number);
    }

    public boolean apply(Op op) {
        if (stack.size() < 2) { // defect underflow: if (stack.isEmpty()) {
            return false;
        }
        Integer b = stack.pollLast();
        Integer a = stack.pollLast();
        int result = op.apply(a, b); // defect swapped: int result = op.apply(b, a);
        assert op != Op.SUB || result + b == a;
        stack.addLast(result);
        return true;
    }

    public Integer top() {
        return stack.peekLast();
    }

    public int depth() {
        return stack.size();
    }
}
