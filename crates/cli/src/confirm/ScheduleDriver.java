import com.sun.jdi.ArrayReference;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.Location;
import com.sun.jdi.Method;
import com.sun.jdi.ObjectReference;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.StackFrame;
import com.sun.jdi.StringReference;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.Value;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.ClassPrepareEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ExceptionEvent;
import com.sun.jdi.event.ThreadDeathEvent;
import com.sun.jdi.event.ThreadStartEvent;
import com.sun.jdi.event.VMDeathEvent;
import com.sun.jdi.event.VMDisconnectEvent;
import com.sun.jdi.request.BreakpointRequest;
import com.sun.jdi.request.ClassPrepareRequest;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.EventRequestManager;
import com.sun.jdi.request.ExceptionRequest;
import com.sun.jdi.request.ThreadDeathRequest;
import com.sun.jdi.request.ThreadStartRequest;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Runs a program in another JVM, and lets its threads run one at a time as a schedule says: a debugger stops each of them before the next operation
 * that others could notice. Arguments: the file of the schedule, the file for the answer, the milliseconds that it may take, and the
 * command that starts the program, in which ADDRESS stands for where the debugger listens.
 *
 * Lines of the schedule, with tabs between words:
 *   begin CLASS METHOD                                   the schedule counts from this method of the program on
 *   step THREAD KIND [CLASS METHOD DESCRIPTOR OFFSET COUNT]   KIND is stop, start or resume
 *   last THREAD KIND [CLASS METHOD DESCRIPTOR OFFSET COUNT]   where a thread stops until all steps are made
 *   stands THREAD [CLASS METHOD LINE [initialiser]]      a deadlock: where this thread waits, perhaps for the initialiser of a class
 *   throws THREAD                                        its uncaught exception ends the run
 *
 * The first line of the answer is "forced", or "failed" and why. Then: "deadlock", or "threw CLASS at PLACE".
 */
public final class ScheduleDriver {
    /** How long threads must stand still before they count as waiting for ever. */
    private static final long STILL = 400;

    private static final class Step {
        int thread;
        String kind;
        /** Class, method, descriptor and offset, with tabs; null where a thread begins. */
        String site;
        int count;
        int number;

        boolean isAt(String other, int visits) {
            return site != null && site.equals(other) && count == visits;
        }
    }

    private static final class Stopped extends Exception {
        private static final long serialVersionUID = 1;

        Stopped(String why) {
            super(why);
        }
    }

    private static final class Runner {
        final List<Step> steps = new ArrayList<>();
        int next;
        ThreadReference reference;
        /** The event that stopped it before its next step. */
        EventSet stop;
        /** Was it suspended in Object.wait? */
        boolean isWaiting;
        boolean isDead;
        final Map<String, Integer> visits = new HashMap<>();

        Step step() {
            return next < steps.size() ? steps.get(next) : null;
        }

        boolean isReady() {
            return stop != null || isWaiting;
        }
    }

    private final List<Step> order = new ArrayList<>();
    private final Map<Integer, Runner> runners = new HashMap<>();
    private final Map<Integer, String[]> standing = new HashMap<>();
    private final Map<Long, Integer> expected = new HashMap<>();
    private final ArrayDeque<Integer> unknown = new ArrayDeque<>();
    private final Set<String> sites = new HashSet<>();
    private String[] begin;
    private int thrower = -1;
    private long deadline;
    private VirtualMachine machine;
    private boolean hasBegun;
    private boolean isOver;
    private boolean isFree;
    private String told;

    public static void main(String[] arguments) throws Exception {
        ScheduleDriver driver = new ScheduleDriver();
        driver.deadline = System.currentTimeMillis() + Long.parseLong(arguments[2]);
        String answer;
        Process program = null;
        try {
            driver.read(Path.of(arguments[0]));
            ListeningConnector connector = null;
            for (ListeningConnector known : Bootstrap.virtualMachineManager().listeningConnectors()) {
                if (known.transport().name().equals("dt_socket")) {
                    connector = known;
                }
            }
            Map<String, Connector.Argument> settings = connector.defaultArguments();
            settings.get("localAddress").setValue("127.0.0.1");
            settings.get("port").setValue("0");
            settings.get("timeout").setValue("8000");
            String address = connector.startListening(settings);
            String[] command = Arrays.copyOfRange(arguments, 3, arguments.length);
            for (int i = 0; i < command.length; i++) {
                command[i] = command[i].replace("ADDRESS", "127.0.0.1:" + address.substring(address.lastIndexOf(':') + 1));
            }
            program = new ProcessBuilder(command).inheritIO().start();
            driver.machine = connector.accept(settings);
            connector.stopListening(settings);
            driver.run();
            answer = "forced\n" + (driver.told == null ? "" : driver.told + "\n");
        } catch (Stopped stopped) {
            answer = "failed " + stopped.getMessage() + "\n";
        } catch (VMDisconnectedException gone) {
            answer = "failed the program ended\n";
        } catch (Exception | Error fault) {
            answer = "failed " + fault + "\n";
        }
        if (program != null) {
            program.destroyForcibly().waitFor();
        }
        Path file = Path.of(arguments[1]);
        Files.writeString(Path.of(arguments[1] + ".new"), answer.replace('\r', ' '), StandardCharsets.UTF_8);
        new File(arguments[1] + ".new").renameTo(file.toFile());
        Runtime.getRuntime().halt(0);
    }

    private void read(Path file) throws Exception {
        for (String line : Files.readAllLines(file)) {
            String[] words = line.split("\t");
            switch (words[0]) {
                case "begin" -> begin = words;
                case "step", "last" -> {
                    Step step = new Step();
                    step.thread = Integer.parseInt(words[1]);
                    step.kind = words[2];
                    if (words.length > 3) {
                        step.site = String.join("\t", words[3], words[4], words[5], words[6]);
                        step.count = Integer.parseInt(words[7]);
                        sites.add(step.site);
                    }
                    runner(step.thread).steps.add(step);
                    if (words[0].equals("step")) {
                        order.add(step);
                        step.number = order.size();
                    }
                }
                case "stands" -> standing.put(Integer.parseInt(words[1]), words);
                case "throws" -> thrower = Integer.parseInt(words[1]);
                default -> throw new Stopped("an unknown line: " + line);
            }
        }
    }

    private Runner runner(int number) {
        return runners.computeIfAbsent(number, none -> new Runner());
    }

    private void run() throws Exception {
        prepare(begin[1]);
        while (!hasBegun) {
            pump(() -> "the call was not reached");
        }
        for (Step step : order) {
            Runner runner = runner(step.thread);
            while (!isOver && !(runner.isReady() && runner.step() == step)) {
                if (runner.isDead) {
                    throw new Stopped(named(step) + " came to its end before step " + step.number);
                }
                pump(() -> named(step) + " did not come to step " + step.number + where(runner));
            }
            if (isOver) {
                break;
            }
            perform(runner, step);
        }
        if (isOver) {
            return;
        }
        if (thrower >= 0) {
            while (!isOver) {
                pump(() -> "the exception did not come");
            }
        } else if (!standing.isEmpty()) {
            isFree = true;
            for (Runner runner : runners.values()) {
                release(runner);
            }
            awaitDeadlock();
        } else {
            Runner first = runner(0);
            release(first);
            while (!first.isDead && !isOver) {
                pump(() -> "the call did not come to its end" + where(first));
            }
        }
    }

    /** Lets a thread perform its step, and run up to its next one. */
    private void perform(Runner runner, Step step) throws Exception {
        if (step.kind.equals("start")) {
            ObjectReference started = runner.reference.frame(0).thisObject();
            int number = 1 + expected.size();
            if (started == null) {
                throw new Stopped("step " + step.number + " starts no thread");
            }
            expected.put(started.uniqueID(), number);
        }
        runner.next++;
        release(runner);
        Step next = runner.step();
        while (!isOver && !runner.isDead && next != null && !runner.isReady()) {
            if (next.kind.equals("resume") && isWaiting(runner)) {
                return;
            }
            pump(() -> "after step " + step.number + ", " + named(step) + " did not come to its next one" + where(runner));
        }
        // One that must not do anything else any more ends, waits, or throws an exception.
        if (next == null && thrower != step.thread && standing.get(step.thread) == null && step.thread != 0) {
            while (!isOver && !runner.isDead) {
                pump(() -> "after step " + step.number + ", " + named(step) + " did not end" + where(runner));
            }
        }
    }

    private boolean isWaiting(Runner runner) {
        if (runner.reference.status() != ThreadReference.THREAD_STATUS_WAIT) {
            return false;
        }
        // A thread that is suspended there does not get the monitor before it is resumed.
        runner.reference.suspend();
        runner.isWaiting = true;
        return true;
    }

    private void release(Runner runner) {
        if (runner.stop != null) {
            EventSet stop = runner.stop;
            runner.stop = null;
            stop.resume();
        }
        if (runner.isWaiting) {
            runner.isWaiting = false;
            runner.reference.resume();
        }
    }

    private String named(Step step) {
        return "thread " + step.thread;
    }

    private String where(Runner runner) {
        if (runner.reference == null) {
            return " (it was not started)";
        }
        try {
            if (runner.isDead) {
                return " (it has ended)";
            }
            runner.reference.suspend();
            try {
                String place = runner.reference.frameCount() == 0 ? "?" : place(runner.reference.frame(0).location());
                return " (it is at " + place + ")";
            } finally {
                runner.reference.resume();
            }
        } catch (Exception unknown) {
            return "";
        }
    }

    private static String place(Location location) {
        return location.declaringType().name() + "." + location.method().name() + ":" + location.lineNumber();
    }

    /** Waits for something to happen, and takes notice of it. */
    private void pump(Supplier<String> otherwise) throws Exception {
        EventSet events = machine.eventQueue().remove(5);
        if (events == null) {
            if (System.currentTimeMillis() > deadline) {
                throw new Stopped(otherwise.get());
            }
            return;
        }
        boolean goesOn = true;
        for (Event event : events) {
            goesOn &= take(event, events);
        }
        if (goesOn) {
            events.resume();
        }
    }

    /** Takes notice of an event. True if its thread goes on. */
    private boolean take(Event event, EventSet events) throws Exception {
        if (event instanceof ClassPrepareEvent prepared) {
            prepared(prepared.referenceType());
        } else if (event instanceof ThreadStartEvent started) {
            Integer number = expected.get(started.thread().uniqueID());
            if (number != null) {
                Runner runner = runner(number);
                runner.reference = started.thread();
                Step first = runner.step();
                if (first != null && first.site == null && first.kind.equals("stop")) {
                    runner.stop = events;
                    return false;
                }
            }
        } else if (event instanceof ThreadDeathEvent ended) {
            Runner runner = of(ended.thread());
            if (runner != null) {
                runner.isDead = true;
            }
        } else if (event instanceof BreakpointEvent reached) {
            return passed(reached, events);
        } else if (event instanceof ExceptionEvent raised) {
            Runner runner = of(raised.thread());
            if (runner != null && thrower >= 0 && runner == runners.get(thrower) && raised.catchLocation() == null) {
                told = "threw " + raised.exception().referenceType().name() + " at " + origin(raised);
                isOver = true;
                return false;
            }
        } else if (event instanceof VMDeathEvent || event instanceof VMDisconnectEvent) {
            isOver = true;
            for (Runner runner : runners.values()) {
                runner.isDead = true;
            }
        }
        return true;
    }

    /** Where the stack trace of an exception begins, as the program itself would tell it. */
    private String origin(ExceptionEvent raised) {
        machine.eventRequestManager().deleteAllBreakpoints();
        try {
            ObjectReference exception = raised.exception();
            Method method = exception.referenceType().methodsByName("getStackTrace", "()[Ljava/lang/StackTraceElement;").get(0);
            ArrayReference trace = (ArrayReference) exception.invokeMethod(
                    raised.thread(), method, List.of(), ObjectReference.INVOKE_SINGLE_THREADED);
            ObjectReference first = (ObjectReference) trace.getValue(0);
            ReferenceType type = first.referenceType();
            Value line = first.getValue(type.fieldByName("lineNumber"));
            return text(first.getValue(type.fieldByName("declaringClass"))) + "." + text(first.getValue(type.fieldByName("methodName"))) + ":" + line;
        } catch (Exception unknown) {
            return place(raised.location());
        }
    }

    private static String text(Value value) {
        return ((StringReference) value).value();
    }

    private Runner of(ThreadReference reference) {
        for (Runner runner : runners.values()) {
            if (reference.equals(runner.reference)) {
                return runner;
            }
        }
        return null;
    }

    /** A thread has come to an instruction of the schedule. True if it goes on. */
    private boolean passed(BreakpointEvent reached, EventSet events) throws Exception {
        Location location = reached.location();
        if (!hasBegun && location.method().name().equals(begin[2])) {
            runner(0).reference = reached.thread();
            hasBegun = true;
            EventRequestManager requests = machine.eventRequestManager();
            requests.deleteEventRequest(reached.request());
            ThreadStartRequest starts = requests.createThreadStartRequest();
            starts.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            starts.enable();
            ThreadDeathRequest deaths = requests.createThreadDeathRequest();
            deaths.setSuspendPolicy(EventRequest.SUSPEND_NONE);
            deaths.enable();
            // Visits count from the start of the first thread on.
            if (!order.isEmpty()) {
                stopAt(order.get(0).site);
            }
            return true;
        }
        Runner runner = of(reached.thread());
        if (runner == null || isFree) {
            return true;
        }
        Method method = location.method();
        String site = String.join("\t", method.declaringType().name(), method.name(), method.signature(), "" + location.codeIndex());
        if (runner == runners.get(0) && runner.visits.isEmpty()) {
            if (!site.equals(order.get(0).site)) {
                return true;
            }
            for (String other : sites) {
                if (!other.equals(order.get(0).site)) {
                    stopAt(other);
                }
            }
            if (thrower >= 0) {
                ExceptionRequest raised = machine.eventRequestManager().createExceptionRequest(null, false, true);
                raised.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
                raised.enable();
            }
        }
        int count = runner.visits.merge(site, 1, Integer::sum);
        Step next = runner.step();
        if (next != null && next.isAt(site, count)) {
            runner.stop = events;
            return false;
        }
        for (int at = runner.next + 1; at < runner.steps.size(); at++) {
            if (runner.steps.get(at).isAt(site, count)) {
                throw new Stopped("thread " + next.thread + " passed over step " + next.number + " (" + next.site.replace('\t', ' ') + ")");
            }
        }
        return true;
    }

    private void stopAt(String site) throws Exception {
        if (site != null) {
            prepare(site.split("\t")[0]);
        }
    }

    private final Set<String> prepared = new HashSet<>();

    /** Sets the breakpoints of a class as soon as it is there. */
    private void prepare(String name) throws Exception {
        if (!prepared.add(name)) {
            for (ReferenceType type : machine.classesByName(name)) {
                if (type.isPrepared()) {
                    prepared(type);
                }
            }
            return;
        }
        ClassPrepareRequest request = machine.eventRequestManager().createClassPrepareRequest();
        request.addClassFilter(name);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        for (ReferenceType type : machine.classesByName(name)) {
            if (type.isPrepared()) {
                prepared(type);
            }
        }
    }

    private final Set<String> set = new HashSet<>();

    private void prepared(ReferenceType type) throws Exception {
        String name = type.name();
        if (!hasBegun && name.equals(begin[1])) {
            stop(type.methodsByName(begin[2]).get(0).location());
            return;
        }
        for (String site : sites) {
            String[] words = site.split("\t");
            if (!words[0].equals(name) || !set.add(site)) {
                continue;
            }
            List<Method> methods = type.methodsByName(words[1], words[2]);
            Location location = methods.isEmpty() ? null : methods.get(0).locationOfCodeIndex(Long.parseLong(words[3]));
            if (location == null) {
                throw new Stopped("there is no instruction " + words[3] + " in " + words[0] + "." + words[1]);
            }
            stop(location);
        }
    }

    private void stop(Location location) {
        BreakpointRequest request = machine.eventRequestManager().createBreakpointRequest(location);
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
    }

    /** All threads that are left must wait where they should, and go on doing so. */
    private void awaitDeadlock() throws Exception {
        long since = System.currentTimeMillis();
        String before = null;
        while (!isOver) {
            String last = before;
            pump(() -> "the threads do not wait for each other as they should: " + last);
            String now = stands();
            if (!now.equals(before) || now.startsWith("?")) {
                before = now;
                since = System.currentTimeMillis();
            } else if (System.currentTimeMillis() - since >= STILL) {
                told = "deadlock";
                return;
            }
        }
        throw new Stopped("the program ended");
    }

    /** A thread that waits for a monitor stands behind the instruction that enters it, which may be the first one of another line. */
    private static boolean isOnLine(Location location, int line) {
        Location before = location.codeIndex() > 0 ? location.method().locationOfCodeIndex(location.codeIndex() - 1) : null;
        return location.lineNumber() == line || before != null && before.lineNumber() == line;
    }

    /** Where the threads stand; with a question mark at the beginning if that is not where they should. */
    private String stands() throws Exception {
        StringBuilder text = new StringBuilder();
        boolean isRight = true;
        machine.suspend();
        try {
            for (Map.Entry<Integer, Runner> entry : runners.entrySet()) {
                String[] words = standing.get(entry.getKey());
                Runner runner = entry.getValue();
                if (runner.isDead || runner.reference == null) {
                    isRight &= words == null;
                    continue;
                }
                int status = runner.reference.status();
                boolean isBlocked = status == ThreadReference.THREAD_STATUS_MONITOR || status == ThreadReference.THREAD_STATUS_WAIT;
                boolean isThere = words != null && words.length < 3;
                boolean initialises = false;
                List<StackFrame> frames = runner.reference.frames();
                for (StackFrame frame : frames) {
                    Location location = frame.location();
                    isThere |= words != null && words.length > 3 && location.declaringType().name().equals(words[2])
                            && location.method().name().equals(words[3])
                            && isOnLine(location, Integer.parseInt(words[4]));
                    initialises |= location.method().isStaticInitializer();
                }
                // A thread that waits for an initialiser does so in native code.
                boolean isRunning = status == ThreadReference.THREAD_STATUS_RUNNING;
                if (words != null) {
                    isRight &= isThere && (isBlocked || isRunning && words[words.length - 1].equals("initialiser"));
                }
                text.append(" thread ").append(entry.getKey()).append(" (").append(status).append(") at ");
                text.append(frames.isEmpty() ? "?" : place(frames.get(0).location())).append(";");
            }
        } finally {
            machine.resume();
        }
        return (isRight ? "" : "?") + text;
    }
}
