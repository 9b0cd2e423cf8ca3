import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Tries every small implementation of the interfaces that a method gets: each call of one returns each value of a small domain, throws, and changes what it
 * was handed. Prints the faults, one per line: the exception and its place, or the invariant that is false afterwards.
 *
 * A run follows a list of choices; the next run changes the last choice that has another way. So all implementations are tried that make at most so many calls.
 */
public class Answers {
    private static final int MOST_CALLS = 5;
    private static final int MOST_RUNS = 400_000;

    private final List<int[]> choices = new ArrayList<>();
    private int position;
    private int calls;
    /** All objects that a call may return. */
    private final List<Object> seen = new ArrayList<>();
    /** Those that code which is not there has got hold of. */
    private final List<Object> handed = new ArrayList<>();
    private final List<Throwable> thrown = new ArrayList<>();
    private final Map<Object, Map<Object, Integer>> ranks = new IdentityHashMap<>();

    /** The run is longer than what is tried. */
    static class TooLong extends Error { }

    /** Has such code got hold of all inputs before the method begins? */
    private static boolean holdsAll;

    /** The class, and {@code all} if such code holds all inputs. */
    public static void main(String[] arguments) throws Exception {
        Class<?> owner = Class.forName(arguments[0]);
        holdsAll = arguments.length > 1 && arguments[1].equals("all");
        for (Method method : owner.getDeclaredMethods()) {
            if (method.isSynthetic() || !Modifier.isPublic(method.getModifiers()) || method.getName().equals("repOK")) {
                continue;
            }
            TreeSet<String> faults = new Answers().faults(owner, method);
            System.out.println(method.getName() + ": " + String.join(" ", faults));
        }
    }

    private TreeSet<String> faults(Class<?> owner, Method method) throws Exception {
        TreeSet<String> found = new TreeSet<>();
        for (int run = 0; run < MOST_RUNS; run++) {
            position = 0;
            calls = 0;
            seen.clear();
            handed.clear();
            thrown.clear();
            ranks.clear();
            try {
                run(owner, method, found);
            } catch (TooLong tooLong) {
                // Others are tried.
            }
            while (!choices.isEmpty() && choices.get(choices.size() - 1)[0] + 1 >= choices.get(choices.size() - 1)[1]) {
                choices.remove(choices.size() - 1);
            }
            if (choices.isEmpty()) {
                return found;
            }
            choices.get(choices.size() - 1)[0]++;
        }
        throw new IllegalStateException("too many runs of " + method);
    }

    private void run(Class<?> owner, Method method, TreeSet<String> found) throws Exception {
        Object receiver = null;
        if (!Modifier.isStatic(method.getModifiers())) {
            Constructor<?> constructor = owner.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            receiver = constructor.newInstance(values(constructor.getGenericParameterTypes()));
        }
        Object[] given = values(method.getGenericParameterTypes());
        method.setAccessible(true);
        if (holdsAll) {
            handed.addAll(seen);
        }
        try {
            method.invoke(receiver, given);
        } catch (InvocationTargetException failed) {
            Throwable fault = failed.getCause();
            if (fault instanceof TooLong) {
                throw (TooLong) fault;
            }
            boolean isOurs = thrown.stream().anyMatch(known -> known == fault);
            if (!isOurs) {
                StackTraceElement place = fault.getStackTrace()[0];
                for (StackTraceElement frame : fault.getStackTrace()) {
                    if (frame.getFileName() != null && frame.getFileName().equals(owner.getName() + ".java")) {
                        place = frame;
                        break;
                    }
                }
                found.add(fault.getClass().getSimpleName() + "@" + place.getLineNumber());
                return;
            }
        }
        for (Method repOK : owner.getDeclaredMethods()) {
            if (receiver != null && repOK.getName().equals("repOK")) {
                repOK.setAccessible(true);
                if (!(boolean) repOK.invoke(receiver)) {
                    found.add("repOK");
                }
            }
        }
    }

    private Object[] values(Type[] types) throws Exception {
        Object[] values = new Object[types.length];
        for (int at = 0; at < types.length; at++) {
            values[at] = value(types[at], null, false);
        }
        return values;
    }

    private int choose(int ways) {
        if (position == choices.size()) {
            choices.add(new int[] {0, ways});
        }
        return choices.get(position++)[0];
    }

    /** The class of a type, where the variables of an interface stand for these. */
    private static Class<?> classOf(Type type, Type context) {
        if (type instanceof Class<?> plain) {
            return plain;
        }
        if (type instanceof ParameterizedType generic) {
            return (Class<?>) generic.getRawType();
        }
        if (type instanceof TypeVariable<?> variable && context instanceof ParameterizedType generic) {
            TypeVariable<?>[] variables = ((Class<?>) generic.getRawType()).getTypeParameters();
            for (int at = 0; at < variables.length; at++) {
                if (variables[at].equals(variable)) {
                    return classOf(generic.getActualTypeArguments()[at], null);
                }
            }
        }
        return Object.class;
    }

    /** A value of a type; null only as the result of a call. */
    private Object value(Type declared, Type context, boolean mayBeNull) throws Exception {
        Class<?> type = classOf(declared, context);
        if (type == int.class || type == Integer.class) {
            int[] domain = {-1, 0, 1, 7};
            int ways = domain.length + (type == Integer.class && mayBeNull ? 1 : 0);
            int way = choose(ways);
            return way == domain.length ? null : (Object) domain[way];
        }
        if (type == long.class) {
            return new long[] {-1, 0, 5}[choose(3)];
        }
        if (type == boolean.class) {
            return choose(2) == 1;
        }
        if (type == int[].class) {
            return new int[choose(3)];
        }
        if (mayBeNull && choose(2) == 1) {
            return null;
        }
        if (type == String.class) {
            return new String[] {"", "a"}[choose(2)];
        }
        if (Comparator.class.isAssignableFrom(type)) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> compared(proxy, called, given));
        }
        if (type.isInterface()) {
            return Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) -> answer(declared, proxy, called, given));
        }
        // An object that was seen before, or a new one.
        List<Object> fitting = new ArrayList<>();
        for (Object known : seen) {
            if (type.isInstance(known) && fitting.stream().noneMatch(other -> other == known)) {
                fitting.add(known);
            }
        }
        int way = choose(fitting.size() + 1);
        if (way < fitting.size()) {
            return fitting.get(way);
        }
        Constructor<?> constructor = type.getDeclaredConstructor();
        constructor.setAccessible(true);
        Object made = constructor.newInstance();
        for (Field field : type.getDeclaredFields()) {
            if (field.getType() == int.class && !Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.setInt(made, new int[] {0, 1}[choose(2)]);
            }
        }
        seen.add(made);
        return made;
    }

    private Object compared(Object proxy, Method called, Object[] given) throws Throwable {
        if (!called.getName().equals("compare")) {
            return identity(proxy, called, given);
        }
        if (++calls > MOST_CALLS) {
            throw new TooLong();
        }
        Map<Object, Integer> rank = ranks.computeIfAbsent(proxy, none -> new IdentityHashMap<>());
        int[] both = new int[2];
        for (int at = 0; at < 2; at++) {
            if (!rank.containsKey(given[at])) {
                rank.put(given[at], choose(3));
            }
            both[at] = rank.get(given[at]);
        }
        return Integer.signum(Integer.compare(both[0], both[1])) * (1 + choose(2));
    }

    private static Object identity(Object proxy, Method called, Object[] given) {
        return switch (called.getName()) {
            case "equals" -> proxy == given[0];
            case "hashCode" -> System.identityHashCode(proxy);
            default -> "a mock";
        };
    }

    private Object answer(Type type, Object proxy, Method called, Object[] given) throws Throwable {
        if (called.getDeclaringClass() == Object.class) {
            return identity(proxy, called, given);
        }
        if (++calls > MOST_CALLS) {
            throw new TooLong();
        }
        for (Object object : given == null ? new Object[0] : given) {
            getsHold(object);
        }
        // What it was handed, now or before, may change.
        boolean isPure = called.getDeclaringClass().getSimpleName().startsWith("Pure");
        for (Object object : isPure ? new ArrayList<>() : new ArrayList<>(handed)) {
            if (object.getClass() == int[].class) {
                if (Array.getLength(object) > 0 && choose(2) == 1) {
                    Array.setInt(object, 0, 9);
                }
                continue;
            }
            for (Field field : object.getClass().getDeclaredFields()) {
                boolean isOpen = (field.getModifiers() & (Modifier.PRIVATE | Modifier.FINAL | Modifier.STATIC)) == 0;
                if (isOpen && field.getType() == int.class && choose(2) == 1) {
                    field.setAccessible(true);
                    field.setInt(object, 9);
                }
            }
        }
        for (Object object : isPure ? new ArrayList<>() : new ArrayList<>(handed)) {
            callBack(object);
            callBack(object);
        }
        List<Throwable> faults = new ArrayList<>();
        faults.add(new IllegalStateException());
        faults.add(new RuntimeException());
        for (Class<?> declared : called.getExceptionTypes()) {
            faults.add(declared == IOException.class ? new IOException() : (Throwable) declared.getDeclaredConstructor().newInstance());
        }
        int way = choose(1 + faults.size());
        if (way > 0) {
            thrown.add(faults.get(way - 1));
            throw faults.get(way - 1);
        }
        if (called.getReturnType() == void.class) {
            return null;
        }
        Object result = value(called.getGenericReturnType(), type, true);
        getsHold(result);
        return result;
    }

    /** Calls back a method of an object that it was handed; what fails there is thrown on. */
    private void callBack(Object object) throws Throwable {
        List<Method> callable = new ArrayList<>();
        for (Method method : object.getClass().getDeclaredMethods()) {
            boolean isPlain = method.getParameterCount() == 0 && method.getReturnType() == void.class;
            if (isPlain && (method.getModifiers() & (Modifier.PUBLIC | Modifier.STATIC)) == Modifier.PUBLIC) {
                callable.add(method);
            }
        }
        callable.sort((one, other) -> one.getName().compareTo(other.getName()));
        int way = callable.isEmpty() ? 0 : choose(1 + callable.size());
        if (way > 0) {
            try {
                callable.get(way - 1).invoke(object);
            } catch (InvocationTargetException failed) {
                thrown.add(failed.getCause());
                throw failed.getCause();
            }
        }
    }

    private void getsHold(Object object) {
        for (List<Object> list : List.of(seen, handed)) {
            if (object != null && list.stream().noneMatch(known -> known == object)) {
                list.add(object);
            }
        }
    }
}
