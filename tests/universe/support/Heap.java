import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One input of a target, built as a sequence of choices says. A reference is null, what a static field holds, an object that
 * was made before, under whatever type, or a new one; objects are filled in the order in which they were made. So two heaps
 * that differ only in the names of their objects come from the same choices, and every input appears once.
 */
final class Heap {
    final Object receiver;
    final Object[] arguments;
    /** Receiver, arguments and static fields by name, for drawings. */
    final Map<String, Object> roots = new LinkedHashMap<>();

    private final Universe universe;
    private final Choices choices;
    private final List<Object> objects = new ArrayList<>();
    /** Under which name each object was found: the domain of an array's elements depends on it. */
    private final List<String> names = new ArrayList<>();
    /** The types of the places that hold each object. */
    private final List<List<Class<?>>> places = new ArrayList<>();
    private final Map<Class<?>, Integer> counts = new HashMap<>();

    /** The choices lead to no input: a place must not be null and there is no room for an object, or no program can make it. */
    static final class NoRoom extends RuntimeException {
        NoRoom() {
            super(null, null, false, false);
        }
    }

    Heap(Universe universe, Method target, Choices choices) throws Exception {
        this.universe = universe;
        this.choices = choices;
        if (Modifier.isStatic(target.getModifiers())) {
            receiver = null;
        } else {
            List<Class<?>> classes = universe.receivers(target);
            Class<?> chosen = classes.get(choices.among(classes.size()));
            receiver = add(Universe.make(chosen), target.getDeclaringClass(), "this");
            roots.put("this", receiver);
        }
        Parameter[] parameters = target.getParameters();
        arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            arguments[i] = value(parameters[i].getType(), parameters[i].getName(), true);
            roots.put(parameters[i].getName(), arguments[i]);
        }
        for (Field field : universe.statics) {
            Object value = value(field.getType(), field.getName(), true);
            field.set(null, value);
            roots.put("static " + field.getName(), value);
        }
        for (int i = 0; i < objects.size(); i++) {
            fill(objects.get(i), names.get(i));
        }
        for (Object object : objects) {
            if (object.getClass().isRecord() && isCyclic(object, new ArrayList<>())) {
                throw new NoRoom();
            }
        }
    }

    /** Is a record among its components, or theirs? No constructor could make it so. */
    private boolean isCyclic(Object record, List<Object> above) throws IllegalAccessException {
        if (above.stream().anyMatch(known -> known == record)) {
            return true;
        }
        above.add(record);
        for (Field field : universe.fields(record.getClass())) {
            Object component = field.get(record);
            if (component != null && component.getClass().isRecord() && isCyclic(component, above)) {
                return true;
            }
        }
        above.remove(above.size() - 1);
        return false;
    }

    private void fill(Object object, String name) throws Exception {
        Class<?> type = object.getClass();
        if (type.isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                Array.set(object, i, value(type.getComponentType(), name + "[]", true));
            }
        } else {
            for (Field field : universe.fields(type)) {
                // No constructor of an inner class leaves out the outer object.
                boolean mayBeNull = !field.isSynthetic();
                Universe.set(object, field, value(field.getType(), field.getName(), mayBeNull));
            }
        }
    }

    private Object value(Class<?> type, String name, boolean mayBeNull) throws Exception {
        if (type.isPrimitive()) {
            List<Object> values = universe.domain.primitives(type, name);
            return values.get(choices.among(values.size()));
        }
        List<Object> options = new ArrayList<>();
        if (mayBeNull) {
            options.add(null);
        }
        for (Object object : universe.held) {
            if (type.isInstance(object)) {
                options.add(object);
            }
        }
        int held = options.size();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            if (type.isInstance(objects.get(i)) && (places.get(i).contains(type) || hasRoom(type))) {
                options.add(objects.get(i));
                numbers.add(i);
            }
        }
        int old = options.size();
        boolean hasRoom = objects.size() < universe.objects && hasRoom(type);
        for (Object kind : universe.kinds(type)) {
            if (kind instanceof Enum || hasRoom && hasRoomFor(kind, type)) {
                options.add(kind);
            }
        }
        if (hasRoom) {
            options.addAll(universe.values(type, name));
        }
        if (options.isEmpty()) {
            throw new NoRoom();
        }
        int choice = choices.among(options.size());
        Object chosen = options.get(choice);
        if (choice < held || chosen instanceof Enum) {
            return chosen;
        }
        if (choice < old) {
            int number = numbers.get(choice - held);
            if (!places.get(number).contains(type)) {
                places.get(number).add(type);
                count(type);
            }
            return chosen;
        }
        return add(Universe.make(chosen), type, name);
    }

    /** May one more object be found at places of this type? */
    private boolean hasRoom(Class<?> type) {
        return counts.getOrDefault(type, 0) < universe.scope;
    }

    private boolean hasRoomFor(Object kind, Class<?> declared) {
        if (kind instanceof Class<?> type) {
            return universe.countedAs(type).stream().allMatch(counted -> counted == declared || hasRoom(counted));
        }
        return true;
    }

    private void count(Class<?> type) {
        counts.merge(type, 1, Integer::sum);
    }

    /** An object counts for its class and those above, and for the types of the places that hold it: once for each. */
    private Object add(Object object, Class<?> declared, String name) {
        List<Class<?>> types = new ArrayList<>(universe.countedAs(object.getClass()));
        if (!types.contains(declared)) {
            types.add(declared);
        }
        types.forEach(this::count);
        objects.add(object);
        names.add(name);
        places.add(types);
        return object;
    }
}
