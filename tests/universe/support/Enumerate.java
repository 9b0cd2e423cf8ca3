import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Runs the methods of fixtures on every valid input of a small size, and writes down what goes wrong.
 *
 * Arguments: the directory of the results, then for each fixture its source file and the directory of its classes. The result
 * <code>Name.truth</code> has for each method a line <code>target</code> with its name, the number of valid inputs, and of runs
 * that called unknown code, and whether all inputs were tried; then a line <code>fault</code> for each way to go wrong: exception (or "invariant"), line of the
 * fixture (or 0), and an input. A line <code>shapes</code> has the number of valid objects of the outermost class that differ
 * in more than numbers, and lines <code>bound</code> have the pairs of objects that a field connects in one of them, if the fixture asks for it.
 */
public final class Enumerate {
    /** Small, so that a run that recurses for ever ends soon. */
    private static final long STACK = 512 << 10;
    private static final long MILLISECONDS = 60_000;

    public static void main(String[] arguments) throws Exception {
        Path results = Path.of(arguments[0]);
        boolean isRight = true;
        for (int i = 1; i < arguments.length; i += 2) {
            Path source = Path.of(arguments[i]);
            Path classes = Path.of(arguments[i + 1]);
            String name = classes.getFileName().toString();
            Throwable[] failure = new Throwable[1];
            Thread thread = new Thread(null, () -> {
                try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(results.resolve(name + ".truth")))) {
                    Universe universe = new Universe(source, classes);
                    for (Method target : universe.targets) {
                        runAll(universe, target, out);
                    }
                    if (universe.countsShapes) {
                        listValid(universe, out);
                    }
                } catch (Throwable thrown) {
                    failure[0] = thrown;
                }
            }, name, STACK);
            thread.setDaemon(true);
            thread.start();
            thread.join(MILLISECONDS);
            if (thread.isAlive() || failure[0] != null) {
                isRight = false;
                Throwable cause = failure[0];
                System.err.println(name + ": " + (cause == null ? "the runs take too long" : cause));
                StackTraceElement[] trace = cause == null ? thread.getStackTrace() : cause.getStackTrace();
                for (StackTraceElement frame : trace) {
                    System.err.println("    at " + frame);
                }
            }
        }
        System.exit(isRight ? 0 : 1);
    }

    private static void runAll(Universe universe, Method target, PrintWriter out) throws Exception {
        Map<String, String> faults = new LinkedHashMap<>();
        Choices choices = new Choices();
        int inputs = 0;
        int valid = 0;
        int unknown = 0;
        boolean isCut = false;
        do {
            if (++inputs > universe.most) {
                isCut = true;
                break;
            }
            universe.reset();
            Unknown.wasCalled = false;
            Heap input;
            try {
                input = new Heap(universe, target, choices);
            } catch (Heap.NoRoom deadEnd) {
                continue;
            }
            boolean isValid = isValid(universe, target, input);
            if (Unknown.wasCalled) {
                unknown++;
                continue;
            }
            if (!isValid) {
                continue;
            }
            String fault = run(universe, target, input);
            if (Unknown.wasCalled) {
                unknown++;
                continue;
            }
            valid++;
            if (fault != null && !faults.containsKey(fault)) {
                // The run may have changed the input: the same choices make it again.
                universe.reset();
                choices.again();
                faults.put(fault, new Drawing().of(new Heap(universe, target, choices)));
            }
        } while (choices.advance());
        StringBuilder types = new StringBuilder();
        for (Class<?> type : target.getParameterTypes()) {
            types.append(types.length() == 0 ? "" : ", ").append(type.getTypeName());
        }
        String name = target.getDeclaringClass().getName() + "." + target.getName() + "(" + types + ")";
        out.println("target\t" + name + "\t" + valid + "\t" + unknown + (isCut ? "\tcut" : "\tall"));
        faults.forEach((fault, example) -> out.println("fault\t" + fault + "\t" + example));
    }

    /** Writes the number of valid objects that differ in more than numbers, and the pairs of objects that fields connect in them. */
    private static void listValid(Universe universe, PrintWriter out) throws Exception {
        FieldBounds bounds = new FieldBounds(universe, universe.unread);
        Set<String> shapes = new HashSet<>();
        Choices choices = new Choices();
        do {
            universe.reset();
            Unknown.wasCalled = false;
            try {
                Heap input = new Heap(universe, universe.outermost, choices);
                if (universe.isValid(universe.outermost, input.receiver) && !Unknown.wasCalled) {
                    shapes.add(new Drawing().shapeOf(input.receiver, universe.held));
                    bounds.add(input.receiver);
                }
            } catch (Heap.NoRoom deadEnd) {
                continue;
            }
        } while (choices.advance());
        out.println("shapes\t" + shapes.size());
        bounds.pairs.forEach(pair -> out.println("bound\t" + pair));
    }

    /** Are the receiver, and the arguments whose declared classes have an invariant, valid? */
    private static boolean isValid(Universe universe, Method target, Heap input) throws Exception {
        if (input.receiver != null && !universe.isValid(target.getDeclaringClass(), input.receiver)) {
            return false;
        }
        Class<?>[] types = target.getParameterTypes();
        for (int i = 0; i < types.length; i++) {
            if (input.arguments[i] != null && !universe.isValid(types[i], input.arguments[i])) {
                return false;
            }
        }
        return true;
    }

    /** The way in which a run goes wrong, or null. */
    private static String run(Universe universe, Method target, Heap input) throws Exception {
        try {
            target.invoke(input.receiver, input.arguments);
        } catch (InvocationTargetException wrapper) {
            Throwable thrown = wrapper.getCause();
            boolean isDeclared = false;
            for (Class<?> declared : target.getExceptionTypes()) {
                isDeclared |= declared.isInstance(thrown);
            }
            if (!isDeclared) {
                return thrown.getClass().getName() + "\t" + universe.lineOf(thrown);
            }
        }
        boolean isRight = input.receiver == null || universe.isValid(target.getDeclaringClass(), input.receiver);
        return isRight ? null : "invariant\t0";
    }
}
