// Checks imports, nested and outer names, constants, and static methods of other classes.
//! check --scope 2: limit, NamesFromElsewhere$Inner.deep, map
import java.util.Map;

//@ model import java.util.concurrent.*;
public class NamesFromElsewhere {
    static final int LIMIT = 5;
    static int shared;

    //@ ensures \result == LIMIT && \result == NamesFromElsewhere.LIMIT && Math.abs(-\result) == java.lang.Math.max(5, 3);
    public static int limit() {
        return 5;
    }

    static class Inner {
        //@ ensures \result == LIMIT + shared;
        public int deep() {
            return LIMIT + shared;
        }
    }

    //@ ensures \result <==> o instanceof Map.Entry || o instanceof java.util.Map || o instanceof Callable;
    public static boolean map(Object o) {
        return o instanceof Map.Entry || o instanceof Map || o instanceof java.util.concurrent.Callable;
    }
}
