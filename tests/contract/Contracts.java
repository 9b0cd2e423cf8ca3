import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A sorted list, methods with contracts that hold and that do not, and a judge who tries all small inputs on the JVM. */
public class Contracts {
    static class Node {
        int key;
        Node next;
    }

    Node head;
    int size;

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    boolean repOKHeap() {
        Set<Node> seen = new HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            if (!seen.add(node)) {
                return false;
            }
        }
        return seen.size() == size;
    }

    boolean repOKData() {
        for (Node node = head; node != null && node.next != null; node = node.next) {
            if (node.key >= node.next.key) {
                return false;
            }
        }
        return true;
    }

    boolean isEmpty() {
        return repOKHeap() && sizeIsZero();
    }

    boolean sizeIsZero() {
        return size == 0;
    }

    boolean hasThree() {
        return repOK() && size == 3;
    }

    boolean never() {
        return repOK() && size < 0;
    }

    boolean notCyclic() {
        Set<Node> seen = new HashSet<>();
        for (Node node = head; node != null; node = node.next) {
            if (!seen.add(node)) {
                return false;
            }
        }
        return true;
    }

    // Targets.

    int first() {
        return head.key;
    }

    boolean add(int key) {
        Node before = null;
        Node at = head;
        while (at != null && at.key < key) {
            before = at;
            at = at.next;
        }
        if (at != null && at.key == key) {
            return false;
        }
        Node fresh = new Node();
        fresh.key = key;
        fresh.next = at;
        if (before == null) {
            head = fresh;
        } else {
            before.next = fresh;
        }
        size++;
        return true;
    }

    void push(int key) {
        Node fresh = new Node();
        fresh.key = key;
        fresh.next = head;
        head = fresh;
        size++;
    }

    /** Forgets a node. */
    void miscount() {
        size++;
    }

    void negateAll() {
        for (Node node = head; node != null; node = node.next) {
            node.key = -node.key;
        }
    }

    boolean isOrdered() {
        return head == null || head.next == null || head.key < head.next.key;
    }

    static int half(int x) {
        return x / 2;
    }

    // Preconditions.

    boolean notEmpty() {
        return head != null;
    }

    boolean below(int key) {
        return head.key > key;
    }

    boolean belowOrEmpty(int key) {
        return head == null || head.key > key;
    }

    boolean brokenSize() {
        return size < 0;
    }

    static boolean even(int x) {
        return x % 2 == 0;
    }

    static boolean neverEven(int x) {
        return x % 2 > 1;
    }

    // Postconditions.

    boolean isFirst(int result) {
        return result == head.key;
    }

    boolean isSecond(int result) {
        return result == head.next.key;
    }

    boolean has(int key) {
        for (Node node = head; node != null; node = node.next) {
            if (node.key == key) {
                return true;
            }
        }
        return false;
    }

    boolean has(int key, boolean result) {
        return has(key);
    }

    boolean hasNew(int key, boolean result) {
        return result && has(key);
    }

    static boolean anything(int key) {
        return key % 2 < 2;
    }

    static boolean isHalf(int x, int result) {
        return result + result == x;
    }

    // The judge.

    /** Arguments: target, precondition or -, postcondition or -. Prints what `lazuli check` must find. */
    public static void main(String[] arguments) throws Exception {
        Method target = named(arguments[0], null);
        Class<?>[] own = target.getParameterTypes();
        Method pre = arguments[1].equals("-") ? null : named(arguments[1], own);
        Class<?>[] longer = own;
        if (target.getReturnType() != void.class) {
            longer = Arrays.copyOf(own, own.length + 1);
            longer[own.length] = target.getReturnType();
        }
        Method post = arguments[2].equals("-") ? null : named(arguments[2], longer);
        int tried = 0;
        int faults = 0;
        for (int size = -1; size <= 3; size++) {
            for (int code = 0; code < (size <= 0 ? 1 : Math.pow(4, size)); code++) {
                for (int argument = -2; argument <= 3; argument++) {
                    Contracts input = list(size, code);
                    Object[] given = own.length == 0 ? new Object[0] : new Object[] {argument};
                    if (!input.repOK() || (pre != null && !isTrue(pre, input, given))) {
                        continue;
                    }
                    tried++;
                    if (!isRight(target, post, input, given)) {
                        faults++;
                    }
                }
            }
        }
        System.out.println(tried == 0 ? "incomplete" : faults == 0 ? "holds" : "violated");
    }

    private static boolean isRight(Method target, Method post, Contracts input, Object[] given) throws Exception {
        Object result;
        try {
            result = target.invoke(input, given);
        } catch (InvocationTargetException thrown) {
            return false;
        }
        if (!input.repOK()) {
            return false;
        }
        Object[] all = given;
        if (target.getReturnType() != void.class) {
            all = Arrays.copyOf(given, given.length + 1);
            all[given.length] = result;
        }
        return post == null || isTrue(post, input, all);
    }

    /** What throws is not true. */
    private static boolean isTrue(Method condition, Contracts on, Object[] arguments) throws Exception {
        try {
            return (boolean) condition.invoke(on, arguments);
        } catch (InvocationTargetException thrown) {
            return false;
        }
    }

    private static Contracts list(int size, int code) {
        Contracts list = new Contracts();
        list.size = size;
        for (int at = 0; at < size; at++) {
            Node node = new Node();
            node.key = code % 4 - 1;
            code /= 4;
            node.next = list.head;
            list.head = node;
        }
        return list;
    }

    private static Method named(String name, Class<?>[] parameters) {
        List<Method> all = Arrays.asList(Contracts.class.getDeclaredMethods());
        return all.stream()
                .filter(method -> method.getName().equals(name))
                .filter(method -> parameters == null || Arrays.equals(method.getParameterTypes(), parameters))
                .findFirst()
                .orElseThrow();
    }
}
