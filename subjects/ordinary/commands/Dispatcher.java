// defect operand, missing bounds check: Dispatcher.execute throws ArrayIndexOutOfBoundsException
//     new Dispatcher().execute("push");
// defect drop, missing guard: Dispatcher.execute throws NoSuchElementException
//     new Dispatcher().execute("drop");
package ordinary.commands;

import java.util.ArrayDeque;
import java.util.Deque;

/** Executes the commands of a small calculator. */
public class Dispatcher {
    private final Deque<String> stack = new ArrayDeque<>();
    private int errors;

    public void execute(String line) {
        String[] words = line.split(" ");
        switch (words.length == 0 ? "" : words[0]) {
            case "push" -> {
                if (words.length != 2) { // defect operand:
                    errors++; // defect operand:
                    return; // defect operand:
                } // defect operand:
                stack.push(words[1]);
            }
            case "drop" -> {
                if (stack.isEmpty()) { // defect drop:
                    errors++; // defect drop:
                    return; // defect drop:
                } // defect drop:
                stack.pop();
            }
            case "clear" -> stack.clear();
            default -> errors++;
        }
    }

    public int depth() {
        return stack.size();
    }

    public int errors() {
        return errors;
    }

    public String top() {
        return stack.peek();
    }
}
