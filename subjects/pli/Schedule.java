package pli;

import java.util.HashSet;
import java.util.Set;

/** A scheduler of processes: a queue for each of three priorities, the third goes first, and a queue of blocked ones. */
public class Schedule {
    static class List {
        Job first;
        Job last;
        int memCount;
    }

    static class Job {
        Job next;
        Job prev;
        int val;
        int priority;
    }

    static final int MAXPRIO = 3;

    int allocProcNum;
    int numProcesses;
    Job curProc;
    // Queues are fields and not an array, so that a queue that nobody looks at stays undecided. Priority 0 has none.
    List prio_0;
    List prio_1;
    List prio_2;
    List prio_3;
    List blockQueue;

    public Schedule() {
        prio_1 = new List();
        prio_2 = new List();
        prio_3 = new List();
        blockQueue = new List();
    }

    /** Adds a process; one with a priority that does not exist is ignored. */
    public void addProcess(int priority) {
        if (priority > MAXPRIO || priority <= 0) {
            return;
        }
        Job job = new Job();
        job.val = allocProcNum++;
        job.priority = priority;
        append(queue(priority), job);
        numProcesses++;
    }

    /** The next process has used up its time and goes to the end of its queue. */
    public void quantumExpire() {
        schedule();
        if (curProc != null) {
            append(queue(curProc.priority), curProc);
        }
    }

    /** The bound shrinks with every process that ends, so half of the processes are left. */
    public void finishAllProcesses() {
        for (int i = 0; i < numProcesses; i++) {
            finishProcess();
        }
    }

    /** The next process waits for something. */
    public void blockProcess() {
        schedule();
        if (curProc != null) {
            append(blockQueue, curProc);
        }
    }

    private void finishProcess() {
        schedule();
        if (curProc != null) {
            curProc = null;
            numProcesses--;
        }
    }

    /** Takes the first process of the highest priority out of its queue. */
    private void schedule() {
        curProc = null;
        for (int priority = MAXPRIO; priority > 0; priority--) {
            List queue = queue(priority);
            if (queue.memCount > 0) {
                curProc = queue.first;
                setQueue(priority, remove(queue, curProc));
                return;
            }
        }
    }

    /** The queue without the job; null if one of them is missing, which never happens to a valid schedule. */
    private static List remove(List queue, Job job) {
        if (queue == null || job == null) {
            return null;
        }
        if (job.next != null) {
            job.next.prev = job.prev;
        } else {
            queue.last = job.prev;
        }
        if (job.prev != null) {
            job.prev.next = job.next;
        } else {
            queue.first = job.next;
        }
        job.next = null;
        job.prev = null;
        queue.memCount--;
        return queue;
    }

    private static void append(List queue, Job job) {
        job.prev = queue.last;
        job.next = null;
        if (queue.last != null) {
            queue.last.next = job;
        } else {
            queue.first = job;
        }
        queue.last = job;
        queue.memCount++;
    }

    private List queue(int priority) {
        switch (priority) {
            case 0: return prio_0;
            case 1: return prio_1;
            case 2: return prio_2;
            default: return prio_3;
        }
    }

    private void setQueue(int priority, List queue) {
        switch (priority) {
            case 0: prio_0 = queue; break;
            case 1: prio_1 = queue; break;
            case 2: prio_2 = queue; break;
            default: prio_3 = queue;
        }
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /** Four different lists without a common job, and as many jobs as processes. */
    boolean repOKHeap() {
        if (prio_0 != null) {
            return false;
        }
        Set<List> queues = new HashSet<>();
        Set<Job> jobs = new HashSet<>();
        for (int priority = 1; priority <= MAXPRIO; priority++) {
            if (!isQueue(queue(priority), queues, jobs)) {
                return false;
            }
        }
        return isQueue(blockQueue, queues, jobs) && numProcesses == jobs.size();
    }

    private static boolean isQueue(List queue, Set<List> queues, Set<Job> jobs) {
        if (queue == null || !queues.add(queue)) {
            return false;
        }
        Job last = null;
        for (Job job = queue.first; job != null; job = job.next) {
            if (!jobs.add(job) || job.prev != last) {
                return false;
            }
            last = job;
        }
        return queue.last == last;
    }

    /** The jobs have the priority of their queue, blocked ones have any, and the queues know how long they are. */
    boolean repOKData() {
        if (curProc != null && (curProc.priority < 1 || curProc.priority > MAXPRIO)) {
            return false;
        }
        for (int priority = 1; priority <= MAXPRIO; priority++) {
            int count = 0;
            List queue = queue(priority);
            for (Job job = queue.first; job != null; job = job.next) {
                if (job.priority != priority) {
                    return false;
                }
                count++;
            }
            if (queue.memCount != count) {
                return false;
            }
        }
        int count = 0;
        for (Job job = blockQueue.first; job != null; job = job.next) {
            if (job.priority < 1 || job.priority > MAXPRIO) {
                return false;
            }
            count++;
        }
        return blockQueue.memCount == count;
    }
}
