import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Writes an input in one line: <code>this = #1 Node{v: 7, next: #1}, a = #2 int[]{0}</code>. */
final class Drawing {
    private final Map<Object, Integer> numbers = new IdentityHashMap<>();
    private boolean hasNumbers = true;
    private List<Object> held = List.of();

    String of(Heap heap) throws IllegalAccessException {
        List<String> parts = new ArrayList<>();
        for (Map.Entry<String, Object> root : heap.roots.entrySet()) {
            parts.add(root.getKey() + " = " + of(root.getValue()));
        }
        return String.join(", ", parts);
    }

    /**
     * The same of an object without numbers, truth values, characters and what strings and boxes contain. What a static field holds is told apart from
     * an object that looks the same.
     */
    String shapeOf(Object root, List<Object> held) throws IllegalAccessException {
        hasNumbers = false;
        this.held = held;
        return of(root);
    }

    private String of(Object value) throws IllegalAccessException {
        if (value == null) {
            return "null";
        }
        Class<?> type = value.getClass();
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        for (int i = 0; i < held.size(); i++) {
            if (held.get(i) == value) {
                return "held " + i;
            }
        }
        if (numbers.containsKey(value)) {
            return "#" + numbers.get(value);
        }
        numbers.put(value, numbers.size() + 1);
        String name = "#" + numbers.get(value) + " ";
        if (Unknown.is(value)) {
            return name + "other";
        }
        if (!hasNumbers && (value instanceof String || Universe.unboxed(type) != null)) {
            return name + type.getSimpleName();
        }
        if (value instanceof String text) {
            return name + "\"" + text + "\"";
        }
        List<String> parts = new ArrayList<>();
        if (type.isArray()) {
            for (int i = 0; i < Array.getLength(value); i++) {
                Object element = Array.get(value, i);
                parts.add(type.getComponentType().isPrimitive() ? number(element) : of(element));
            }
        } else if (type.getClassLoader() instanceof URLClassLoader) {
            for (Class<?> above = type; above.getClassLoader() == type.getClassLoader(); above = above.getSuperclass()) {
                for (Field field : above.getDeclaredFields()) {
                    if (!Modifier.isStatic(field.getModifiers())) {
                        field.setAccessible(true);
                        Object held = field.get(value);
                        parts.add(field.getName() + ": " + (field.getType().isPrimitive() ? number(held) : of(held)));
                    }
                }
            }
        } else {
            return name + type.getSimpleName() + " " + value;
        }
        return name + type.getSimpleName() + "{" + String.join(", ", parts) + "}";
    }

    private String number(Object value) {
        return hasNumbers ? value.toString() : "";
    }
}
