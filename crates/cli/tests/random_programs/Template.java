package made.up;

import java.util.Set;
import java.util.TreeSet;

public class $NAME {
    static class A {
        A next;
        B other;
        int n;

        $INVARIANT

        $STATICint run(A a, B b, int k) {
            A c = null;
            B d = null;
            int m = 0;
            long v = 0;
$BODY
            return m;
        }

        static int help(A a, B b, int k, int depth) {
            A c = a;
            B d = b;
            int m = k;
            long v = 1;
$HELP
            return m;
        }

        A pick(A one, boolean isThis) {
            return isThis ? this : one;
        }
    }

    static class B {
        A back;
        boolean flag;
        long w;

        void swap(B with) {
            A kept = back;
            back = with.back;
            with.back = kept;
        }
    }

    /** The faults of inputs with at most two objects of each class, of which one in so many is run. */
    static Set<String> faults(int stride) {
        Set<String> found = new TreeSet<>();
        A[] as = {null, new A(), new A()};
        B[] bs = {null, new B(), new B()};
        for (int number = 0; number < 486 * 486 * 18; number += stride) {
            int rest = number;
            for (int at = 1; at <= 2; at++) {
                as[at].next = as[rest % 3];
                rest /= 3;
                as[at].other = bs[rest % 3];
                rest /= 3;
                as[at].n = rest % 3 - 1;
                rest /= 3;
                bs[at].back = as[rest % 3];
                rest /= 3;
                bs[at].flag = rest % 2 == 1;
                rest /= 2;
                bs[at].w = rest % 3 - 1;
                rest /= 3;
            }
            A a = as[rest % 3];
            rest /= 3;
            // Objects have no names: the other one would not be anything new.
            B b = bs[rest % 2];
            rest /= 2;
            int k = rest - 1;
            if (!($ARE_VALID)) {
                continue;
            }
            try {
                $TARGET.run(a, b, k);
                if (!($IS_VALID_AGAIN)) {
                    found.add("invariant");
                }
            } catch (RuntimeException | AssertionError exception) {
                found.add(exception.getClass().getSimpleName() + " $NAME.java:" + exception.getStackTrace()[0].getLineNumber());
            }
        }
        return found;
    }
}
