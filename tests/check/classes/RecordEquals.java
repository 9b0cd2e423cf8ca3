// Checks records of inputs: their equals and accessors.
// target: RecordEquals.run
// scope: 2
// domain: int 0..1
// objects: 4
public class RecordEquals {
    static class Tag {
        int n;
    }

    record Point(int x, Tag tag) {
    }

    static int run(Tag a, Tag b, int x) {
        Point left = new Point(x, a);
        Point right = new Point(a == null ? 0 : a.n, b);
        if (left.equals(right)) {
            return left.tag() == null ? 1 : left.tag().n;
        }
        return left.x() == right.x() ? 3 : 4;
    }
}
