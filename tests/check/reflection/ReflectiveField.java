// Checks that fields are read by reflection where nobody has looked at them yet.
// target: ReflectiveField.read
// scope: 2
// domain: int -1..2
public class ReflectiveField {
    int key;
    ReflectiveField next;

    static int read(ReflectiveField node) throws Exception {
        if (node == null) {
            return -1;
        }
        Object next = ReflectiveField.class.getDeclaredField("next").get(node);
        if (next == node) {
            return -2;
        }
        return ReflectiveField.class.getDeclaredField("key").getInt(node) == 2 ? 1 : 0;
    }
}
