import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

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
    /** What each object counts as: its classes, and the types of the places that hold it. */
    private final List<List<Class<?>>> counted = new ArrayList<>();
    /** The type of the place where each object was found. */
    private final List<Class<?>> types = new ArrayList<>();
    /** The same with its arguments. */
    private final List<Type> generics = new ArrayList<>();
    /** The types of all the places that hold each object. */
    private final List<List<Type>> places = new ArrayList<>();
    /** How many elements each object of the library gets. */
    private final List<Integer> sizes = new ArrayList<>();
    /** The objects that have their contents. */
    private final List<Integer> filled = new ArrayList<>();
    private final Map<Class<?>, Integer> counts = new HashMap<>();

    /** The choices lead to no input: a place must not be null and there is no room for an object, or no program can make it. */
    static final class NoRoom extends RuntimeException {
        NoRoom() {
            super(null, null, false, false);
        }
    }

    /** An input of a method. */
    Heap(Universe universe, Method target, Choices choices) throws Exception {
        this(universe, choices, Modifier.isStatic(target.getModifiers()) ? null : target.getDeclaringClass(), target);
    }

    /** An object alone. */
    Heap(Universe universe, Class<?> type, Choices choices) throws Exception {
        this(universe, choices, type, null);
    }

    private Heap(Universe universe, Choices choices, Class<?> declaring, Method target) throws Exception {
        this.universe = universe;
        this.choices = choices;
        if (declaring == null) {
            receiver = null;
        } else {
            List<Object> options = universe.receivers(declaring, target);
            Object chosen = options.get(choices.among(options.size()));
            receiver = chosen instanceof Class<?> kind ? add(Universe.make(kind), declaring, declaring, "this") : chosen;
            roots.put("this", receiver);
        }
        Parameter[] parameters = target == null ? new Parameter[0] : target.getParameters();
        arguments = new Object[parameters.length];
        for (int i = 0; i < parameters.length; i++) {
            Class<?> type = parameters[i].getType();
            arguments[i] = value(type, type, parameters[i].getParameterizedType(), parameters[i].getName(), true);
            roots.put(parameters[i].getName(), arguments[i]);
        }
        for (Field field : universe.statics) {
            Object value = value(field.getType(), field.getType(), field.getGenericType(), field.getName(), true);
            field.set(null, value);
            roots.put("static " + field.getName(), value);
        }
        for (int i = 0; i < objects.size(); i++) {
            fill(i);
        }
        if (universe.hasVariables && !isWellTyped()) {
            throw new NoRoom();
        }
        for (Object object : objects) {
            if (object.getClass().isRecord() && (isCyclic(object, new ArrayList<>()) || isRefused(object))) {
                throw new NoRoom();
            }
        }
    }

    /** Does the canonical constructor throw on the components? No other constructor could make the record then, unless this one changes what it gets. */
    private boolean isRefused(Object record) throws Exception {
        List<Field> fields = universe.fields(record.getClass());
        Object[] components = new Object[fields.size()];
        for (int i = 0; i < components.length; i++) {
            components[i] = fields.get(i).get(record);
        }
        Class<?>[] types = fields.stream().map(Field::getType).toArray(Class<?>[]::new);
        Constructor<?> canonical = record.getClass().getDeclaredConstructor(types);
        canonical.setAccessible(true);
        try {
            canonical.newInstance(components);
            return false;
        } catch (InvocationTargetException thrown) {
            return true;
        }
    }

    /** Does every object hold what the type arguments of all the places say where it was found? */
    private boolean isWellTyped() throws IllegalAccessException {
        for (int i = 0; i < objects.size(); i++) {
            Object object = objects.get(i);
            List<Type> found = places.get(i);
            for (int j = 0; j < found.size(); j++) {
                if (!Generics.fits(object.getClass(), found.get(j))) {
                    return false;
                }
                for (int k = 0; k < j; k++) {
                    if (!Generics.fitBoth(object.getClass(), found.get(j), found.get(k))) {
                        return false;
                    }
                }
                for (Field field : universe.fields(object.getClass())) {
                    Type declared = Generics.fieldType(field.getGenericType(), object.getClass(), found.get(j));
                    Object value = field.getType().isPrimitive() ? null : field.get(object);
                    boolean isVariable = field.getGenericType() instanceof TypeVariable<?>;
                    if (value != null && (isVariable && !Library.erased(declared).isInstance(value)
                            || !Generics.fits(value.getClass(), declared))) {
                        return false;
                    }
                }
            }
        }
        return true;
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

    private void fill(int number) throws Exception {
        if (filled.contains(number)) {
            return;
        }
        filled.add(number);
        Object object = objects.get(number);
        Class<?> type = object.getClass();
        if (Library.kinds(type, 0).size() > 0) {
            fillLibrary(number);
        } else if (type.isArray()) {
            Class<?> found = types.get(number);
            // Where an array was found as an Object[], or as an Object, its elements are Objects, whatever the array says.
            Class<?> declared = found.isArray() ? found.getComponentType() : Object.class;
            Type element = generics.get(number) instanceof GenericArrayType with ? with.getGenericComponentType() : declared;
            // An array of elements of a type variable is made as one of its bound.
            Class<?> least = Library.erased(element);
            Class<?> kept = type.getComponentType().isAssignableFrom(least) ? least : type.getComponentType();
            Class<?> seen = declared.isAssignableFrom(least) ? least : declared;
            for (int i = 0; i < Array.getLength(object); i++) {
                Array.set(object, i, value(kept, seen, element, names.get(number) + "[]", true));
            }
        } else {
            for (Field field : universe.fields(type)) {
                // No constructor of an inner class leaves out the outer object.
                boolean mayBeNull = !field.isSynthetic();
                Type declared = Generics.fieldType(field.getGenericType(), type, generics.get(number));
                Class<?> kept = field.getGenericType() instanceof TypeVariable<?> ? Library.erased(declared) : field.getType();
                Universe.set(object, field, value(kept, kept, declared, field.getName(), mayBeNull));
            }
        }
    }

    /** Adds the elements of an object of the library. Keys are whole before they are put into a map. */
    private void fillLibrary(int number) throws Exception {
        Object object = objects.get(number);
        Class<?> made = object.getClass();
        String name = names.get(number);
        for (int i = 0; i < sizes.get(number); i++) {
            Object element = element(number, 0, name + "[]", Library.takesNull(made));
            int known = indexOf(element);
            if (Library.looksAtElements(made) && known >= 0) {
                fill(known);
            }
            Object value = object instanceof Map<?, ?> ? element(number, 1, name + "{}", true) : null;
            if (!Library.add(object, element, value)) {
                throw new NoRoom();
            }
        }
    }

    private Object element(int number, int at, String name, boolean mayBeNull) throws Exception {
        Type type = Library.argument(generics.get(number), at);
        return value(Library.erased(type), Library.erased(type), type, name, mayBeNull);
    }

    private int indexOf(Object object) {
        for (int i = 0; i < objects.size(); i++) {
            if (objects.get(i) == object) {
                return i;
            }
        }
        return -1;
    }

    /** A value of this type, which counts as of the declared type too. */
    private Object value(Class<?> type, Class<?> declared, Type generic, String name, boolean mayBeNull)
            throws Exception {
        if (type.isPrimitive()) {
            List<Object> values = universe.domain.primitives(type, name);
            return values.get(choices.among(values.size()));
        }
        List<Object> options = new ArrayList<>();
        if (mayBeNull) {
            options.add(null);
        }
        for (Object object : universe.held) {
            if (type.isInstance(object) && Generics.fits(object.getClass(), generic)) {
                options.add(object);
            }
        }
        int held = options.size();
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < objects.size(); i++) {
            if (type.isInstance(objects.get(i)) && Library.fits(generics.get(i), generic)
                    && hasRoom(List.of(type, declared), counted.get(i))) {
                options.add(objects.get(i));
                numbers.add(i);
            }
        }
        int old = options.size();
        boolean hasRoom = objects.size() < universe.objects && hasRoom(List.of(type, declared), List.of());
        for (Object kind : universe.kinds(type)) {
            boolean isClass = kind instanceof Class<?>;
            if (isClass && !Generics.fits((Class<?>) kind, generic)) {
                continue;
            }
            if (kind instanceof Enum || hasRoom && (!isClass || hasRoom(universe.countedAs((Class<?>) kind), List.of()))) {
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
            places.get(number).add(generic);
            count(number, type);
            count(number, declared);
            return chosen;
        }
        if (chosen instanceof Library.Kind library && Library.isMadeLast(library.made())) {
            List<Object> contents = new ArrayList<>();
            for (int at = 0; at < library.size(); at++) {
                for (Type element : Library.contents(library.made(), generic)) {
                    Class<?> erased = Library.erased(element);
                    contents.add(value(erased, erased, element, name, Library.mayContainNull(library.made())));
                }
            }
            Object whole = Library.make(library.made(), generic, contents);
            if (whole == null) {
                throw new NoRoom();
            }
            if (indexOf(whole) < 0) {
                add(whole, type, generic, name);
                filled.add(objects.size() - 1);
                if (library.made() != Optional.class) {
                    count(objects.size() - 1, declared);
                }
            }
            return whole;
        }
        Object made = add(Universe.make(chosen), type, generic, name);
        if (chosen instanceof Library.Kind library) {
            sizes.set(objects.size() - 1, library.size());
        }
        count(objects.size() - 1, declared);
        return made;
    }

    /** May one more object count as all of these, beside those that it counts as already? */
    private boolean hasRoom(List<Class<?>> all, List<Class<?>> already) {
        for (Class<?> type : all) {
            if (!already.contains(type) && counts.getOrDefault(type, 0) >= universe.scope) {
                return false;
            }
        }
        return true;
    }

    /** Lets an object count as of this type, once. */
    private void count(int number, Class<?> type) {
        if (!counted.get(number).contains(type)) {
            counted.get(number).add(type);
            counts.merge(type, 1, Integer::sum);
        }
    }

    private Object add(Object object, Class<?> type, Type generic, String name) {
        objects.add(object);
        generics.add(generic);
        places.add(new ArrayList<>(List.of(generic)));
        sizes.add(0);
        names.add(name);
        types.add(type);
        counted.add(new ArrayList<>());
        universe.countedAs(object.getClass()).forEach(above -> count(objects.size() - 1, above));
        count(objects.size() - 1, type);
        return object;
    }
}
