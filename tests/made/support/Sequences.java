import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;

/**
 * Which faults does a method show on objects that calls make? Tries all sequences of at most so many statements (constructors, methods, assignments
 * to fields; nothing that is private) with few arguments, each from a fresh class loader, and then the method on every object that was made.
 * Prints a line "method exception line" for each fault.
 *
 * Usage: Sequences FOLDER FIXTURE CALLS NUMBERS CLASS...; the methods of FIXTURE whose names begin with "check" are the targets. They change nothing, so that
 * they are no statements of a sequence.
 */
public class Sequences {
    static final String[] TEXTS = {null, "", "a", "ab"};

    /** A statement: what is called or assigned to, on which object of the pool, with which arguments. */
    record Statement(int member, int receiver, int[] arguments) {}

    /** An assignment to an element of an array. */
    record Store(Class<?> component, int index) {
        boolean fits(Object array) {
            return array.getClass().getComponentType() == component && index < java.lang.reflect.Array.getLength(array);
        }

        void store(Object array, Object value) {
            java.lang.reflect.Array.set(array, index, value);
        }
    }

    final String folder;
    final String fixture;
    final List<String> classes;
    final int[] numbers;
    final TreeSet<String> faults = new TreeSet<>();
    ClassLoader shared;
    long runs;

    Sequences(String folder, String fixture, int[] numbers, List<String> classes) {
        this.numbers = numbers;
        this.folder = folder;
        this.fixture = fixture;
        this.classes = classes;
    }

    public static void main(String[] words) throws Exception {
        int[] numbers = Arrays.stream(words[3].split(" ")).mapToInt(Integer::parseInt).toArray();
        Sequences all = new Sequences(words[0], words[1], numbers, Arrays.asList(words).subList(4, words.length));
        all.extend(new ArrayList<>(), Integer.parseInt(words[2]));
        all.faults.forEach(System.out::println);
        System.err.println(all.runs + " runs");
    }

    /** The objects that a sequence made, in a world of classes of its own. */
    final class World {
        final List<Object> members = new ArrayList<>();
        final List<Method> targets = new ArrayList<>();
        final List<Object> pool = new ArrayList<>();

        World() throws Exception {
            ClassLoader loader = loader();
            for (String name : classes) {
                Class<?> type = Class.forName(name, true, loader);
                List<Object> own = new ArrayList<>();
                if (!Modifier.isAbstract(type.getModifiers()) && !type.isEnum()) {
                    own.addAll(List.of(type.getDeclaredConstructors()));
                }
                own.addAll(List.of(type.getDeclaredMethods()));
                own.addAll(List.of(type.getDeclaredFields()));
                own.removeIf(member -> !isUsable(member));
                own.sort(Comparator.comparing(Object::toString));
                members.addAll(own);
                for (Method method : type.getDeclaredMethods()) {
                    if (name.equals(fixture) && method.getName().startsWith("check")) {
                        method.setAccessible(true);
                        targets.add(method);
                    }
                }
            }
            for (int index = 0; index < 3; index++) {
                members.add(new Store(int.class, index));
                for (String name : classes) {
                    members.add(new Store(Class.forName(name, true, loader), index));
                }
            }
            // Collections that are handed out may be emptied.
            members.add(java.util.Collection.class.getMethod("clear"));
            members.add(java.util.Map.class.getMethod("clear"));
            targets.sort(Comparator.comparing(Method::toString));
        }

        /** Classes without state of their own are the same in every world. */
        ClassLoader loader() throws Exception {
            if (shared != null) {
                return shared;
            }
            URLClassLoader loader = new URLClassLoader(new java.net.URL[] {new java.io.File(folder).toURI().toURL()}, null);
            loader.setDefaultAssertionStatus(true);
            boolean isStateless = true;
            for (String name : classes) {
                for (Field field : Class.forName(name, true, loader).getDeclaredFields()) {
                    isStateless &= !Modifier.isStatic(field.getModifiers()) || field.isSynthetic() || field.isEnumConstant();
                }
            }
            shared = isStateless ? loader : null;
            return loader;
        }

        boolean isUsable(Object member) {
            int modifiers = ((java.lang.reflect.Member) member).getModifiers();
            boolean isMade = ((java.lang.reflect.Member) member).isSynthetic();
            boolean isConstant = member instanceof Field && Modifier.isFinal(modifiers);
            boolean isTarget = member instanceof Method method
                    && (method.getName().startsWith("check") || method.getDeclaringClass().isEnum());
            ((java.lang.reflect.AccessibleObject) member).setAccessible(true);
            return !Modifier.isPrivate(modifiers) && !Modifier.isAbstract(modifiers) && !isMade && !isConstant && !isTarget;
        }

        /** Executes a statement. False if it throws, and does not say no to its arguments. */
        boolean execute(Statement statement) throws Exception {
            Object member = members.get(statement.member);
            Object receiver = statement.receiver < 0 ? null : pool.get(statement.receiver);
            Object[] arguments = new Object[statement.arguments.length];
            for (int index = 0; index < arguments.length; index++) {
                arguments[index] = values(types(member)[index]).get(statement.arguments[index]);
            }
            if (member instanceof Constructor<?> inner && inner.getDeclaringClass().isMemberClass()
                    && !Modifier.isStatic(inner.getDeclaringClass().getModifiers()) && arguments[0] == null) {
                return false;
            }
            try {
                if (member instanceof Constructor<?> constructor) {
                    hold(constructor.newInstance(arguments));
                } else if (member instanceof Method method) {
                    hold(method.invoke(receiver, arguments));
                } else if (member instanceof Field field) {
                    field.set(receiver, arguments[0]);
                } else {
                    ((Store) member).store(receiver, arguments[0]);
                }
                readable();
                return true;
            } catch (InvocationTargetException thrown) {
                Throwable cause = thrown.getCause();
                boolean isOwn = cause.getClass().getClassLoader() == getClass().getClassLoader();
                boolean refuses = cause instanceof IllegalArgumentException || cause instanceof IllegalStateException
                        || cause instanceof UnsupportedOperationException || cause instanceof java.util.NoSuchElementException
                        || cause instanceof Exception && (isOwn || !(cause instanceof RuntimeException));
                return refuses && member instanceof Method;
            }
        }

        void hold(Object object) {
            boolean isKnown = object == null || pool.stream().anyMatch(known -> known == object);
            boolean isUsed = !isKnown && (classes.contains(object.getClass().getName()) || object.getClass().isArray()
                    || object instanceof java.util.Collection || object instanceof java.util.Map);
            if (isUsed) {
                pool.add(object);
            }
        }

        /** What can be read from fields that are not private is there to be used. */
        void readable() throws Exception {
            for (int index = 0; index < pool.size(); index++) {
                Object object = pool.get(index);
                for (Class<?> type = object.getClass(); type != null && type.getClassLoader() != null; type = type.getSuperclass()) {
                    for (Field field : type.getDeclaredFields()) {
                        if (!Modifier.isPrivate(field.getModifiers()) && !field.getType().isPrimitive()) {
                            field.setAccessible(true);
                            hold(field.get(object));
                        }
                    }
                }
            }
        }

        Class<?>[] types(Object member) {
            if (member instanceof Store store) {
                return new Class<?>[] {store.component};
            }
            return member instanceof Executable code ? code.getParameterTypes() : new Class<?>[] {((Field) member).getType()};
        }

        List<Object> values(Class<?> type) {
            List<Object> values = new ArrayList<>();
            if (type == int.class || type == long.class) {
                for (int number : numbers) {
                    values.add(type == int.class ? (Object) number : (Object) (long) number);
                }
            } else if (type == boolean.class) {
                values.addAll(List.of(false, true));
            } else if (type == String.class) {
                values.addAll(Arrays.asList(TEXTS));
            } else if (type.isEnum()) {
                values.add(null);
                values.addAll(Arrays.asList(type.getEnumConstants()));
            } else {
                values.add(null);
                pool.stream().filter(type::isInstance).forEach(values::add);
            }
            return values;
        }

        /** The statements that may come next. */
        List<Statement> next() {
            List<Statement> statements = new ArrayList<>();
            for (int index = 0; index < members.size(); index++) {
                if (members.get(index) instanceof Store store) {
                    for (int array = 0; array < pool.size(); array++) {
                        if (store.fits(pool.get(array))) {
                            for (int[] arguments : combinations(types(store))) {
                                statements.add(new Statement(index, array, arguments));
                            }
                        }
                    }
                    continue;
                }
                java.lang.reflect.Member member = (java.lang.reflect.Member) members.get(index);
                List<Integer> receivers = new ArrayList<>();
                if (member instanceof Constructor || Modifier.isStatic(member.getModifiers())) {
                    receivers.add(-1);
                } else {
                    for (int object = 0; object < pool.size(); object++) {
                        if (member.getDeclaringClass().isInstance(pool.get(object))) {
                            receivers.add(object);
                        }
                    }
                }
                for (int receiver : receivers) {
                    for (int[] arguments : combinations(types(members.get(index)))) {
                        statements.add(new Statement(index, receiver, arguments));
                    }
                }
            }
            return statements;
        }

        List<int[]> combinations(Class<?>[] types) {
            List<int[]> all = new ArrayList<>(List.of(new int[0]));
            for (Class<?> type : types) {
                List<int[]> longer = new ArrayList<>();
                for (int[] first : all) {
                    for (int last = 0; last < values(type).size(); last++) {
                        int[] both = Arrays.copyOf(first, first.length + 1);
                        both[first.length] = last;
                        longer.add(both);
                    }
                }
                all = longer;
            }
            return all;
        }
    }

    World replay(List<Statement> statements) throws Exception {
        World world = new World();
        for (Statement statement : statements) {
            if (!world.execute(statement)) {
                return null;
            }
        }
        runs++;
        return world;
    }

    void extend(List<Statement> statements, int left) throws Exception {
        World world = replay(statements);
        if (world == null) {
            return;
        }
        target(statements, world);
        if (left == 0) {
            return;
        }
        for (Statement statement : world.next()) {
            statements.add(statement);
            extend(statements, left - 1);
            statements.remove(statements.size() - 1);
        }
    }

    /** Runs every target on every object and arguments that there are. A target may change what it gets, so that each has objects of its own. */
    void target(List<Statement> statements, World sample) throws Exception {
        for (int index = 0; index < sample.targets.size(); index++) {
            Method shown = sample.targets.get(index);
            boolean isStatic = Modifier.isStatic(shown.getModifiers());
            for (int receiver = isStatic ? -1 : 0; receiver < (isStatic ? 0 : sample.pool.size()); receiver++) {
                if (receiver >= 0 && !shown.getDeclaringClass().isInstance(sample.pool.get(receiver))) {
                    continue;
                }
                for (int[] arguments : sample.combinations(shown.getParameterTypes())) {
                    World world = replay(statements);
                    Method target = world.targets.get(index);
                    Object[] given = new Object[arguments.length];
                    for (int position = 0; position < given.length; position++) {
                        given[position] = world.values(target.getParameterTypes()[position]).get(arguments[position]);
                    }
                    try {
                        target.invoke(receiver < 0 ? null : world.pool.get(receiver), given);
                    } catch (InvocationTargetException thrown) {
                        note(target, thrown.getCause());
                    }
                }
            }
        }
    }

    void note(Method target, Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (classes.contains(frame.getClassName())) {
                faults.add(target.getName() + " " + thrown.getClass().getSimpleName() + " " + frame.getLineNumber());
                return;
            }
        }
    }
}
