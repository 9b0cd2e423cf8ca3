import java.io.PrintWriter;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes heaps in a form that is easy to read for a program. A heap is <code>roots;object;object</code>, an object is the number
 * of its class and its fields, elements or characters; values are <code>n</code> (null), <code>@3</code> (an object by its
 * index), <code>i7</code>, <code>l7</code>, <code>f</code> and <code>d</code> with the bits in hexadecimal.
 */
final class Printer {
    private final PrintWriter out;
    private final Map<Class<?>, Integer> classes = new LinkedHashMap<>();
    private final Map<Class<?>, List<Field>> fields = new LinkedHashMap<>();

    Printer(PrintWriter out) {
        this.out = out;
    }

    /** The objects that are numbered already, in this order, come first; others follow as they are found. */
    String heap(List<Object> numbered, Object[] roots) throws IllegalAccessException {
        Names names = new Names(numbered);
        StringBuilder text = new StringBuilder();
        for (Object root : roots) {
            text.append(text.length() == 0 ? "" : " ").append(value(root, names));
        }
        for (int i = 0; i < names.objects.size(); i++) {
            text.append(';');
            object(names.objects.get(i), names, text);
        }
        return text.toString();
    }

    private void object(Object object, Names names, StringBuilder text) throws IllegalAccessException {
        Class<?> type = object.getClass();
        text.append(number(type));
        if (object instanceof String) {
            ((String) object).chars().forEach(letter -> text.append(" i").append(letter));
        } else if (InputHeap.unboxed(type) != null) {
            text.append(' ').append(primitive(object));
        } else if (object instanceof Enum) {
            text.append(" i").append(((Enum<?>) object).ordinal());
        } else if (type.isArray()) {
            for (int i = 0; i < Array.getLength(object); i++) {
                Object element = Array.get(object, i);
                boolean isPrimitive = type.getComponentType().isPrimitive();
                text.append(' ').append(isPrimitive ? primitive(element) : value(element, names));
            }
        } else {
            for (Field field : fields.computeIfAbsent(type, Fixture::fields)) {
                Object value = field.get(object);
                text.append(' ').append(field.getType().isPrimitive() ? primitive(value) : value(value, names));
            }
        }
    }

    /** A primitive among roots is wrapped, so that it differs from a box. */
    static final class Primitive {
        final Object boxed;

        Primitive(Object boxed) {
            this.boxed = boxed;
        }
    }

    private static String value(Object value, Names names) {
        if (value == null) {
            return "n";
        }
        return value instanceof Primitive ? primitive(((Primitive) value).boxed) : "@" + names.of(value);
    }

    private static String primitive(Object boxed) {
        if (boxed instanceof Boolean) {
            return (Boolean) boxed ? "i1" : "i0";
        }
        if (boxed instanceof Character) {
            return "i" + (int) (Character) boxed;
        }
        if (boxed instanceof Long) {
            return "l" + boxed;
        }
        if (boxed instanceof Float) {
            return "f" + Integer.toHexString(Float.floatToIntBits((Float) boxed));
        }
        if (boxed instanceof Double) {
            return "d" + Long.toHexString(Double.doubleToLongBits((Double) boxed));
        }
        return "i" + boxed;
    }

    /** A class is described before its number is used. */
    private int number(Class<?> type) {
        Integer known = classes.get(type);
        if (known != null) {
            return known;
        }
        int number = classes.size();
        classes.put(type, number);
        Set<Class<?>> supertypes = new LinkedHashSet<>();
        addSupertypes(type, supertypes);
        StringBuilder line = new StringBuilder("class\t" + number + "\t");
        String separator = "";
        for (Class<?> supertype : supertypes) {
            line.append(separator).append(supertype.getTypeName());
            separator = " ";
        }
        line.append('\t');
        separator = "";
        for (String name : slots(type)) {
            line.append(separator).append(name);
            separator = " ";
        }
        out.println(line);
        return number;
    }

    /** The names of the fields; after that of an enum constant's, the names of all constants. */
    private List<String> slots(Class<?> type) {
        List<String> names = new ArrayList<>();
        if (InputHeap.unboxed(type) != null) {
            names.add("value");
        } else if (Enum.class.isAssignableFrom(type)) {
            names.add("ordinal");
            for (Object constant : type.getEnumConstants()) {
                names.add(((Enum<?>) constant).name());
            }
        } else {
            Fixture.fields(type).forEach(field -> names.add(field.getName()));
        }
        return names;
    }

    private static void addSupertypes(Class<?> type, Set<Class<?>> found) {
        if (type == null || !found.add(type)) {
            return;
        }
        addSupertypes(type.getSuperclass(), found);
        for (Class<?> implemented : type.getInterfaces()) {
            addSupertypes(implemented, found);
        }
        Class<?> component = type.getComponentType();
        if (component != null && !component.isPrimitive()) {
            Set<Class<?>> components = new LinkedHashSet<>();
            addSupertypes(component, components);
            for (Class<?> supertype : components) {
                found.add(Array.newInstance(supertype, 0).getClass());
            }
        }
    }

    /** Which object has which index. */
    private static final class Names {
        final List<Object> objects;
        private final Map<Object, Integer> indices = new IdentityHashMap<>();

        Names(List<Object> numbered) {
            objects = new ArrayList<>(numbered);
            for (int i = 0; i < objects.size(); i++) {
                indices.put(objects.get(i), i);
            }
        }

        int of(Object object) {
            Integer index = indices.get(object);
            if (index == null) {
                index = objects.size();
                indices.put(object, index);
                objects.add(object);
            }
            return index;
        }
    }
}
