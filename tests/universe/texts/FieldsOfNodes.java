// Strings in fields that the invariant looks at, and that the method does not.
// scope: 2
// domain: int 0; string a
// objects: 5
public class FieldsOfNodes {
    static class Node { String name; Node next; }

    Node first;
    String title;

    boolean repOK() {
        int count = 0;
        for (Node node = first; node != null; node = node.next) {
            if (node.name == null || ++count > 1) {
                return false;
            }
        }
        return title != null;
    }

    public void add(String name) {
        if (name != null) {
            Node node = new Node();
            node.name = name;
            node.next = first;
            first = node;
        }
    }

    public void rename(String name) {
        if (first != null) {
            first.name = name;
        }
    }

    public void shorter() {
        assert first == null || title.length() + first.name.length() < 2;
    }
}
