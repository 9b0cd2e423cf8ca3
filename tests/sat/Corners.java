import java.util.*;
/** What inputs may be: each method has a fault that some input shows, or none. */
public class Corners {
    static class Node { int x; Node next; Object data; Node(int x) { this.x = x; } }
    static final Node NIL = new Node(7);
    static final int[] TABLE = {3, 1, 4, 1, 5};
    static Node cache;
    enum Colour { RED(900), GREEN(-3); final int weight; Colour(int w) { weight = w; } }
    interface Shape { int area(); }
    static final class Square implements Shape { int a; public int area() { return a * a; } }
    static final class Pair implements Shape { Shape one; Shape two; public int area() { return one.area() + two.area(); } }

    Object o; Node n; int key; Node[] table; Colour colour; int[] counts;

    // The same object under two types.
    public void alias() {
        Node m = (Node) o; if (m != null && n != null) { m.x = 1; n.x = 2; if (m.x == 2) throw new AssertionError(); }
    }

    public void aliasRead() {
        if (n != null && o instanceof Node) { int before = ((Node) o).x; n.x = before + 1; if (((Node) o).x != before) throw new AssertionError(); }
    }

    // Constants of objects that are there before.
    public void sentinel() {
        if (n != null && n.x > NIL.x && key > n.x) throw new AssertionError();
    }

    public void isSentinel() {
        if (n == NIL) throw new AssertionError();
    }

    public void sentinelWritten() {
        NIL.x = 3; if (n != null && n.x == 3 && n != NIL && n.next == NIL && NIL.x == 3) throw new AssertionError();
    }

    public void weight(Colour other) {
        if (other != null && colour != null && key > other.weight && other.weight > colour.weight) throw new AssertionError();
    }

    public void cached() {
        if (cache != null && cache == n && cache.x == key) throw new AssertionError();
    }

    public void table(int i) {
        if (TABLE[i] == 5) throw new AssertionError();
    }

    // Arrays.
    public void store(Object[] a) {
        if (a != null && a.length > 0) a[0] = new Object();
    }

    public void strings() {
        Object[] a = new String[1]; a[0] = o;
    }

    public void chain() {
        if (table != null && table.length == 2 && table[0] != null && table[0] == table[1].next && table[1].next.x > 3) throw new AssertionError();
    }

    public void grow(int[] a, int k) {
        if (a == null || k < 0 || k > 2) return; int[] b = new int[a.length + k]; System.arraycopy(a, 0, b, k, a.length); if (a.length > 1 && b[k + 1] == 5) throw new AssertionError();
    }

    public void sameArray(int[] a) {
        if (a != null && a == counts && a.length > 0) { a[0] = 1; counts[0] = 2; if (a[0] == 2) throw new AssertionError(); }
    }

    public void overlap(int[] a) {
        if (a != null && a.length == 3) { System.arraycopy(a, 0, a, 1, 2); if (a[2] == 9 && a[1] == 8) throw new AssertionError(); }
    }

    public int negative(int k) {
        return new int[k].length;
    }

    // Classes.
    public int area(Shape s) {
        return s == null ? 0 : s.area();
    }

    public void nested(Pair p) {
        if (p != null && p.one instanceof Pair && ((Pair) p.one).two instanceof Square && p.two == null) throw new AssertionError();
    }

    public void equalClass(Object a, Object b) {
        if (a != null && b != null && a.getClass() == b.getClass() && a instanceof Node && ((Node) b).x == 3) throw new AssertionError();
    }

    public void box(Integer i, Integer j) {
        if (i != null && j != null && i != j && i.equals(j) && i > 200) throw new AssertionError();
    }

    public void lambda(int k) {
        Comparator<Node> c = (a, b) -> a.x - b.x; if (n != null && c.compare(n, new Node(k)) == 4) throw new AssertionError();
    }

    public void text(String s, String t) {
        if (s != null && t != null && s.length() == 2 && t.equals("b" ) && s.endsWith(t)) throw new AssertionError("at " + s);
    }

    public void set() {
        HashSet<Integer> seen = new HashSet<>(); seen.add(key); if (!seen.add(3)) throw new AssertionError();
    }

    public void caught(RuntimeException e) {
        try { if (e != null) throw e; } catch (IllegalArgumentException x) { throw new AssertionError(); }
    }

    public Integer boxed(int k) {
        Integer a = k, b = k; if (a == b && k > 100) throw new AssertionError(); return a;
    }

    public void multi() {
        int[][] m = new int[2][3]; m[1][2] = key; if (m[1][2] == 4) throw new AssertionError();
    }

    public void switched(Colour c) {
        switch (c) { case RED: key++; break; case GREEN: if (key == 2) throw new AssertionError(); }
    }

    public boolean own(Object other) {
        return other != null && other.equals(this);
    }

    // An object under two interfaces.
    interface Left {}

    interface Right {}

    static final class Both implements Left, Right {
        int v;
    }

    Left left;
    Right right;

    public void sameOfBoth() {
        if (left != null && left == right) throw new AssertionError();
    }

    public void castOfBoth() {
        if (left instanceof Right && (Right) left == right) throw new AssertionError();
    }

    public void writtenBoth() {
        if (left != null && right != null) {
            ((Both) left).v = 1;
            ((Both) right).v = 2;
            if (((Both) left).v == 2) throw new AssertionError();
        }
    }

    // A text and a class object that are known as objects only.
    public int length() {
        return o instanceof String ? ((String) o).length() : 0;
    }

    public void isClass(Object other) {
        if (other == Both.class) throw new AssertionError();
    }
}
