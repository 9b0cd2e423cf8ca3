import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which pairs of objects does each reference field connect in some valid object of the outermost class?
 *
 * The objects of a fixture's classes are numbered in the order of a breadth-first walk from the root, those of each sort on their own. A sort has
 * all declared types of which one object may be. Arrays, constants of enumerations and objects of the JDK have no number, nor has what a static field
 * holds: it goes by the name of that field.
 */
final class FieldBounds {
    private final Universe universe;
    /** The fields that are followed, by the class that declares them. */
    private final Set<Field> backbone = new LinkedHashSet<>();
    /** The root's class and the declared types of these fields, each with the first one of its sort. */
    private final Map<Class<?>, Class<?>> sorts = new HashMap<>();
    /** Lines <code>Node.next TAB 0 TAB 1</code>. */
    final Set<String> pairs = new TreeSet<>();

    FieldBounds(Universe universe, Set<String> unread) {
        this.universe = universe;
        List<Class<?>> declared = new ArrayList<>(List.of(universe.outermost));
        for (int next = 0; next < declared.size(); next++) {
            for (Class<?> type : universe.classes) {
                if (type.isInterface() || !declared.get(next).isAssignableFrom(type)) {
                    continue;
                }
                for (Field field : universe.fields(type)) {
                    boolean isNumbered = universe.classes.contains(field.getType()) && !field.getType().isEnum();
                    if (isNumbered && !unread.contains(title(field))) {
                        backbone.add(field);
                        if (!declared.contains(field.getType())) {
                            declared.add(field.getType());
                        }
                    }
                }
            }
        }
        for (Class<?> type : declared) {
            sorts.put(type, type);
        }
        // Sorts that overlap become one, until none do.
        for (Class<?> one : declared) {
            for (Class<?> other : declared) {
                Class<?> from = sorts.get(one);
                Class<?> to = sorts.get(other);
                if (from != to && mayBeOneObject(one, other)) {
                    sorts.replaceAll((type, sort) -> sort == from ? to : sort);
                }
            }
        }
    }

    /** May an object be of both types, or have fields of both? */
    private boolean mayBeOneObject(Class<?> one, Class<?> other) {
        if (universe.classes.stream().anyMatch(type -> one.isAssignableFrom(type) && other.isAssignableFrom(type))) {
            return true;
        }
        for (Class<?> above = one; above != null && universe.classes.contains(above); above = above.getSuperclass()) {
            if (!above.isInterface() && above.isAssignableFrom(other) && !universe.fields(above).isEmpty()) {
                return true;
            }
        }
        return false;
    }

    private static String title(Field field) {
        return field.getDeclaringClass().getSimpleName() + "." + field.getName();
    }

    /** Adds the pairs of a valid object. */
    void add(Object root) throws IllegalAccessException {
        Map<Object, Integer> numbers = new IdentityHashMap<>();
        Map<Class<?>, Integer> counts = new HashMap<>();
        List<Object> walk = new ArrayList<>(List.of(root));
        numbers.put(root, 0);
        counts.put(sorts.get(universe.outermost), 1);
        for (int next = 0; next < walk.size(); next++) {
            Object owner = walk.get(next);
            for (Field field : universe.fields(owner.getClass())) {
                if (!backbone.contains(field)) {
                    continue;
                }
                Object target = field.get(owner);
                String held = target == null ? "null" : nameOfHeld(target);
                if (held == null && !numbers.containsKey(target)) {
                    numbers.put(target, counts.merge(sorts.get(field.getType()), 1, Integer::sum) - 1);
                    walk.add(target);
                }
                pairs.add(title(field) + "\t" + numbers.get(owner) + "\t" + (held == null ? numbers.get(target) : held));
            }
        }
    }

    /** The static field that holds an object, or null. */
    private String nameOfHeld(Object object) throws IllegalAccessException {
        if (universe.held.stream().anyMatch(known -> known == object)) {
            for (Class<?> type : universe.classes) {
                for (Field field : type.getDeclaredFields()) {
                    field.setAccessible(true);
                    if (Modifier.isStatic(field.getModifiers()) && field.get(null) == object) {
                        return title(field);
                    }
                }
            }
        }
        return null;
    }
}
