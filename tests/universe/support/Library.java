import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.AbstractMap;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.Vector;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which objects of the library may be at a place, and how are they made? By their own constructors and methods, from elements. */
final class Library {
    private Library() {}

    /** A collection or map of this class with so many elements; an <code>Optional</code> with at most one. */
    record Kind(Class<?> made, int size) {}

    private static final Map<Class<?>, Class<?>> MADE = new LinkedHashMap<>();

    static {
        for (Class<?> type : List.of(Iterable.class, Collection.class, List.class, ArrayList.class)) {
            MADE.put(type, ArrayList.class);
        }
        for (Class<?> type : List.of(Queue.class, Deque.class, ArrayDeque.class)) {
            MADE.put(type, ArrayDeque.class);
        }
        for (Class<?> type : List.of(Set.class, HashSet.class)) {
            MADE.put(type, HashSet.class);
        }
        for (Class<?> type : List.of(Map.class, HashMap.class)) {
            MADE.put(type, HashMap.class);
        }
        for (Class<?> type : List.of(SortedSet.class, TreeSet.class)) {
            MADE.put(type, TreeSet.class);
        }
        for (Class<?> type : List.of(SortedMap.class, NavigableMap.class, TreeMap.class)) {
            MADE.put(type, TreeMap.class);
        }
        for (Class<?> type : List.of(LinkedList.class, Vector.class, PriorityQueue.class, LinkedHashSet.class,
                LinkedHashMap.class, Optional.class, EnumSet.class, EnumMap.class, Stream.class, IntStream.class)) {
            MADE.put(type, type);
        }
        MADE.put(Map.Entry.class, AbstractMap.SimpleEntry.class);
    }

    static boolean has(Class<?> type) {
        return MADE.containsKey(type);
    }

    static List<Kind> kinds(Class<?> type, int scope) {
        List<Kind> all = new ArrayList<>();
        Class<?> made = MADE.get(type);
        int least = made == AbstractMap.SimpleEntry.class ? 1 : 0;
        int most = made == Optional.class ? Math.min(1, scope) : Math.max(least, least == 1 ? 1 : scope);
        for (int size = least; made != null && size <= most; size++) {
            all.add(new Kind(made, size));
        }
        return all;
    }

    static Object make(Kind kind) throws ReflectiveOperationException {
        return kind.made.getConstructor().newInstance();
    }

    /** Is the object made when its contents are there? */
    static boolean isMadeLast(Class<?> made) {
        return made == Optional.class || made == EnumSet.class || made == EnumMap.class || made == Stream.class
                || made == IntStream.class || made == AbstractMap.SimpleEntry.class;
    }

    /** The types of the contents of such an object: of its elements, or of keys and values. */
    static List<Type> contents(Class<?> made, Type generic) {
        if (made == IntStream.class) {
            return List.of(Integer.class);
        }
        boolean isPair = made == EnumMap.class || made == AbstractMap.SimpleEntry.class;
        return isPair ? List.of(argument(generic, 0), argument(generic, 1)) : List.of(argument(generic, 0));
    }

    /** May these contents be null? */
    static boolean mayContainNull(Class<?> made) {
        return made == Stream.class || made == AbstractMap.SimpleEntry.class;
    }

    /** The object with these contents. Null if there is none, or it is also made from them in another order. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    static Object make(Class<?> made, Type generic, List<Object> contents) {
        if (made == Optional.class) {
            return contents.isEmpty() ? Optional.empty() : Optional.of(contents.get(0));
        }
        if (made == Stream.class) {
            return Stream.of(contents.toArray());
        }
        if (made == IntStream.class) {
            return contents.stream().mapToInt(each -> (Integer) each);
        }
        if (made == AbstractMap.SimpleEntry.class) {
            return new AbstractMap.SimpleEntry<>(contents.get(0), contents.get(1));
        }
        Class constants = erased(argument(generic, 0));
        int each = made == EnumMap.class ? 2 : 1;
        for (int at = each; at < contents.size(); at += each) {
            if (((Enum) contents.get(at - each)).compareTo((Enum) contents.get(at)) >= 0) {
                return null;
            }
        }
        if (made == EnumSet.class) {
            EnumSet set = EnumSet.noneOf(constants);
            set.addAll(contents);
            return set;
        }
        EnumMap map = new EnumMap(constants);
        for (int at = 0; at < contents.size(); at += 2) {
            map.put(contents.get(at), contents.get(at + 1));
        }
        return map;
    }

    /** May elements, or keys, be null? */
    static boolean takesNull(Class<?> made) {
        return made != ArrayDeque.class && made != PriorityQueue.class && made != TreeSet.class && made != TreeMap.class
                && made != Optional.class;
    }

    /** Are elements looked at when they are added? */
    static boolean looksAtElements(Class<?> made) {
        return Set.class.isAssignableFrom(made) || Map.class.isAssignableFrom(made) || made == PriorityQueue.class;
    }

    /** The type of an element, key or value. */
    static Type argument(Type type, int at) {
        return type instanceof ParameterizedType with ? with.getActualTypeArguments()[at] : Object.class;
    }

    /** The class that is left of a type at run time. */
    static Class<?> erased(Type type) {
        if (type instanceof Class<?> known) {
            return known;
        }
        if (type instanceof ParameterizedType with) {
            return (Class<?>) with.getRawType();
        }
        if (type instanceof WildcardType wild) {
            return wild.getLowerBounds().length > 0 ? Object.class : erased(wild.getUpperBounds()[0]);
        }
        if (type instanceof TypeVariable<?> variable) {
            return erased(variable.getBounds()[0]);
        }
        return erased(((java.lang.reflect.GenericArrayType) type).getGenericComponentType()).arrayType();
    }

    /** Can an object that was found as of the one type be at a place of the other? */
    static boolean fits(Type found, Type place) {
        if (!(place instanceof ParameterizedType wanted) || !has(erased(place))) {
            return true;
        }
        Type[] arguments = found instanceof ParameterizedType with ? with.getActualTypeArguments() : new Type[0];
        return List.of(arguments).equals(List.of(wanted.getActualTypeArguments()));
    }

    /** Adds an element, or a pair. False if there is no such object, or it is also made from its elements in another order. */
    @SuppressWarnings("unchecked")
    static boolean add(Object made, Object element, Object value) {
        if (made instanceof Map<?, ?> map) {
            boolean isLast = !(made instanceof TreeMap<?, ?> tree) || tree.isEmpty()
                    || ((Comparable<Object>) tree.lastKey()).compareTo(element) < 0;
            int before = map.size();
            ((Map<Object, Object>) made).put(element, value);
            return isLast && map.size() > before;
        }
        boolean isLast = !(made instanceof TreeSet<?> tree) || tree.isEmpty()
                || ((Comparable<Object>) tree.last()).compareTo(element) < 0;
        return ((Collection<Object>) made).add(element) && isLast;
    }
}
