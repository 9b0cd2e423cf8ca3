// Checks that objects of the program are never mistaken for inputs.
// target: NewObjects.make
// scope: 2
// domain: int 0..1
public class NewObjects {
    static class Node {
        int elem;
        Node next;
    }

    static boolean make(Node given) {
        Node made = new Node();
        made.next = given;
        if (made == given || given != null && given.next == made) {
            return false;
        }
        if (given != null) {
            given.next = made;
            return made.next.next == made && made.elem == 0;
        }
        return made.next == null;
    }
}
