package check;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Do the subjects do what they say? Random operations are compared with the collections of java.util, the invariant must
 * hold after each of them, and it must reject each random change of one field that breaks the structure.
 *
 * Fields and invariants are reached by reflection, because they are package-private as in any other program.
 */
public class SubjectsTest {
    static final Random RANDOM = new Random(20240611);
    static int operations;
    static int corruptions;
    static int rejected;

    public static void main(String[] arguments) throws Exception {
        lists();
        sortedMaps();
        sortedSets();
        avlTrees();
        heaps();
        defect();
        hashMaps();
        schedules();
        clients();
        plainTrees();
        kiasan();
        swapNode();
        countShapes();
        check(corruptions > 20000 && rejected > corruptions / 2 && rejected < corruptions, "corruptions are a fair sample");
        System.out.println("ok: " + operations + " operations, " + corruptions + " corruptions of which " + rejected
                + " had to be rejected");
    }

    // Reflection.

    static void check(boolean condition, String message) {
        if (!condition) {
            throw new AssertionError(message);
        }
    }

    static final Map<String, Field> FIELDS = new HashMap<>();
    static final Map<String, Method> METHODS = new HashMap<>();

    static Object make(String name, Object... arguments) throws Exception {
        for (Constructor<?> constructor : Class.forName(name).getDeclaredConstructors()) {
            if (constructor.getParameterCount() == arguments.length) {
                constructor.setAccessible(true);
                return constructor.newInstance(arguments);
            }
        }
        throw new AssertionError(name + " has no such constructor");
    }

    static Field field(Class<?> type, String name) throws Exception {
        String id = type.getName() + "." + name;
        Field field = FIELDS.get(id);
        if (field == null) {
            field = type.getDeclaredField(name);
            field.setAccessible(true);
            FIELDS.put(id, field);
        }
        return field;
    }

    static Object get(Object object, String name) throws Exception {
        return field(object.getClass(), name).get(object);
    }

    static int getInt(Object object, String name) throws Exception {
        return field(object.getClass(), name).getInt(object);
    }

    static void set(Object object, String name, Object value) throws Exception {
        field(object.getClass(), name).set(object, value);
    }

    static Object call(Object object, String name, Object... arguments) throws Exception {
        operations++;
        String id = object.getClass().getName() + "." + name + "/" + arguments.length;
        Method method = METHODS.get(id);
        if (method == null) {
            for (Method candidate : object.getClass().getDeclaredMethods()) {
                boolean isStatic = Modifier.isStatic(candidate.getModifiers());
                if (!isStatic && candidate.getName().equals(name) && candidate.getParameterCount() == arguments.length) {
                    method = candidate;
                }
            }
            check(method != null, id + " is missing");
            method.setAccessible(true);
            METHODS.put(id, method);
        }
        try {
            return method.invoke(object, arguments);
        } catch (InvocationTargetException thrown) {
            throw (Exception) thrown.getCause();
        }
    }

    static boolean valid(Object object) throws Exception {
        boolean whole = (Boolean) call(object, "repOK");
        if (object.getClass().getName().startsWith("pli.")) {
            // The data part may take the heap part for granted, as it is only asked after it.
            boolean parts = (Boolean) call(object, "repOKHeap") && (Boolean) call(object, "repOKData");
            check(parts == whole, object.getClass() + ": the two parts are the invariant");
        }
        return whole;
    }

    static void holds(Object object) throws Exception {
        check(valid(object), object.getClass() + ": the invariant holds");
    }

    static List<Field> fieldsOf(Object object) {
        List<Field> fields = new ArrayList<>();
        for (Field field : object.getClass().getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                fields.add(field);
            }
        }
        return fields;
    }

    static boolean isSubject(Object object) {
        return object != null && object.getClass().getName().matches("(pli|bliss|gse|kiasan)\\..*");
    }

    static List<Object> reachable(Object root) throws Exception {
        Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Object> found = new ArrayList<>();
        seen.add(root);
        found.add(root);
        for (int i = 0; i < found.size(); i++) {
            for (Field field : fieldsOf(found.get(i))) {
                Object value = field.get(found.get(i));
                if (isSubject(value) && seen.add(value)) {
                    found.add(value);
                }
            }
        }
        return found;
    }

    // Corruptions: one field of one object gets another value.

    interface Judge {
        /** Whether the structure is still valid now that this field of this object has changed. */
        boolean valid(Object root, Object changed, Field field, Object old) throws Exception;
    }

    static void corrupt(Object root, int times, Judge judge) throws Exception {
        List<Object> objects = reachable(root);
        for (int i = 0; i < times; i++) {
            Object object = objects.get(RANDOM.nextInt(objects.size()));
            List<Field> fields = fieldsOf(object);
            Field field = fields.get(RANDOM.nextInt(fields.size()));
            Object old = field.get(object);
            Object changed = another(field, old, objects);
            if (changed == old) {
                continue;
            }
            field.set(object, changed);
            boolean expected = judge.valid(root, object, field, old);
            boolean found = valid(root);
            check(expected == found, field + " = " + changed + " instead of " + old + " makes repOK() " + found);
            corruptions++;
            rejected += found ? 0 : 1;
            corruptSizes(root, objects);
            field.set(object, old);
            check(valid(root), "what was corrupted is repaired");
        }
    }

    /** A size of -1 is never right, even where an invariant takes it for a sign that something else is wrong. */
    static void corruptSizes(Object root, List<Object> objects) throws Exception {
        Map<Object, Integer> old = new IdentityHashMap<>();
        for (Object object : objects) {
            for (Field field : fieldsOf(object)) {
                if (named(field, "size")) {
                    old.put(object, field.getInt(object));
                    field.setInt(object, -1);
                }
            }
        }
        check(old.isEmpty() || !valid(root), "no structure has size -1");
        for (Map.Entry<Object, Integer> entry : old.entrySet()) {
            set(entry.getKey(), "size", entry.getValue());
        }
    }

    /** Another value for the field, or the old one if there is none. */
    static Object another(Field field, Object old, List<Object> objects) {
        Class<?> type = field.getType();
        if (type == boolean.class) {
            return !(Boolean) old;
        }
        if (type == int.class) {
            int value = RANDOM.nextInt(3) == 0 ? RANDOM.nextInt() : (Integer) old + RANDOM.nextInt(7) - 3;
            return value == (Integer) old ? old : (Object) value;
        }
        if (type == long.class) {
            return (Long) old + 1;
        }
        if (type.isArray()) {
            return null;
        }
        List<Object> choices = new ArrayList<>();
        if (old != null) {
            choices.add(null);
        }
        for (Object object : objects) {
            if (type.isInstance(object) && object != old && type != Object.class) {
                choices.add(object);
            }
        }
        if (type == Object.class) {
            choices.add(new Object());
        }
        // Null is as likely as all objects together, because it breaks other things.
        if (choices.isEmpty()) {
            return old;
        }
        return choices.get(RANDOM.nextBoolean() ? 0 : RANDOM.nextInt(choices.size()));
    }

    static boolean named(Field field, String... names) {
        return Arrays.asList(names).contains(field.getName());
    }

    /** Some fields may have any value, a list's header may be any of its entries, and nothing else may change. */
    static Judge rigidBut(String... free) {
        return (root, object, field, old) -> {
            if (named(field, "header")) {
                return field.get(object) != null && cycle(field.get(object)).contains(old);
            }
            return named(field, free);
        };
    }

    static List<Object> cycle(Object start) throws Exception {
        List<Object> found = new ArrayList<>();
        Object at = start;
        do {
            found.add(at);
            at = get(at, "next");
        } while (at != start);
        return found;
    }

    // What the structures hold, and a second opinion on trees that have neither a size nor parents.

    static List<Integer> inOrder(Object node, String key) throws Exception {
        List<Integer> found = new ArrayList<>();
        inOrder(node, key, found);
        return found;
    }

    static void inOrder(Object node, String key, List<Integer> found) throws Exception {
        if (node != null) {
            inOrder(get(node, "left"), key, found);
            found.add(getInt(node, key));
            inOrder(get(node, "right"), key, found);
        }
    }

    static boolean increasing(List<Integer> values) {
        for (int i = 1; i < values.size(); i++) {
            if (values.get(i - 1) >= values.get(i)) {
                return false;
            }
        }
        return true;
    }

    static boolean isTree(Object node, Set<Object> seen) throws Exception {
        return node == null || (seen.add(node) && isTree(get(node, "left"), seen) && isTree(get(node, "right"), seen));
    }

    static boolean isTree(Object node) throws Exception {
        return isTree(node, Collections.newSetFromMap(new IdentityHashMap<>()));
    }

    static int depth(Object node) throws Exception {
        return node == null ? -1 : 1 + Math.max(depth(get(node, "left")), depth(get(node, "right")));
    }

    static boolean heightsRight(Object node) throws Exception {
        return node == null || (getInt(node, "height") == depth(node) && heightsRight(get(node, "left"))
                && heightsRight(get(node, "right"))
                && Math.abs(depth(get(node, "left")) - depth(get(node, "right"))) <= 1);
    }

    static boolean isAvl(Object node) throws Exception {
        return isTree(node) && heightsRight(node) && increasing(inOrder(node, "element"));
    }

    /** The black counts of all ways down, or a negative one for a red node below a red one or a wrong parent. */
    static void blackCounts(Object node, Object parent, boolean parentRed, int blacks, Set<Integer> counts)
            throws Exception {
        if (node == null) {
            counts.add(blacks);
            return;
        }
        boolean red = getInt(node, "color") == 0;
        if ((red && parentRed) || get(node, "parent") != parent) {
            counts.add(-1);
        }
        blackCounts(get(node, "left"), node, red, blacks + (red ? 0 : 1), counts);
        blackCounts(get(node, "right"), node, red, blacks + (red ? 0 : 1), counts);
    }

    static boolean isColoured(Object root) throws Exception {
        if (!isTree(root)) {
            return false;
        }
        Set<Integer> counts = new TreeSet<>();
        blackCounts(root, null, true, 0, counts);
        return counts.size() == 1 && !counts.contains(-1);
    }

    static List<Integer> listOf(Object list, String value) throws Exception {
        List<Integer> found = new ArrayList<>();
        List<Object> entries = cycle(get(list, "header"));
        for (Object entry : entries.subList(1, entries.size())) {
            found.add(getInt(entry, value));
        }
        return found;
    }

    // One method for each family of subjects.

    static void lists() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object list = make("pli.LinkedList");
            Object indexed = make("bliss.LinkedList");
            List<Integer> oracle = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                int value = RANDOM.nextInt(10);
                if (RANDOM.nextInt(5) < 3) {
                    call(list, "add", value);
                    call(indexed, "add", value);
                    oracle.add(value);
                } else if (RANDOM.nextBoolean()) {
                    int index = oracle.indexOf(value);
                    check(call(list, "remove", value).equals(index >= 0), "remove finds the value");
                    if (index >= 0) {
                        check(call(indexed, "remove", index).equals(value), "remove returns the value");
                        oracle.remove(index);
                    }
                } else if (oracle.isEmpty()) {
                    check(fails(list, "removeFirst"), "an empty list has no first element");
                    check(fails(indexed, "remove", 0), "an empty list has no element 0");
                } else {
                    int index = RANDOM.nextInt(oracle.size());
                    check(call(list, "removeFirst").equals(oracle.get(0)), "removeFirst removes the first");
                    check(call(indexed, "remove", 0).equals(oracle.remove(0)), "remove removes the first");
                    check(fails(indexed, "remove", -1 - index), "no negative positions");
                }
                for (Object subject : new Object[] {list, indexed}) {
                    check(call(subject, "contains", value).equals(oracle.contains(value)), "contains");
                    holds(subject);
                }
                check(listOf(list, "element").equals(oracle) && listOf(indexed, "value").equals(oracle), "same list");
            }
            corrupt(list, 30, rigidBut("element"));
            corrupt(indexed, 30, rigidBut("value"));
        }
    }

    static boolean fails(Object object, String method, Object... arguments) throws Exception {
        try {
            call(object, method, arguments);
            return false;
        } catch (RuntimeException expected) {
            return true;
        }
    }

    static final Judge SORTED = (root, object, field, old) -> {
        if (named(field, "key")) {
            return increasing(inOrder(get(root, "root"), "key"));
        }
        // In one class, colours are numbers, and only red has one of its own.
        boolean sameColor = named(field, "color") && old instanceof Integer
                && ((Integer) old == 0) == (getInt(object, "color") == 0);
        return sameColor || named(field, "value");
    };

    static void sortedMaps() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object map = make("pli.TreeMap");
            Object longs = make("pli.LongTreeMap");
            Object keys = make("bliss.TreeMap");
            Object old = make("kiasan.RedBlackTree");
            TreeMap<Integer, Object> oracle = new TreeMap<>();
            int range = 4 + RANDOM.nextInt(40);
            int growth = 1 + RANDOM.nextInt(3);
            for (int i = 0; i < 60; i++) {
                int key = RANDOM.nextInt(range);
                if (RANDOM.nextInt(4) < growth) {
                    String value = "v" + i;
                    call(map, "put", key, value);
                    call(old, "put", key, value);
                    call(longs, "put", key, (long) i);
                    call(keys, "put", key);
                    oracle.put(key, value);
                } else {
                    boolean present = oracle.containsKey(key);
                    check(call(map, "remove", key).equals(present), "remove");
                    check(call(longs, "remove", key).equals(present), "remove");
                    check(call(keys, "remove", key).equals(present), "remove");
                    check(call(old, "remove", key) == oracle.remove(key), "remove returns the old value");
                }
                key = RANDOM.nextInt(range);
                check(call(map, "containsKey", key).equals(oracle.containsKey(key)), "containsKey");
                check(call(keys, "containsKey", key).equals(oracle.containsKey(key)), "containsKey");
                check(call(map, "get", key) == oracle.get(key), "get");
                Object number = oracle.get(key);
                check(("v" + call(longs, "get", key)).equals(number == null ? "v0" : number), "get");
                for (Object subject : new Object[] {map, longs, keys, old}) {
                    holds(subject);
                    check(inOrder(get(subject, "root"), "key").equals(new ArrayList<>(oracle.keySet())), "same keys");
                }
            }
            int sum = 0;
            for (int key : oracle.keySet()) {
                sum += key;
            }
            check(call(keys, "print").equals(sum) && call(keys, "size").equals(oracle.size()), "print and size");
            corrupt(map, 50, SORTED);
            corrupt(longs, 30, SORTED);
            corrupt(keys, 50, SORTED);
            corrupt(old, 30, SORTED);
        }
    }

    static void sortedSets() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object set = make("pli.TreeSet");
            Object node = null;
            TreeSet<Integer> oracle = new TreeSet<>();
            for (int i = 0; i < 60; i++) {
                int key = RANDOM.nextInt(30);
                if (RANDOM.nextBoolean()) {
                    check(call(set, "add", key).equals(oracle.add(key)), "add");
                    node = node == null ? make("bliss.TreeSet", key) : call(node, "add", key);
                } else {
                    check(call(set, "remove", key).equals(oracle.remove(key)), "remove");
                    node = node == null ? null : call(node, "remove", key);
                }
                holds(set);
                check(call(set, "contains", key).equals(oracle.contains(key)), "contains");
                check(inOrder(get(get(set, "m"), "root"), "key").equals(new ArrayList<>(oracle)), "same elements");
                check(inOrder(node, "key").equals(new ArrayList<>(oracle)), "same elements");
                if (node != null) {
                    holds(node);
                    check(call(node, "contains", key).equals(oracle.contains(key)), "contains");
                    check(call(node, "bfs").equals(oracle.size()), "bfs");
                    check(call(node, "dfs").equals(oracle.size()), "dfs");
                }
            }
            corrupt(set, 50, (root, object, field, old) -> {
                if (named(field, "value")) {
                    return field.get(object) != null;
                }
                return named(field, "key") && increasing(inOrder(get(get(root, "m"), "root"), "key"));
            });
            if (node != null) {
                corrupt(node, 50, (root, object, field, old) -> isColoured(root));
            }
        }
    }

    static void avlTrees() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object tree = make("pli.AvlTree");
            Object node = null;
            TreeSet<Integer> oracle = new TreeSet<>();
            int growth = 1 + RANDOM.nextInt(3);
            for (int i = 0; i < 60; i++) {
                int key = RANDOM.nextInt(40);
                if (RANDOM.nextInt(4) < growth) {
                    call(tree, "insert", key);
                    node = node == null ? make("bliss.AvlTree", key) : call(node, "insert", key);
                    oracle.add(key);
                } else {
                    call(tree, "remove", key);
                    node = node == null ? null : call(node, "remove", key);
                    oracle.remove(key);
                }
                holds(tree);
                check(call(tree, "contains", key).equals(oracle.contains(key)), "contains");
                check(inOrder(get(tree, "root"), "element").equals(new ArrayList<>(oracle)), "same elements");
                check(inOrder(node, "element").equals(new ArrayList<>(oracle)), "same elements");
                if (node != null) {
                    holds(node);
                    check(call(node, "contains", key).equals(oracle.contains(key)), "contains");
                    check(call(node, "bfs").equals(oracle.size()), "bfs");
                    check(call(node, "dfs").equals(oracle.size()), "dfs");
                }
            }
            corrupt(tree, 50, (root, object, field, old) -> isAvl(get(root, "root")));
            if (node != null) {
                corrupt(node, 50, (root, object, field, old) -> isAvl(root));
            }
        }
    }

    static boolean heapOrder(Object node, int bound) throws Exception {
        return node == null || (getInt(node, "key") >= bound && heapOrder(get(node, "sibling"), bound)
                && heapOrder(get(node, "child"), getInt(node, "key")));
    }

    static final Judge HEAP = (root, object, field, old) ->
            named(field, "key") && heapOrder(get(root, "Nodes"), Integer.MIN_VALUE);

    static void heaps() throws Exception {
        for (String name : new String[] {"pli.BinomialHeap", "pli.BinomialHeapDefect", "bliss.BinomialHeap"}) {
            for (int round = 0; round < 40; round++) {
                Object heap = make(name);
                PriorityQueue<Integer> oracle = new PriorityQueue<>();
                int growth = 2 + RANDOM.nextInt(2);
                for (int i = 0; i < 70; i++) {
                    int key = RANDOM.nextInt(40) + (RANDOM.nextInt(20) == 0 ? Integer.MIN_VALUE : 0);
                    // Removals stay below 13 nodes where more would show the defect.
                    boolean full = oracle.size() == 12 && !name.equals("pli.BinomialHeap");
                    if (!full && RANDOM.nextInt(4) < growth) {
                        call(heap, "insert", key);
                        oracle.add(key);
                    } else if (RANDOM.nextBoolean()) {
                        check(call(heap, "extractMin").equals(oracle.isEmpty() ? -1 : oracle.poll()), "extractMin");
                    } else {
                        call(heap, "delete", key);
                        oracle.remove(key);
                    }
                    if (name.startsWith("bliss")) {
                        if (RANDOM.nextInt(5) == 0) {
                            call(heap, "decreaseKey", key, key - 3);
                            if (key - 3 < key && oracle.remove(key)) {
                                oracle.add(key - 3);
                            }
                        }
                        check(call(heap, "bfs").equals(oracle.size()), "bfs");
                        check(call(heap, "dfs").equals(oracle.size()), "dfs");
                    }
                    holds(heap);
                    check(getInt(heap, "size") == oracle.size(), "size");
                    check(call(heap, "findMinimum").equals(oracle.isEmpty() ? -1 : oracle.peek()), "findMinimum");
                }
                corrupt(heap, 50, HEAP);
            }
        }
    }

    /** Which sizes of heaps show the defect of merge? */
    static void defect() throws Exception {
        Set<Integer> wrong = new TreeSet<>();
        for (int size = 1; size <= 30; size++) {
            for (int round = 0; round < 400; round++) {
                Object right = make("pli.BinomialHeap");
                Object defective = make("pli.BinomialHeapDefect");
                for (int i = 0; i < size; i++) {
                    int key = RANDOM.nextInt(1000);
                    call(right, "insert", key);
                    call(defective, "insert", key);
                }
                holds(defective);
                check(call(right, "extractMin").equals(call(defective, "extractMin")), "extractMin");
                holds(right);
                if (!valid(defective)) {
                    wrong.add(size);
                }
            }
        }
        check(wrong.equals(new TreeSet<>(List.of(13, 21, 24, 25, 26, 27, 29))), "the defect shows for sizes " + wrong);
    }

    static final Judge HASHED = rigidBut("value");

    static void hashMaps() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object map = make("pli.HashMap");
            Map<Integer, Object> oracle = new HashMap<>();
            for (int i = 0; i < 60; i++) {
                int key = RANDOM.nextInt(80) - 40;
                if (RANDOM.nextInt(3) > 0) {
                    String value = "v" + i;
                    call(map, "put", key, value);
                    oracle.put(key, value);
                } else {
                    check(call(map, "remove", key).equals(oracle.remove(key) != null), "remove");
                }
                holds(map);
                check(getInt(map, "size") == oracle.size(), "size");
                for (key = -40; key < 40; key++) {
                    check(call(map, "containsKey", key).equals(oracle.containsKey(key)), "containsKey");
                    check(call(map, "get", key) == oracle.get(key), "get");
                }
            }
            corrupt(map, 60, HASHED);
            // Equal keys in one bucket need two fields, so they are tried by themselves.
            for (int bucket = 0; bucket < 16; bucket++) {
                Object first = get(map, "e" + bucket);
                Object second = first == null ? null : get(first, "next");
                if (second != null) {
                    int key = getInt(second, "key");
                    set(second, "key", getInt(first, "key"));
                    set(second, "hash", getInt(first, "key"));
                    check(!valid(map), "no key may be there twice");
                    set(second, "key", key);
                    set(second, "hash", key);
                    holds(map);
                }
            }
        }
    }

    static List<List<Integer>> queuesOf(Object schedule) throws Exception {
        List<List<Integer>> queues = new ArrayList<>();
        for (String name : new String[] {"blockQueue", "prio_1", "prio_2", "prio_3"}) {
            List<Integer> jobs = new ArrayList<>();
            for (Object job = get(get(schedule, name), "first"); job != null; job = get(job, "next")) {
                jobs.add(getInt(job, "val"));
            }
            queues.add(jobs);
        }
        return queues;
    }

    static void schedules() throws Exception {
        for (int round = 0; round < 100; round++) {
            Object schedule = make("pli.Schedule");
            // The queue at 0 is that of blocked processes.
            List<List<Integer>> oracle = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                oracle.add(new ArrayList<>());
            }
            int allocated = 0;
            int processes = 0;
            for (int i = 0; i < 40; i++) {
                int highest = !oracle.get(3).isEmpty() ? 3 : !oracle.get(2).isEmpty() ? 2 : 1;
                boolean idle = oracle.get(highest).isEmpty();
                int choice = RANDOM.nextInt(16);
                if (choice < 9) {
                    int priority = RANDOM.nextInt(5);
                    call(schedule, "addProcess", priority);
                    if (priority >= 1 && priority <= 3) {
                        oracle.get(priority).add(allocated++);
                        processes++;
                    }
                } else if (choice < 12) {
                    call(schedule, "quantumExpire");
                    if (!idle) {
                        oracle.get(highest).add(oracle.get(highest).remove(0));
                    }
                } else if (choice < 15) {
                    call(schedule, "blockProcess");
                    if (!idle) {
                        oracle.get(0).add(oracle.get(highest).remove(0));
                    }
                } else {
                    call(schedule, "finishAllProcesses");
                    for (int k = 0; k < processes; k++) {
                        for (int priority = 3; priority > 0; priority--) {
                            if (!oracle.get(priority).isEmpty()) {
                                oracle.get(priority).remove(0);
                                processes--;
                                break;
                            }
                        }
                    }
                }
                holds(schedule);
                check(queuesOf(schedule).equals(oracle), "same queues");
                check(getInt(schedule, "numProcesses") == processes, "numProcesses");
            }
            corrupt(schedule, 60, (root, object, field, old) -> {
                if (named(field, "priority")) {
                    boolean blocked = queuesOf(root).get(0).contains(getInt(object, "val"));
                    int priority = getInt(object, "priority");
                    return blocked && priority >= 1 && priority <= 3;
                }
                return named(field, "allocProcNum", "val", "curProc");
            });
        }
    }

    static void clients() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object template = make("pli.Template");
            Object stats = make("pli.TransportStats");
            Object dictionary = make("pli.DictionaryInfo");
            Object clauses = make("pli.SQLFilterClauses");
            Object statistic = make("pli.CombatantStatistic");
            Map<Integer, List<Integer>> parameters = new HashMap<>();
            Map<Integer, Long> lengths = new TreeMap<>();
            long total = 0;
            Map<Integer, Integer> fields = new TreeMap<>();
            Map<List<Integer>, Object> filters = new HashMap<>();
            Map<List<Integer>, List<Integer>> data = new HashMap<>();
            int steps = 1 + RANDOM.nextInt(25);
            for (int i = 0; i < steps; i++) {
                int a = RANDOM.nextInt(30) - 5;
                int b = RANDOM.nextInt(20);
                call(template, "addParameter", a, b, i);
                parameters.put(a, List.of(a, i, b, i));
                call(stats, RANDOM.nextBoolean() ? "bytesRead" : "bytesWritten", a);
                lengths.merge(a, 1L, Long::sum);
                total += a;
                call(dictionary, "addField", a, b);
                fields.put(a, b);
                String filter = "f" + i;
                call(clauses, "put", a % 3, b, filter);
                filters.put(List.of(a % 3, b), filter);
                call(statistic, "ensureTypExists", b % 4);
                call(statistic, "addData", a % 3, b % 6, i);
                data.computeIfAbsent(List.of(a % 3, b % 6), key -> new ArrayList<>()).add(i);
                for (Object client : new Object[] {template, stats, dictionary, clauses, statistic}) {
                    holds(client);
                }
            }
            check(getInt(get(template, "parameters"), "size") == steps, "all occurrences are listed");
            for (int a = -5; a < 25; a++) {
                Object parameter = call(template, "getParameter", a);
                List<Integer> found = parameter == null ? null : List.of(getInt(parameter, "name"),
                        getInt(parameter, "index"), getInt(parameter, "row"), getInt(parameter, "column"));
                check(found == null ? !parameters.containsKey(a) : found.equals(parameters.get(a)), "getParameter");
                Object field = call(dictionary, "getField", a);
                Integer name = field == null ? null : (Integer) getInt(field, "name");
                check(name == null ? !fields.containsKey(a) : name.equals(fields.get(a)), "getField");
                long count = (Long) call(get(stats, "readLengths"), "get", a)
                        + (Long) call(get(stats, "writtenLengths"), "get", a);
                check(count == lengths.getOrDefault(a, 0L), "counts of lengths");
                for (int b = 0; b < 20; b++) {
                    check(call(clauses, "get", a, b) == filters.get(List.of(a, b)), "get");
                    Object map = call(get(statistic, "types"), "get", a);
                    Object list = map == null ? null : call(map, "get", b);
                    check(list == null ? !data.containsKey(List.of(a, b))
                            : listOf(list, "element").equals(data.get(List.of(a, b))), "data");
                }
            }
            check((Long) get(stats, "totalRead") + (Long) get(stats, "totalWritten") == total, "totals");
            corrupt(template, 50, rigidBut("element", "value", "name", "index", "row", "column"));
            corrupt(stats, 50, (root, object, field, old) -> named(field, "key")
                    ? increasing(inOrder(get(get(root, "readLengths"), "root"), "key"))
                            && increasing(inOrder(get(get(root, "writtenLengths"), "root"), "key"))
                    : named(field, "value", "totalRead", "totalWritten"));
            corrupt(dictionary, 50, (root, object, field, old) -> named(field, "key")
                    ? increasing(inOrder(get(get(root, "fieldsByNumber"), "root"), "key"))
                            && increasing(inOrder(get(get(root, "fieldsByName"), "root"), "key"))
                    : named(field, "value", "number", "name")
                            || (named(field, "fieldsByName") && field.get(object) == null));
            corrupt(clauses, 50, (root, object, field, old) -> field.getType() == Object.class);
            corrupt(statistic, 80, (root, object, field, old) -> {
                boolean listSize = named(field, "size") && object.getClass().getName().equals("pli.LinkedList");
                return listSize || rigidBut("key", "hash", "element").valid(root, object, field, old);
            });
        }
    }

    static void plainTrees() throws Exception {
        for (int round = 0; round < 200; round++) {
            Object root = make("bliss.BinTree");
            List<Object> nodes = new ArrayList<>(List.of(root));
            for (int i = RANDOM.nextInt(12); i > 0; i--) {
                Object node = nodes.get(RANDOM.nextInt(nodes.size()));
                String side = RANDOM.nextBoolean() ? "left" : "right";
                if (get(node, side) == null) {
                    set(node, side, make("bliss.BinTree"));
                    nodes.add(get(node, side));
                }
            }
            holds(root);
            check(call(root, "bfs").equals(nodes.size()), "bfs");
            check(call(root, "dfs").equals(nodes.size()), "dfs");
            check(call(root, "count").equals(nodes.size()), "count");
            corrupt(root, 40, (top, object, field, old) -> isTree(top));
        }
    }

    static void kiasan() throws Exception {
        for (int round = 0; round < 60; round++) {
            Object heap = make("kiasan.BinaryHeap", 30);
            PriorityQueue<Integer> queue = new PriorityQueue<>();
            Object tree = make("kiasan.SearchTree");
            TreeSet<Integer> set = new TreeSet<>();
            for (int i = 0; i < 30; i++) {
                int value = RANDOM.nextInt(30);
                call(heap, "insert", value);
                queue.add(value);
                holds(heap);
                call(tree, "insert", value);
                set.add(value);
                holds(tree);
                check(inOrder(get(tree, "root"), "element").equals(new ArrayList<>(set)), "same elements");
            }
            corrupt(tree, 30, (root, object, field, old) ->
                    isTree(get(root, "root")) && increasing(inOrder(get(root, "root"), "element")));
            int[] array = (int[]) get(heap, "array");
            int changed = 1 + RANDOM.nextInt(30);
            int old = array[changed];
            array[changed] = RANDOM.nextInt(30);
            boolean ordered = true;
            for (int i = 1; i <= 30; i++) {
                ordered &= i == 1 || array[i / 2] <= array[i];
            }
            check(valid(heap) == ordered, "the order of the heap");
            array[changed] = old;
            while (!queue.isEmpty()) {
                check(call(heap, "notEmpty").equals(true), "notEmpty");
                check(call(heap, "deleteMin").equals(queue.poll()), "deleteMin");
                holds(heap);
            }
            check(call(heap, "notEmpty").equals(false), "notEmpty");
            mergeLists();
            sortArrays();
        }
    }

    static void mergeLists() throws Exception {
        Object[] lists = {make("kiasan.MergeList"), make("kiasan.MergeList")};
        List<Integer> oracle = new ArrayList<>();
        for (Object list : lists) {
            List<Integer> values = new ArrayList<>();
            for (int i = RANDOM.nextInt(8); i > 0; i--) {
                values.add(RANDOM.nextInt(10));
            }
            Collections.sort(values);
            for (int value : values) {
                call(list, "addLast", value);
            }
            holds(list);
            oracle.addAll(values);
        }
        Collections.sort(oracle);
        check(call(lists[0], "apart", lists[1]).equals(true), "apart");
        check(call(lists[0], "apart", lists[0]).equals(false), "apart");
        call(lists[0], "merge", lists[1]);
        holds(lists[0]);
        List<Integer> found = new ArrayList<>();
        for (Object node = get(get(lists[0], "head"), "next"); node != null; node = get(node, "next")) {
            found.add(getInt(node, "data"));
        }
        check(found.equals(oracle), "merge");
        if (!found.isEmpty()) {
            Object head = get(lists[0], "head");
            Object first = get(head, "next");
            set(lists[1], "head", first);
            check(call(lists[0], "apart", lists[1]).equals(false), "apart");
            set(first, "next", head);
            check(!valid(lists[0]), "no cycles");
        }
    }

    static void sortArrays() throws Exception {
        Class<?> sorter = Class.forName("kiasan.InsertionSort");
        Class<?> sorterOfObjects = Class.forName("kiasan.ComparableSort");
        int[] numbers = new int[RANDOM.nextInt(8)];
        Comparable[] items = new Comparable[numbers.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = RANDOM.nextInt(10);
            items[i] = numbers[i];
        }
        int[] oracle = numbers.clone();
        Arrays.sort(oracle);
        check(onArray(sorter, "given", numbers) && onArray(sorterOfObjects, "given", items), "given");
        check(onArray(sorter, "sorted", numbers) == Arrays.equals(numbers, oracle), "sorted");
        check(onArray(sorterOfObjects, "sorted", items) == Arrays.equals(numbers, oracle), "sorted");
        sorter.getMethod("sort", int[].class).invoke(null, (Object) numbers);
        sorterOfObjects.getMethod("sort", Comparable[].class).invoke(null, (Object) items);
        for (int i = 0; i < oracle.length; i++) {
            check(numbers[i] == oracle[i] && items[i].equals(oracle[i]), "sort");
        }
        check(onArray(sorter, "sorted", numbers) && onArray(sorterOfObjects, "sorted", items), "sorted");
        if (oracle.length > 0) {
            items[0] = null;
            check(!onArray(sorterOfObjects, "given", items), "given");
        }
    }

    static boolean onArray(Class<?> sorter, String name, Object array) throws Exception {
        Method method = sorter.getDeclaredMethod(name, array.getClass());
        method.setAccessible(true);
        return (Boolean) method.invoke(null, array);
    }

    static void swapNode() throws Exception {
        for (String method : new String[] {"swapNode", "swapNodeUnchecked"}) {
            Object one = make("gse.Node");
            Object two = make("gse.Node");
            set(one, "elem", 5);
            set(two, "elem", 3);
            check(call(one, "acyclic").equals(true), "acyclic");
            check(fails(one, method) == method.equals("swapNodeUnchecked"), "a single node");
            set(one, "next", two);
            check(call(one, method) == two && get(two, "next") == one && get(one, "next") == null, "swapped");
            check(call(two, method) == two && get(two, "next") == one, "in order already");
            set(one, "next", two);
            check(call(one, "acyclic").equals(false), "acyclic");
        }
    }

    // All trees of up to seven nodes: the number of valid ones is known.

    static void countShapes() throws Exception {
        int coloured = 0;
        int colourable = 0;
        int containers = 0;
        int balanced = 0;
        int limit = 7;
        for (int size = 1; size <= limit; size++) {
            for (int[][] shape : shapes(0, size)) {
                Object map = make("pli.TreeMap");
                Object[] entries = new Object[size];
                Object[] nodes = new Object[size];
                Object[] avl = new Object[size];
                for (int i = 0; i < size; i++) {
                    entries[i] = make("pli.TreeMap$Entry", i, null, null);
                    nodes[i] = make("bliss.TreeSet", 0);
                    avl[i] = make("bliss.AvlTree", i);
                }
                for (int[] edge : shape) {
                    String side = edge[1] < edge[0] ? "left" : "right";
                    for (Object[] all : new Object[][] {entries, nodes, avl}) {
                        set(all[edge[0]], side, all[edge[1]]);
                    }
                    set(entries[edge[1]], "parent", entries[edge[0]]);
                    set(nodes[edge[1]], "parent", nodes[edge[0]]);
                }
                for (Object node : avl) {
                    set(node, "height", depth(node));
                }
                int top = rootOf(shape, size);
                set(map, "root", entries[top]);
                set(map, "size", size);
                int before = coloured;
                for (int colours = 0; colours < 1 << size; colours++) {
                    for (int i = 0; i < size; i++) {
                        set(entries[i], "color", (colours >> i & 1) == 1);
                        set(nodes[i], "color", colours >> i & 1);
                    }
                    coloured += (Boolean) call(map, "repOK") ? 1 : 0;
                    containers += (Boolean) call(nodes[top], "repOK") ? 1 : 0;
                }
                colourable += coloured > before ? 1 : 0;
                Object tree = make("pli.AvlTree");
                set(tree, "root", avlNode(avl[top]));
                check(valid(tree) == valid(avl[top]), "both AVL trees agree");
                balanced += valid(avl[top]) ? 1 : 0;
            }
        }
        check(coloured == 66 && containers == 66, "coloured red-black trees: " + coloured + ", " + containers);
        check(colourable == 55, "shapes of red-black trees: " + colourable);
        check(balanced == 35, "shapes of AVL trees: " + balanced);
    }

    static Object avlNode(Object node) throws Exception {
        if (node == null) {
            return null;
        }
        Object copy = make("pli.AvlTree$AvlNode", getInt(node, "element"));
        set(copy, "height", getInt(node, "height"));
        set(copy, "left", avlNode(get(node, "left")));
        set(copy, "right", avlNode(get(node, "right")));
        return copy;
    }

    /** The edges, from parent to child, of every binary tree whose nodes in order are the numbers from low to high. */
    static List<int[][]> shapes(int low, int high) {
        List<int[][]> found = new ArrayList<>();
        if (low == high) {
            found.add(new int[0][]);
        }
        for (int root = low; root < high; root++) {
            for (int[][] left : shapes(low, root)) {
                for (int[][] right : shapes(root + 1, high)) {
                    List<int[]> edges = new ArrayList<>(Arrays.asList(left));
                    edges.addAll(Arrays.asList(right));
                    if (low < root) {
                        edges.add(new int[] {root, rootOf(left, root - low, low)});
                    }
                    if (root + 1 < high) {
                        edges.add(new int[] {root, rootOf(right, high - root - 1, root + 1)});
                    }
                    found.add(edges.toArray(new int[0][]));
                }
            }
        }
        return found;
    }

    static int rootOf(int[][] edges, int size) {
        return rootOf(edges, size, 0);
    }

    /** The one node without a parent. */
    static int rootOf(int[][] edges, int size, int low) {
        boolean[] isChild = new boolean[size];
        for (int[] edge : edges) {
            isChild[edge[1] - low] = true;
        }
        for (int i = 0; i < size; i++) {
            if (!isChild[i]) {
                return low + i;
            }
        }
        throw new AssertionError("no root");
    }
}
