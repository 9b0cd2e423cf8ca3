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
 * Prints a line "method class line" for each fault.
 *
 * Usage: Sequences FOLDER FIXTURE CALLS CLASS...; the methods of FIXTURE whose names begin with "check" are the targets.
 */
public class Sequences {
    static final int[] NUMBERS = {-1, 0, 1, 2, 3};

    /** A statement: what is called or assigned to, on which object of the pool, with which arguments. */
    record Statement(int member, int receiver, int[] arguments) {}

    final String folder;
    final String fixture;
    final List<String> classes;
    final TreeSet<String> faults = new TreeSet<>();
    long runs;

    Sequences(String folder, String fixture, List<String> classes) {
        this.folder = folder;
        this.fixture = fixture;
        this.classes = classes;
    }

    public static void main(String[] words) throws Exception {
        Sequences all = new Sequences(words[0], words[1], Arrays.asList(words).subList(3, words.length));
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
            URLClassLoader loader = new URLClassLoader(new java.net.URL[] {new java.io.File(folder).toURI().toURL()}, null);
            loader.setDefaultAssertionStatus(true);
            for (String name : classes) {
                Class<?> type = Class.forName(name, true, loader);
                List<Object> own = new ArrayList<>();
                if (!Modifier.isAbstract(type.getModifiers())) {
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
            targets.sort(Comparator.comparing(Method::toString));
        }

        boolean isUsable(Object member) {
            int modifiers = ((java.lang.reflect.Member) member).getModifiers();
            boolean isMade = ((java.lang.reflect.Member) member).isSynthetic();
            boolean isConstant = member instanceof Field && Modifier.isFinal(modifiers);
            ((java.lang.reflect.AccessibleObject) member).setAccessible(true);
            return !Modifier.isPrivate(modifiers) && !Modifier.isAbstract(modifiers) && !isMade && !isConstant;
        }

        /** Executes a statement. False if it throws. */
        boolean execute(Statement statement) throws Exception {
            Object member = members.get(statement.member);
            Object receiver = statement.receiver < 0 ? null : pool.get(statement.receiver);
            Object[] arguments = new Object[statement.arguments.length];
            for (int index = 0; index < arguments.length; index++) {
                arguments[index] = values(types(member)[index]).get(statement.arguments[index]);
            }
            try {
                if (member instanceof Constructor<?> constructor) {
                    hold(constructor.newInstance(arguments));
                } else if (member instanceof Method method) {
                    hold(method.invoke(receiver, arguments));
                } else {
                    ((Field) member).set(receiver, arguments[0]);
                }
                readable();
                return true;
            } catch (InvocationTargetException thrown) {
                return false;
            }
        }

        void hold(Object object) {
            boolean isKnown = object == null || pool.stream().anyMatch(known -> known == object);
            if (!isKnown && (classes.contains(object.getClass().getName()) || object.getClass().isArray())) {
                pool.add(object);
            }
        }

        /** What can be read from fields that are not private is there to be used. */
        void readable() throws Exception {
            for (int index = 0; index < pool.size(); index++) {
                Object object = pool.get(index);
                for (Class<?> type = object.getClass(); type != null && type != Object.class; type = type.getSuperclass()) {
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
            return member instanceof Executable code ? code.getParameterTypes() : new Class<?>[] {((Field) member).getType()};
        }

        List<Object> values(Class<?> type) {
            List<Object> values = new ArrayList<>();
            if (type == int.class) {
                for (int number : NUMBERS) {
                    values.add(number);
                }
            } else if (type == boolean.class) {
                values.addAll(List.of(false, true));
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
                faults.add(target.getName() + " " + thrown.getClass().getName() + " " + frame.getLineNumber());
                return;
            }
        }
    }
}
