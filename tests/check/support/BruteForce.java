import java.io.PrintWriter;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs targets on every input of a small domain, and writes down how each run ended.
 *
 * Arguments: the directory of the results, then for each fixture its source file and the directory of its classes. The
 * result <code>Name.runs</code> has a line with the names of the roots, a line for each class, and a line for each run: the
 * heap before, the end, and the heap after (= if the run changed and made nothing).
 */
public final class BruteForce {
    /** Small, so that a run that recurses for ever ends soon. */
    private static final long STACK = 512 << 10;
    private static final long MILLISECONDS = 120_000;
    private static final int MOST_RUNS = 400_000;

    public static void main(String[] arguments) throws Exception {
        Path results = Path.of(arguments[0]);
        for (int i = 1; i < arguments.length; i += 2) {
            Path source = Path.of(arguments[i]);
            Path classes = Path.of(arguments[i + 1]);
            String name = classes.getFileName().toString();
            Throwable[] failure = new Throwable[1];
            Thread thread = new Thread(null, () -> {
                try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(results.resolve(name + ".runs")))) {
                    int count = runAll(new Fixture(source, classes), out);
                    System.out.println(name + ": " + count + " inputs");
                } catch (Throwable thrown) {
                    failure[0] = thrown;
                }
            }, name, STACK);
            thread.setDaemon(true);
            thread.start();
            thread.join(MILLISECONDS);
            if (thread.isAlive() || failure[0] != null) {
                System.err.println(name + ": " + (failure[0] == null ? "a run does not end" : failure[0]));
                if (failure[0] != null) {
                    failure[0].printStackTrace();
                }
                System.exit(1);
            }
        }
    }

    private static int runAll(Fixture fixture, PrintWriter out) throws Exception {
        Object[] initial = new Object[fixture.initialised.size()];
        for (int i = 0; i < initial.length; i++) {
            initial[i] = fixture.initialised.get(i).get(null);
        }
        StringBuilder names = new StringBuilder("roots");
        if (fixture.hasReceiver()) {
            names.append("\tthis");
        }
        for (Parameter parameter : fixture.target.getParameters()) {
            names.append('\t').append(parameter.getName());
        }
        for (Field field : fixture.statics) {
            names.append('\t').append(field.getName());
        }
        out.println(names);
        Printer printer = new Printer(out);
        Choices choices = new Choices();
        int count = 0;
        do {
            for (int i = 0; i < initial.length; i++) {
                fixture.initialised.get(i).set(null, initial[i]);
            }
            run(fixture, new InputHeap(fixture, choices), printer, out);
            if (++count > MOST_RUNS) {
                throw new IllegalStateException("more than " + MOST_RUNS + " inputs: make the domain smaller");
            }
        } while (choices.advance());
        return count;
    }

    private static void run(Fixture fixture, InputHeap input, Printer printer, PrintWriter out) throws Exception {
        String before = printer.heap(input.objects, roots(fixture, input).toArray());
        Object result = null;
        String end = "returned";
        try {
            result = fixture.target.invoke(input.receiver, input.arguments);
        } catch (InvocationTargetException wrapper) {
            end = "threw " + wrapper.getCause().getClass().getName();
        }
        List<Object> roots = roots(fixture, input);
        Class<?> type = fixture.target.getReturnType();
        boolean hasResult = end.equals("returned") && type != void.class;
        if (hasResult) {
            roots.add(type.isPrimitive() ? new Printer.Primitive(result) : result);
        }
        String after = printer.heap(input.objects, roots.toArray());
        if (hasResult) {
            end += " result";
        }
        out.println("run\t" + before + "\t" + end + "\t" + (after.equals(before) ? "=" : after));
    }

    private static List<Object> roots(Fixture fixture, InputHeap input) throws IllegalAccessException {
        List<Object> roots = new ArrayList<>();
        if (fixture.hasReceiver()) {
            roots.add(input.receiver);
        }
        Parameter[] parameters = fixture.target.getParameters();
        for (int i = 0; i < parameters.length; i++) {
            boolean isPrimitive = parameters[i].getType().isPrimitive();
            roots.add(isPrimitive ? new Printer.Primitive(input.arguments[i]) : input.arguments[i]);
        }
        for (Field field : fixture.statics) {
            Object value = field.get(null);
            roots.add(field.getType().isPrimitive() ? new Printer.Primitive(value) : value);
        }
        return roots;
    }
}
