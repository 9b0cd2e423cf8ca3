// There may be more sentinels than are tried one by one: whoever compares an input with the last one gets no false answer.
// scope: 1
// domain: int 0 1
public class ManySentinels {
    static class Node { Node next; }

    static final Node N0 = new Node();
    static final Node N1 = new Node();
    static final Node N2 = new Node();
    static final Node N3 = new Node();
    static final Node N4 = new Node();
    static final Node N5 = new Node();
    static final Node N6 = new Node();
    static final Node N7 = new Node();
    static final Node N8 = new Node();
    static final Node N9 = new Node();
    static final Node N10 = new Node();
    static final Node N11 = new Node();
    static final Node N12 = new Node();
    static final Node N13 = new Node();
    static final Node N14 = new Node();
    static final Node N15 = new Node();
    static final Node N16 = new Node();
    static final Node N17 = new Node();

    Node first;

    public void last() {
        assert first != N17;
    }

    public void middle() {
        assert first == null || first.next != N5;
    }

    public static void given(Node given) {
        assert given != N17;
    }

    public static void behind(Object given) {
        assert given != N17;
    }

    public static void different(Node given) {
        assert given != N16 || given != N17;
    }
}
