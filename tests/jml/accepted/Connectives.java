// Checks the connectives of JML, which bind as they should.
//! check --scope 1: all, precedence, differ
public class Connectives {
    //@ ensures (a ==> b) == (!a || b);
    //@ ensures (a <== b) == (a || !b);
    //@ ensures (a <==> b) == (a == b);
    //@ ensures (a <=!=> b) == (a != b);
    //@ ensures (a & b) == (a && b) && (a | b) == (a || b) && (a ^ b) == (a != b);
    public static void all(boolean a, boolean b) {
    }

    //@ ensures (a ==> b ==> c) == (!a || !b || c);
    //@ ensures (a || b ==> c && a) == (!(a || b) || (c && a));
    //@ ensures (a ==> b <==> c) == ((!a || b) == c);
    //@ ensures (a ? b : c) == (a && b || !a && c);
    public static void precedence(boolean a, boolean b, boolean c) {
    }

    //@ ensures a <=!=> b; // broken by differ
    public static void differ(boolean a, boolean b) {
    }
}
