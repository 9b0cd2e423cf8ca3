// Checks that a class has the invariants of what it extends and implements.
//! check --scope 2: InheritedInvariants$Lower.both, InheritedInvariants$Lower.leave
public class InheritedInvariants {
    protected int low;

    //@ invariant low >= 0; // broken by leave

    interface Named {
        //@ static invariant SIZE > 2;
        int SIZE = 3;
    }

    static class Lower extends InheritedInvariants implements Named {
        private int high;

        //@ invariant high > low;

        //@ ensures \result > 0;
        public int both() {
            return high;
        }

        public void leave() {
            low = -1;
        }
    }
}
