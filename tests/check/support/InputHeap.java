import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.List;
import sun.misc.Unsafe;

/**
 * One input of a target, built as a sequence of choices says. A reference is null, or an object that was made before, or a
 * new one; objects are filled in the order in which they were made. So two heaps that differ only in the names of their
 * objects come from the same choices, and every input appears once.
 */
final class InputHeap {
    private static final Unsafe UNSAFE = unsafe();

    final Object receiver;
    final Object[] arguments;
    /** Every object of the input in the order in which it was found. */
    final List<Object> objects = new ArrayList<>();

    private final Fixture fixture;
    private final Choices choices;
    /** Under which name each object was found: the domain of an array's elements depends on it. */
    private final List<String> names = new ArrayList<>();
    /** The declared type of the place where each object was found: that is where it counts against the scope. */
    private final List<Class<?>> types = new ArrayList<>();

    /** Static fields are inputs too: they are written. */
    InputHeap(Fixture fixture, Choices choices) throws Exception {
        this.fixture = fixture;
        this.choices = choices;
        Class<?> declaring = fixture.target.getDeclaringClass();
        receiver = fixture.hasReceiver() ? add(UNSAFE.allocateInstance(declaring), declaring, "this") : null;
        Parameter[] parameters = fixture.target.getParameters();
        arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = value(parameters[i].getType(), parameters[i].getName());
        }
        for (Field field : fixture.statics) {
            field.set(null, value(field.getType(), field.getName()));
        }
        for (int i = 0; i < objects.size(); i++) {
            fill(objects.get(i), names.get(i));
        }
    }

    private void fill(Object object, String name) throws Exception {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                Array.set(object, i, value(type.getComponentType(), name + "[]"));
            }
        } else if (!(object instanceof Enum)) {
            for (Field field : Fixture.fields(type)) {
                field.set(object, value(field.getType(), field.getName()));
            }
        }
    }

    private Object value(Class<?> type, String name) throws Exception {
        if (type.isPrimitive()) {
            List<Object> values = fixture.domain.primitives(type, name);
            return values.get(choices.among(values.size()));
        }
        List<Object> options = new ArrayList<>();
        options.add(null);
        if (type.isEnum()) {
            options.addAll(List.of(type.getEnumConstants()));
            Object constant = options.get(choices.among(options.size()));
            return constant == null || isKnown(constant) ? constant : add(constant, type, name);
        }
        for (Object object : objects) {
            if (type.isInstance(object)) {
                options.add(object);
            }
        }
        int old = options.size();
        if (objects.size() < fixture.objects && hasRoom(type)) {
            addNew(options, type, name);
        }
        int choice = choices.among(options.size());
        Object chosen = options.get(choice);
        return choice < old ? chosen : add(make(chosen), type, name);
    }

    /** What a new object may be: a class with a length of it, or the value of a string or of a box. */
    private void addNew(List<Object> options, Class<?> type, String name) {
        if (type == String.class) {
            options.addAll(fixture.domain.strings(name));
        } else if (unboxed(type) != null) {
            options.addAll(fixture.domain.primitives(unboxed(type), name));
        } else if (type.isArray()) {
            for (Class<?> component : components(type.getComponentType())) {
                for (int length = 0; length <= fixture.longest; length++) {
                    options.add(new ArrayKind(component, length));
                }
            }
        } else {
            for (Class<?> candidate : fixture.classes) {
                if (type.isAssignableFrom(candidate)) {
                    options.add(candidate);
                }
            }
        }
    }

    /** An array of a class may in truth be one of a subclass. */
    private List<Class<?>> components(Class<?> declared) {
        List<Class<?>> all = new ArrayList<>();
        all.add(declared);
        for (Class<?> candidate : fixture.classes) {
            if (!declared.isPrimitive() && candidate != declared && declared.isAssignableFrom(candidate)) {
                all.add(candidate);
            }
        }
        return all;
    }

    private Object make(Object kind) throws Exception {
        if (kind instanceof Class) {
            return UNSAFE.allocateInstance((Class<?>) kind);
        }
        if (kind instanceof ArrayKind) {
            return Array.newInstance(((ArrayKind) kind).component, ((ArrayKind) kind).length);
        }
        if (kind instanceof String) {
            return new String((String) kind);
        }
        // The constructor makes an object of its own, unlike valueOf.
        Constructor<?> constructor = kind.getClass().getConstructor(unboxed(kind.getClass()));
        return constructor.newInstance(kind);
    }

    private Object add(Object object, Class<?> type, String name) {
        objects.add(object);
        types.add(type);
        names.add(name);
        return object;
    }

    private boolean isKnown(Object object) {
        return objects.stream().anyMatch(known -> known == object);
    }

    private boolean hasRoom(Class<?> type) {
        return types.stream().filter(known -> known == type).count() < fixture.scope;
    }

    static Class<?> unboxed(Class<?> type) {
        if (type == Integer.class) {
            return int.class;
        }
        if (type == Long.class) {
            return long.class;
        }
        if (type == Character.class) {
            return char.class;
        }
        return type == Boolean.class ? boolean.class : null;
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static final class ArrayKind {
        final Class<?> component;
        final int length;

        ArrayKind(Class<?> component, int length) {
            this.component = component;
            this.length = length;
        }
    }
}
