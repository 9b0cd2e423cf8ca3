import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;

/**
 * Which faults do the methods of a class show on objects that a constructor and a few calls make? Tries all sequences of at most so many calls of the
 * named methods with few numbers; one that throws makes nothing. Each run has a class loader of its own, so that static fields begin anew. Prints a line
 * "method class line" for each fault, "method invariant 0" where repOK() is false afterwards, and on standard error how many runs there were.
 *
 * Usage: Driven FOLDER CLASS CALLS METHOD...; the methods whose names begin with "check" are the targets.
 */
public class Driven {
    private static final int[] NUMBERS = {-1, 0, 1, 2, 3};

    private final URL[] folder;
    private final String name;
    private final List<String> build;
    private final TreeSet<String> faults = new TreeSet<>();
    private long runs;

    private Driven(String folder, String name, List<String> build) throws Exception {
        this.folder = new URL[] {Path.of(folder).toUri().toURL()};
        this.name = name;
        this.build = build;
    }

    public static void main(String[] words) throws Exception {
        Driven driven = new Driven(words[0], words[1], Arrays.asList(words).subList(3, words.length));
        Class<?> type = driven.load();
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            for (Object[] arguments : combinations(constructor.getParameterTypes())) {
                List<Object[]> calls = new ArrayList<>();
                calls.add(arguments);
                driven.extend(calls, new ArrayList<>(), Integer.parseInt(words[2]));
            }
        }
        driven.faults.forEach(System.out::println);
        System.err.println(driven.runs + " runs");
    }

    private Class<?> load() throws Exception {
        URLClassLoader loader = new URLClassLoader(folder, null);
        loader.setDefaultAssertionStatus(true);
        return Class.forName(name, true, loader);
    }

    /** Runs all targets behind these calls, and behind longer sequences. The arguments of the constructor are the first. */
    private void extend(List<Object[]> arguments, List<String> called, int left) throws Exception {
        if (make(arguments, called) == null) {
            return;
        }
        for (Method target : load().getDeclaredMethods()) {
            if (target.getName().startsWith("check")) {
                for (Object[] given : combinations(target.getParameterTypes())) {
                    run(make(arguments, called), target.getName(), given);
                }
            }
        }
        for (Method method : load().getDeclaredMethods()) {
            if (left > 0 && build.contains(method.getName())) {
                for (Object[] given : combinations(method.getParameterTypes())) {
                    arguments.add(given);
                    called.add(method.getName());
                    extend(arguments, called, left - 1);
                    arguments.remove(arguments.size() - 1);
                    called.remove(called.size() - 1);
                }
            }
        }
    }

    /** The object that the calls make, or null if one of them throws. */
    private Object make(List<Object[]> arguments, List<String> called) throws Exception {
        try {
            Constructor<?> constructor = load().getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            Object object = constructor.newInstance(arguments.get(0));
            for (int i = 0; i < called.size(); i++) {
                method(object, called.get(i)).invoke(object, arguments.get(i + 1));
            }
            return object;
        } catch (InvocationTargetException thrown) {
            return null;
        }
    }

    private static Method method(Object object, String name) {
        for (Method method : object.getClass().getDeclaredMethods()) {
            if (method.getName().equals(name)) {
                method.setAccessible(true);
                return method;
            }
        }
        throw new IllegalArgumentException(name);
    }

    private void run(Object object, String target, Object[] given) throws Exception {
        runs++;
        try {
            method(object, target).invoke(object, given);
        } catch (InvocationTargetException thrown) {
            Throwable cause = thrown.getCause();
            for (StackTraceElement frame : cause.getStackTrace()) {
                if (frame.getClassName().startsWith(name)) {
                    faults.add(target + " " + cause.getClass().getName() + " " + frame.getLineNumber());
                    return;
                }
            }
            return;
        }
        for (Method method : object.getClass().getDeclaredMethods()) {
            if (method.getName().equals("repOK") && !Modifier.isStatic(method.getModifiers())) {
                method.setAccessible(true);
                if (!(Boolean) method.invoke(object)) {
                    faults.add(target + " invariant 0");
                }
            }
        }
    }

    private static List<Object[]> combinations(Class<?>[] types) {
        List<Object[]> all = new ArrayList<>(List.of(new Object[][] {new Object[0]}));
        for (Class<?> type : types) {
            List<Object> values = new ArrayList<>();
            if (type == boolean.class) {
                values.addAll(List.of(false, true));
            } else {
                for (int number : NUMBERS) {
                    values.add(type == long.class ? (Object) (long) number : (Object) number);
                }
            }
            List<Object[]> longer = new ArrayList<>();
            for (Object[] first : all) {
                for (Object value : values) {
                    Object[] both = Arrays.copyOf(first, first.length + 1);
                    both[first.length] = value;
                    longer.add(both);
                }
            }
            all = longer;
        }
        return all;
    }
}
