// defect nothing, missing guard: UndoHistory.undo throws NoSuchElementException
//     new UndoHistory(3).undo();
// defect branch, missed update: UndoHistory.perform throws AssertionError
//     UndoHistory history = new UndoHistory(3);
//     history.perform(new UndoHistory.Add(1));
//     history.undo();
//     history.perform(new UndoHistory.Add(2));
package ordinary.undo;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Objects;

/** A counter whose changes can be taken back. */
public class UndoHistory {
    public sealed interface Edit permits Add, Reset {
        int apply(int value);
    }

    public record Add(int amount) implements Edit {
        @Override
        public int apply(int value) {
            return value + amount;
        }
    }

    public record Reset() implements Edit {
        @Override
        public int apply(int value) {
            return 0;
        }
    }

    private record Step(Edit edit, int before) {}

    private final Deque<Step> done = new ArrayDeque<>();
    private final Deque<Edit> undone = new ArrayDeque<>();
    private final int limit;
    private int value;

    public UndoHistory(int limit) {
        if (limit <= 0) {
            throw new IllegalArgumentException("limit");
        }
        this.limit = limit;
    }

    public int value() {
        return value;
    }

    public void perform(Edit edit) {
        Objects.requireNonNull(edit);
        undone.clear(); // defect branch:
        execute(edit);
        assert undone.isEmpty() : "cannot redo after a new edit";
    }

    public boolean undo() {
        if (done.isEmpty()) { // defect nothing:
            return false; // defect nothing:
        } // defect nothing:
        Step step = done.pop();
        value = step.before();
        undone.push(step.edit());
        return true;
    }

    public boolean redo() {
        Edit edit = undone.poll();
        if (edit == null) {
            return false;
        }
        execute(edit);
        return true;
    }

    public boolean canUndo() {
        return !done.isEmpty();
    }

    private void execute(Edit edit) {
        done.push(new Step(edit, value));
        if (done.size() > limit) {
            done.removeLast();
        }
        value = edit.apply(value);
    }
}
