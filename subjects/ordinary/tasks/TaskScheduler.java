// defect waiting, wrong key: TaskScheduler.finish throws NullPointerException
//     TaskScheduler scheduler = new TaskScheduler();
//     scheduler.add("a");
//     scheduler.add("b");
//     scheduler.require("b", "a");
//     scheduler.start();
//     scheduler.finish("a");
// defect idle, missing guard: TaskScheduler.start throws NoSuchElementException
//     new TaskScheduler().start();
package ordinary.tasks;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;

/** Starts tasks when those that they wait for are finished. */
public class TaskScheduler {
    private enum State { WAITING, READY, RUNNING, DONE }

    private static class Task {
        final String name;
        final List<Task> dependents = new ArrayList<>();
        int missing;
        State state = State.READY;

        Task(String name) {
            this.name = name;
        }
    }

    private final Map<String, Task> tasks = new HashMap<>();
    private final Queue<Task> ready = new ArrayDeque<>();

    public boolean add(String name) {
        if (name == null || tasks.containsKey(name)) {
            return false;
        }
        Task task = new Task(name);
        tasks.put(name, task);
        ready.add(task);
        return true;
    }

    public void require(String name, String first) {
        Task task = find(name);
        Task needed = find(first);
        if (task == needed || needed.state == State.DONE || task.state == State.RUNNING || task.state == State.DONE) {
            throw new IllegalArgumentException(name + " cannot wait for " + first);
        }
        needed.dependents.add(task);
        task.missing++;
        task.state = State.WAITING;
        ready.remove(task);
    }

    /** @return the task that is started, or null if none can be */
    public String start() {
        if (ready.isEmpty()) { // defect idle:
            return null; // defect idle:
        } // defect idle:
        Task task = ready.remove();
        task.state = State.RUNNING;
        return task.name;
    }

    public void finish(String name) {
        Task task = find(name);
        if (task.state != State.RUNNING) {
            throw new IllegalStateException(name + " does not run");
        }
        task.state = State.DONE;
        for (Task dependent : task.dependents) {
            if (--dependent.missing == 0) {
                dependent.state = State.READY;
                ready.add(dependent); // defect waiting: ready.add(tasks.get(task.name + dependent.name));
            }
        }
    }

    public int waiting() {
        return (int) tasks.values().stream().filter(task -> task.state == State.WAITING).count();
    }

    private Task find(String name) {
        Task task = tasks.get(name);
        if (task == null) {
            throw new IllegalArgumentException("no such task: " + name);
        }
        return task;
    }
}
