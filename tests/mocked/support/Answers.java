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
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * Tries every small implementation of the interfaces that a method gets: each call of one returns each value of a small domain, throws, and changes what it
 * was handed. Prints the faults, one per line: the exception and its place, or the invariant that is false afterwards.
 *
 * Where the class has a nested class {@code Contracts}, only implementations are tried that keep these: {@code pre_NAME(self, args…)} must be true at the
 * call, or that is a fault; {@code before_NAME(self, args…)} gives what {@code post_NAME(before, self, args…, result)} and
 * {@code signals_NAME(before, self, args…, exception)} want to know; a run in which one of them is false does not count. The methods in {@code PURE} give the same
 * result until one in {@code FREE} is called, and {@code DOMAIN} has the numbers that are tried.
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
    private final Map<Object, Map<List<Object>, Integer>> ranks = new IdentityHashMap<>();
    /** The types of the elements of collections that such code has got hold of, by where it got them. */
    private final Map<Object, Type[]> typesOfElements = new IdentityHashMap<>();

    /** The run is longer than what is tried, or no contract allows it. */
    static class TooLong extends Error { }

    /** A call breaks the precondition of a contract. */
    static class Broken extends Error { }

    /** The contracts that implementations keep; null if there are none. */
    private static Class<?> contracts;
    private final Map<List<Object>, Object> pureResults = new HashMap<>();
    private int version;
    private boolean isInContract;

    /** Has such code got hold of all inputs before the method begins? */
    private static boolean holdsAll;

    /** Does no parameter share objects with another one? */
    private static boolean isApart;

    /** The class, and {@code all} if such code holds all inputs, {@code apart} if no parameter shares objects with another one. */
    public static void main(String[] arguments) throws Exception {
        Class<?> owner = Class.forName(arguments[0]);
        holdsAll = arguments.length > 1 && arguments[1].equals("all");
        isApart = arguments.length > 1 && arguments[1].equals("apart");
        for (Class<?> nested : owner.getDeclaredClasses()) {
            contracts = nested.getSimpleName().equals("Contracts") ? nested : contracts;
        }
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
            typesOfElements.clear();
            pureResults.clear();
            version = 0;
            for (Field field : counters(owner)) {
                field.setInt(null, 0);
            }
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
                String kind = fault instanceof Broken ? "precondition" : fault.getClass().getSimpleName();
                found.add(kind + "@" + place.getLineNumber());
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
            if (isApart) {
                seen.clear();
            }
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

    private Object value(Type declared, Type context, boolean mayBeNull) throws Exception {
        return value(declared, context, mayBeNull, true);
    }

    /** A value of a type; null only as the result of a call and in a field, and no new object in a field. */
    private Object value(Type declared, Type context, boolean mayBeNull, boolean mayBeNew) throws Exception {
        Class<?> type = classOf(declared, context);
        if (type == int.class || type == Integer.class) {
            int[] domain = contracts == null ? new int[] {-1, 0, 1, 7} : (int[]) contracts.getDeclaredField("DOMAIN").get(null);
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
        if (type == List.class) {
            Type element = declared instanceof ParameterizedType typed ? typed.getActualTypeArguments()[0] : Object.class;
            List<Object> made = new ArrayList<>();
            for (int left = choose(3); left > 0; left--) {
                made.add(value(element, context, true));
            }
            return made;
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
        int way = choose(fitting.size() + (mayBeNew ? 1 : 0));
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
        for (Field field : type.getDeclaredFields()) {
            if (field.getType() == type) {
                field.setAccessible(true);
                field.set(made, value(type, null, true, false));
            }
        }
        return made;
    }

    private Object compared(Object proxy, Method called, Object[] given) throws Throwable {
        if (!called.getName().equals("compare")) {
            return identity(proxy, called, given);
        }
        if (++calls > MOST_CALLS) {
            throw new TooLong();
        }
        Map<List<Object>, Integer> rank = ranks.computeIfAbsent(proxy, none -> new HashMap<>());
        int[] both = new int[2];
        for (int at = 0; at < 2; at++) {
            // The place in the order depends on what the object holds.
            boolean isValue = given[at] instanceof Number || given[at] instanceof String;
            List<Object> key = new ArrayList<>(List.of(isValue ? given[at] : System.identityHashCode(given[at])));
            key.addAll(isValue ? List.of() : numbersOf(given[at]));
            if (!rank.containsKey(key)) {
                rank.put(key, choose(3));
            }
            both[at] = rank.get(key);
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
        if (contracts != null) {
            return answerByContract(type, proxy, called, given == null ? new Object[0] : given);
        }
        if (++calls > MOST_CALLS) {
            throw new TooLong();
        }
        for (int at = 0; given != null && at < given.length; at++) {
            noteType(given[at], called.getGenericParameterTypes()[at]);
            getsHold(given[at]);
        }
        // What it was handed, now or before, may change.
        boolean isPure = called.getDeclaringClass().getSimpleName().startsWith("Pure");
        List<Object> valid = new ArrayList<>();
        for (Object object : handed) {
            if (isValid(object)) {
                valid.add(object);
            }
        }
        for (Object object : isPure ? new ArrayList<>() : new ArrayList<>(handed)) {
            if (object instanceof Collection || object instanceof Map) {
                fillAnew(object);
                continue;
            }
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
            if (object instanceof Collection || object instanceof Map) {
                continue;
            }
            callBack(object);
            callBack(object);
        }
        // What was valid is valid again.
        for (Object object : valid) {
            if (!isValid(object)) {
                throw new TooLong();
            }
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
        noteType(result, called.getGenericReturnType());
        getsHold(result);
        return result;
    }

    /** A collection that such code was handed may have other elements afterwards, unless it cannot be changed. */
    @SuppressWarnings("unchecked")
    private void fillAnew(Object collection) throws Exception {
        Type[] types = typesOfElements.get(collection);
        if (types == null || choose(2) == 0) {
            return;
        }
        try {
            if (collection instanceof Map) {
                Map<Object, Object> map = (Map<Object, Object>) collection;
                map.clear();
                for (int left = choose(2); left > 0; left--) {
                    map.put(value(types[0], null, false), value(types[1], null, true));
                }
                return;
            }
            Collection<Object> elements = (Collection<Object>) collection;
            elements.clear();
            for (int left = choose(3); left > 0; left--) {
                elements.add(value(types[0], null, true));
            }
        } catch (UnsupportedOperationException unchangeable) {
            // It stays as it is.
        }
    }

    private static boolean isValid(Object object) throws Exception {
        for (Method method : object.getClass().getDeclaredMethods()) {
            if (method.getName().equals("repOK")) {
                method.setAccessible(true);
                return (boolean) method.invoke(object);
            }
        }
        return true;
    }

    private void noteType(Object object, Type declared) {
        boolean isOne = object instanceof Collection || object instanceof Map;
        if (isOne && declared instanceof ParameterizedType typed && !typesOfElements.containsKey(object)) {
            typesOfElements.put(object, typed.getActualTypeArguments());
        }
    }

    private Object answerByContract(Type type, Object proxy, Method called, Object[] given) throws Throwable {
        boolean isPure = ((List<?>) contracts.getDeclaredField("PURE").get(null)).contains(called.getName());
        for (Object object : given) {
            if (!(object instanceof Integer)) {
                getsHold(object);
            }
        }
        List<Object> key = new ArrayList<>(List.of(System.identityHashCode(proxy), called.getName(), version));
        for (Object object : given) {
            key.add(object instanceof Integer ? object : System.identityHashCode(object));
        }
        key.addAll(readable());
        boolean isAsked = isInContract;
        Object[] all = with(new Object[] {proxy}, given);
        if (!isAsked && Boolean.FALSE.equals(contract("pre_" + called.getName(), all))) {
            throw new Broken();
        }
        if (isPure && pureResults.containsKey(key)) {
            return pureResults.get(key);
        }
        if (!isAsked && ++calls > MOST_CALLS) {
            throw new TooLong();
        }
        Object before = contract("before_" + called.getName(), all);
        if (!isPure) {
            // One that may assign only what its contract lists changes nothing of its own.
            version += ((List<?>) contracts.getDeclaredField("FREE").get(null)).contains(called.getName()) ? 1 : 0;
            for (Object object : given) {
                for (Field field : object == null || object instanceof Number ? new Field[0] : object.getClass().getDeclaredFields()) {
                    if (field.getType() == int.class && choose(2) == 1) {
                        field.setAccessible(true);
                        field.setInt(object, 9);
                    }
                }
            }
            Throwable[] faults = {new IllegalStateException(), new IllegalArgumentException(), new RuntimeException()};
            int way = isAsked ? 0 : choose(1 + faults.length);
            if (way > 0) {
                if (!Boolean.TRUE.equals(contract("signals_" + called.getName(), with(with(new Object[] {before}, all), faults[way - 1])))) {
                    throw new TooLong();
                }
                thrown.add(faults[way - 1]);
                throw faults[way - 1];
            }
        }
        Object result = called.getReturnType() == void.class ? null : value(called.getGenericReturnType(), type, true);
        if (!(result instanceof Integer)) {
            getsHold(result);
        }
        if (isPure) {
            pureResults.put(key, result);
        }
        Object[] ended = with(with(new Object[] {before}, all), called.getReturnType() == void.class ? new Object[0] : new Object[] {result});
        if (Boolean.FALSE.equals(contract("post_" + called.getName(), ended))) {
            throw new TooLong();
        }
        return result;
    }

    /** The static numbers of the class, which everyone can read. */
    private static List<Field> counters(Class<?> owner) {
        List<Field> found = new ArrayList<>();
        for (Field field : owner.getDeclaredFields()) {
            if (field.getType() == int.class && (field.getModifiers() & (Modifier.STATIC | Modifier.FINAL)) == Modifier.STATIC) {
                field.setAccessible(true);
                found.add(field);
            }
        }
        return found;
    }

    /** The numbers that a pure method may read. */
    private List<Object> readable() throws IllegalAccessException {
        List<Object> found = new ArrayList<>();
        for (Field field : counters(contracts.getDeclaringClass())) {
            found.add(field.getInt(null));
        }
        // What was handed over, and what that leads to.
        List<Object> reached = new ArrayList<>(handed);
        for (int at = 0; at < reached.size(); at++) {
            Object object = reached.get(at);
            found.add(System.identityHashCode(object));
            found.addAll(numbersOf(object));
            for (Field field : object.getClass().getDeclaredFields()) {
                if (field.getType() == object.getClass()) {
                    field.setAccessible(true);
                    Object inner = field.get(object);
                    if (inner != null && reached.stream().noneMatch(known -> known == inner)) {
                        reached.add(inner);
                    }
                }
            }
        }
        return found;
    }

    /** What the fields of an object hold that are numbers. */
    private static List<Object> numbersOf(Object object) throws IllegalAccessException {
        List<Object> found = new ArrayList<>();
        for (Field field : object.getClass().getDeclaredFields()) {
            if (field.getType() == int.class && !Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                found.add(field.getInt(object));
            }
        }
        return found;
    }

    private static Object[] with(Object[] some, Object... more) {
        Object[] all = java.util.Arrays.copyOf(some, some.length + more.length);
        System.arraycopy(more, 0, all, some.length, more.length);
        return all;
    }

    /** What a part of a contract says; null if there is no such part. */
    private Object contract(String name, Object... given) throws Throwable {
        for (Method part : contracts.getDeclaredMethods()) {
            if (part.getName().equals(name)) {
                boolean was = isInContract;
                isInContract = true;
                part.setAccessible(true);
                try {
                    return part.invoke(null, given);
                } catch (InvocationTargetException failed) {
                    throw failed.getCause();
                } finally {
                    isInContract = was;
                }
            }
        }
        return null;
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
        if (object instanceof Collection<?> elements) {
            new ArrayList<Object>(elements).forEach(this::getsHold);
        }
        if (object instanceof Map<?, ?> map) {
            new ArrayList<Object>(map.values()).forEach(this::getsHold);
        }
        if (object instanceof String || object != null && object.getClass() == Object.class) {
            return;
        }
        for (Field field : object == null ? new Field[0] : object.getClass().getDeclaredFields()) {
            if (field.getType() == List.class && !Modifier.isPrivate(field.getModifiers()) && object.getClass().getClassLoader() != null) {
                try {
                    field.setAccessible(true);
                    noteType(field.get(object), field.getGenericType());
                    getsHold(field.get(object));
                } catch (IllegalAccessException denied) {
                    throw new IllegalStateException(denied);
                }
            }
        }
        for (List<Object> list : List.of(seen, handed)) {
            if (object != null && list.stream().noneMatch(known -> known == object)) {
                list.add(object);
            }
        }
    }
}
