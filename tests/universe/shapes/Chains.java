// Two sorts of objects that refer to each other by turns, and a sentinel of one of them.
// shapes: yes
// scope: 2
// domain: int 0
public class Chains {
    static final class Left { Right other; }

    static final class Right { Left other; }

    static final class Box { Left link; }

    static final Left NONE = new Left();

    Box first;
    Box second;

    boolean repOK() {
        if (first == null || first.link == null || first == second) {
            return false;
        }
        if (second != null && second.link == null) {
            return false;
        }
        return ends(first.link) && (second == null || ends(second.link));
    }

    private static boolean ends(Left link) {
        for (int steps = 0; steps < 3; steps++) {
            if (link == NONE || link.other == null || link.other.other == null) {
                return true;
            }
            link = link.other.other;
        }
        return false;
    }
}
