/** Sorted chains with a cap on the walk, so that cyclic ones end too. */
public class Chains {
    static class Link {
        int value;
        Link next;
    }

    static boolean insert(Link first, int value) {
        Link at = first;
        for (int steps = 0; steps < 150; steps++) {
            if (at.next == null || at.next.value >= value) {
                Link link = new Link();
                link.value = value;
                link.next = at.next;
                at.next = link;
                return true;
            }
            at = at.next;
        }
        return false;
    }
}
