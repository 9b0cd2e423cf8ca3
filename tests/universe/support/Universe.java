import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jdk.internal.misc.Unsafe;

/**
 * Which objects may be at a place of some type? Known from reflection on the classes of a fixture, and from the comments at the
 * top of its source file, which the test <code>universe</code> explains.
 */
final class Universe {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    final Class<?> outermost;
    final List<Method> targets = new ArrayList<>();
    final boolean countsShapes;
    /** Fields that the invariant does not read in every valid object: objects are not numbered over them. */
    final Set<String> unread;
    /** At most so many input objects of one class, and of one declared type; the longest array and string. */
    final int scope;
    /** At most so many input objects in all. */
    final int objects;
    /** At most so many inputs are tried. */
    final int most;
    final Domain domain;
    /** Static fields that may hold anything. */
    final List<Field> statics = new ArrayList<>();
    /** What other static fields hold: a place of the input may hold it too. */
    final List<Object> held = new ArrayList<>();

    final List<Class<?>> classes = new ArrayList<>();
    /** Does some class have type variables? */
    boolean hasVariables;
    /** Classes of the JDK, and arrays, that a place of a wider type may hold. */
    private final Set<Class<?>> wide = new LinkedHashSet<>();
    /** Interfaces that an object of some other class may implement. */
    private final Set<Class<?>> interfaces = new LinkedHashSet<>();
    private final List<String> header = new ArrayList<>();
    private final String file;
    /** Static fields that every run finds as the class initialiser left them, and what they held then. */
    private final Map<Field, Object> initial = new HashMap<>();
    /** The objects behind them, each with its contents. */
    private final Map<Object, Object[]> contents = new IdentityHashMap<>();
    private final Map<Class<?>, List<Field>> fields = new HashMap<>();
    private final Map<Class<?>, List<Object>> kinds = new HashMap<>();
    private final Map<Class<?>, Method> invariants = new HashMap<>();

    /** A class with a length. */
    record ArrayKind(Class<?> component, int length) {}

    /** An object of some other class, that is of this type. */
    record OtherKind(Class<?> type) {}

    Universe(Path source, Path directory) throws Exception {
        file = source.getFileName().toString();
        readHeader(source);
        scope = Integer.parseInt(directive("scope", "2"));
        objects = Integer.parseInt(directive("objects", "1000"));
        most = Integer.parseInt(directive("most", "1000000"));
        domain = new Domain(directive("domain", "int 0 1 7; string a"), scope);
        URL[] urls = {directory.toUri().toURL()};
        URLClassLoader loader = new URLClassLoader(urls, Universe.class.getClassLoader());
        loader.setDefaultAssertionStatus(true);
        String[] names = directory.toFile().list();
        Arrays.sort(names);
        for (String name : names) {
            classes.add(Class.forName(name.substring(0, name.length() - ".class".length()), true, loader));
        }
        hasVariables = classes.stream().anyMatch(loaded -> loaded.getTypeParameters().length > 0);
        for (String name : directive("wide", "String Integer Double int[] Object[] String[]").split("\\s+")) {
            wide.add(named(name, loader));
        }
        unread = Set.of(directive("unread", "").split("\\s+"));
        countsShapes = !directive("shapes", "").isEmpty();
        outermost = loader.loadClass(file.substring(0, file.length() - ".java".length()));
        findTargets();
        hasVariables |= targets.stream().anyMatch(target -> target.getTypeParameters().length > 0);
        for (Class<?> loaded : classes) {
            for (Field field : loaded.getDeclaredFields()) {
                addPlace(field.getGenericType());
            }
        }
        for (Method target : targets) {
            for (Type type : target.getGenericParameterTypes()) {
                addPlace(type);
            }
        }
        for (Class<?> loaded : classes) {
            for (Field field : loaded.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !field.isEnumConstant()) {
                    addStatic(field);
                }
            }
        }
    }

    private void readHeader(Path source) throws IOException {
        for (String line : Files.readAllLines(source)) {
            if (!line.startsWith("//")) {
                break;
            }
            header.add(line.substring(2).strip());
        }
    }

    private String directive(String name, String otherwise) {
        for (String line : header) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return otherwise;
    }

    /** The class of a fixture, of java.lang, a primitive one, or an array of these. */
    private Class<?> named(String name, ClassLoader loader) throws ClassNotFoundException {
        if (name.endsWith("[]")) {
            return named(name.substring(0, name.length() - 2), loader).arrayType();
        }
        for (Class<?> primitive : List.of(boolean.class, byte.class, short.class, char.class, int.class, long.class,
                float.class, double.class)) {
            if (primitive.getName().equals(name)) {
                return primitive;
            }
        }
        for (Class<?> loaded : classes) {
            if (loaded.getSimpleName().equals(name)) {
                return loaded;
            }
        }
        return Class.forName(name.contains(".") ? name : "java.lang." + name, true, loader);
    }

    /** The public methods of the outermost class, or those that the fixture names: <code>Nested.method</code>. */
    private void findTargets() {
        List<String> chosen = List.of(directive("targets", "").split("\\s+"));
        for (Class<?> loaded : classes) {
            for (Method method : loaded.getDeclaredMethods()) {
                boolean isPublic = loaded == outermost && Modifier.isPublic(method.getModifiers());
                boolean isChosen = chosen.contains(loaded.getSimpleName() + "." + method.getName());
                boolean isPlain = !method.isSynthetic() && !method.getName().equals("repOK");
                if (isPlain && (chosen.equals(List.of("")) ? isPublic : isChosen)) {
                    method.setAccessible(true);
                    targets.add(method);
                }
            }
        }
        if (targets.isEmpty() && !countsShapes) {
            throw new IllegalArgumentException(file + " has no target");
        }
        targets.sort((one, other) -> one.getName().compareTo(other.getName()));
    }

    /** What one place may hold, another of a wider type may hold too. */
    private void addPlace(Type place) {
        Class<?> type = Library.erased(place);
        if (place instanceof ParameterizedType with) {
            for (Type argument : with.getActualTypeArguments()) {
                addPlace(argument);
            }
        }
        if (Library.has(type)) {
            return;
        }
        if (type.isArray()) {
            wide.add(type);
            addPlace(type.getComponentType());
        } else if (type == String.class || unboxed(type) != null && !type.isPrimitive()) {
            wide.add(type);
        } else if (isOpen(type)) {
            interfaces.add(type);
        }
    }

    /** May other classes implement it? */
    private static boolean isOpen(Class<?> type) {
        return type == Object.class || type.isInterface() && !type.isSealed() && !type.isAnnotation();
    }

    private void addStatic(Field field) throws IllegalAccessException {
        field.setAccessible(true);
        Object value = field.get(null);
        Class<?> type = field.getType();
        boolean isFinal = Modifier.isFinal(field.getModifiers());
        boolean isUnset = type.isPrimitive() ? isZero(value) : value == null;
        if (!isFinal && isUnset) {
            statics.add(field);
            return;
        }
        if (!isFinal) {
            initial.put(field, value);
        }
        // Literals and small boxes are shared with the whole JVM: inputs are never these.
        boolean isShared = value instanceof String || value != null && unboxed(value.getClass()) != null;
        if (!type.isPrimitive() && value != null && !isShared && !(value instanceof Enum)) {
            if (held.stream().noneMatch(known -> known == value)) {
                held.add(value);
            }
            remember(value);
        }
    }

    private static boolean isZero(Object value) {
        return value instanceof Number number && number.doubleValue() == 0 || value.equals(false) || value.equals('\0');
    }

    /** Keeps what is in an object that a static field holds, and in those behind it. */
    private void remember(Object object) throws IllegalAccessException {
        if (object == null || contents.containsKey(object)) {
            return;
        }
        Object[] values;
        if (object.getClass().isArray()) {
            values = new Object[Array.getLength(object)];
            Arrays.setAll(values, i -> Array.get(object, i));
        } else {
            List<Field> all = fields(object.getClass());
            values = new Object[all.size()];
            for (int i = 0; i < values.length; i++) {
                values[i] = all.get(i).get(object);
            }
        }
        contents.put(object, values);
        for (Object value : values) {
            remember(value);
        }
    }

    /** Makes static fields, and what is behind them, as they were when their classes were initialised. */
    void reset() throws IllegalAccessException {
        for (Map.Entry<Field, Object> field : initial.entrySet()) {
            field.getKey().set(null, field.getValue());
        }
        for (Map.Entry<Object, Object[]> kept : contents.entrySet()) {
            Object object = kept.getKey();
            Object[] values = kept.getValue();
            List<Field> all = fields(object.getClass());
            for (int i = 0; i < values.length; i++) {
                if (object.getClass().isArray()) {
                    Array.set(object, i, values[i]);
                } else if (!Modifier.isFinal(all.get(i).getModifiers())) {
                    all.get(i).set(object, values[i]);
                }
            }
        }
    }

    /**
     * What the receiver may be: a class of which to make one, which inherits the target if there is one; or an object that is there,
     * a constant of an enumeration or one that a static field holds.
     */
    List<Object> receivers(Class<?> declaring, Method target) {
        List<Object> all = new ArrayList<>();
        for (Class<?> candidate : classes) {
            if (isConcrete(candidate) && declaring.isAssignableFrom(candidate)
                    && (target == null || runs(candidate, target))) {
                all.add(candidate);
            }
        }
        List<Object> there = new ArrayList<>(held);
        if (declaring.isEnum()) {
            Collections.addAll(there, declaring.getEnumConstants());
        }
        for (Object object : there) {
            if (target != null && declaring.isInstance(object) && runs(object.getClass(), target)) {
                all.add(object);
            }
        }
        return all;
    }

    private static boolean runs(Class<?> receiver, Method target) {
        for (Class<?> type = receiver; type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(target.getName())
                        && Arrays.equals(method.getParameterTypes(), target.getParameterTypes())) {
                    return method.equals(target);
                }
            }
        }
        return target.getDeclaringClass().isInterface();
    }

    private static boolean isConcrete(Class<?> type) {
        return !type.isInterface() && !type.isEnum() && !Modifier.isAbstract(type.getModifiers())
                && !Enum.class.isAssignableFrom(type) && !Throwable.class.isAssignableFrom(type);
    }

    /** The kinds of new objects at a place of this type; enumeration constants stand for themselves. Strings and boxes are left out. */
    List<Object> kinds(Class<?> type) {
        return kinds.computeIfAbsent(type, ignored -> {
            List<Object> all = new ArrayList<>();
            for (Class<?> candidate : classes) {
                if (type.isAssignableFrom(candidate) && isConcrete(candidate)) {
                    all.add(candidate);
                }
                if (type.isAssignableFrom(candidate) && candidate.isEnum()) {
                    Collections.addAll(all, candidate.getEnumConstants());
                }
                if (type.isArray() && type.isAssignableFrom(candidate.arrayType())) {
                    addArrays(all, candidate);
                }
            }
            for (Class<?> candidate : wide) {
                if (type.isAssignableFrom(candidate) && candidate.isArray()) {
                    addArrays(all, candidate.getComponentType());
                }
            }
            if (type.isArray()) {
                addArrays(all, type.getComponentType());
            }
            all.addAll(Library.kinds(type, scope));
            for (Class<?> candidate : interfaces) {
                if (type.isAssignableFrom(candidate)) {
                    all.add(new OtherKind(candidate));
                }
            }
            return all;
        });
    }

    private void addArrays(List<Object> all, Class<?> component) {
        for (int length = 0; length <= scope; length++) {
            ArrayKind kind = new ArrayKind(component, length);
            if (!all.contains(kind)) {
                all.add(kind);
            }
        }
    }

    /** The strings and boxes that a place of this type may hold, as kinds of new ones. */
    List<Object> values(Class<?> type, String name) {
        List<Object> all = new ArrayList<>();
        for (Class<?> candidate : wide) {
            if (type.isAssignableFrom(candidate) && candidate == String.class) {
                all.addAll(domain.strings(name));
            } else if (type.isAssignableFrom(candidate) && unboxed(candidate) != null) {
                all.addAll(domain.primitives(unboxed(candidate), name));
            }
        }
        return all;
    }

    /** Makes an object of a kind; its fields and elements are still to be set. */
    static Object make(Object kind) throws Exception {
        if (kind instanceof Class<?> type) {
            return UNSAFE.allocateInstance(type);
        }
        if (kind instanceof ArrayKind array) {
            return Array.newInstance(array.component, array.length);
        }
        if (kind instanceof Library.Kind library) {
            return Library.make(library);
        }
        if (kind instanceof OtherKind other) {
            return Unknown.of(other.type);
        }
        if (kind instanceof String text) {
            return new String(text);
        }
        // The constructor makes an object of its own, unlike valueOf.
        return kind.getClass().getConstructor(unboxed(kind.getClass())).newInstance(kind);
    }

    /** The fixture's classes of which an object is: it counts against the scope of each. */
    List<Class<?>> countedAs(Class<?> type) {
        List<Class<?>> all = new ArrayList<>();
        all.add(type);
        for (Class<?> above = type.getSuperclass(); above != null && classes.contains(above); above = above.getSuperclass()) {
            all.add(above);
        }
        return all;
    }

    /** Instance fields that are of the fixture, those of superclasses first. */
    List<Field> fields(Class<?> type) {
        List<Field> known = fields.get(type);
        if (known != null) {
            return known;
        }
        List<Field> all = new ArrayList<>();
        if (type.getClassLoader() instanceof URLClassLoader && !java.lang.reflect.Proxy.isProxyClass(type)
                && !Enum.class.isAssignableFrom(type)) {
            all.addAll(fields(type.getSuperclass()));
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    field.setAccessible(true);
                    all.add(field);
                }
            }
        }
        fields.put(type, all);
        return all;
    }

    /** Sets a field, also that of a record, which reflection refuses. */
    static void set(Object object, Field field, Object value) throws IllegalAccessException {
        if (!object.getClass().isRecord()) {
            field.set(object, value);
            return;
        }
        long offset = UNSAFE.objectFieldOffset(field);
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            UNSAFE.putReference(object, offset, value);
        } else if (type == int.class) {
            UNSAFE.putInt(object, offset, (Integer) value);
        } else if (type == long.class) {
            UNSAFE.putLong(object, offset, (Long) value);
        } else if (type == boolean.class) {
            UNSAFE.putBoolean(object, offset, (Boolean) value);
        } else if (type == char.class) {
            UNSAFE.putChar(object, offset, (Character) value);
        } else if (type == byte.class) {
            UNSAFE.putByte(object, offset, (Byte) value);
        } else if (type == short.class) {
            UNSAFE.putShort(object, offset, (Short) value);
        } else if (type == float.class) {
            UNSAFE.putFloat(object, offset, (Float) value);
        } else {
            UNSAFE.putDouble(object, offset, (Double) value);
        }
    }

    /** Does the invariant hold, if objects of this type have one? One that throws does not. */
    boolean isValid(Class<?> type, Object object) throws IllegalAccessException {
        if (!invariants.containsKey(type)) {
            invariants.put(type, invariant(type));
        }
        Method invariant = invariants.get(type);
        try {
            return invariant == null || (Boolean) invariant.invoke(object);
        } catch (InvocationTargetException thrown) {
            return false;
        }
    }

    private Method invariant(Class<?> type) {
        for (Class<?> above = type; above != null && classes.contains(above); above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                if (method.getName().equals("repOK") && method.getParameterCount() == 0
                        && method.getReturnType() == boolean.class && !Modifier.isStatic(method.getModifiers())) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        return null;
    }

    /** The innermost line of the fixture in a stack trace. */
    int lineOf(Throwable thrown) {
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (file.equals(frame.getFileName())) {
                return frame.getLineNumber();
            }
        }
        return 0;
    }

    static Class<?> unboxed(Class<?> type) {
        Class<?> primitive = java.lang.invoke.MethodType.methodType(type).unwrap().returnType();
        return primitive == type || primitive == void.class ? null : primitive;
    }
}
