// Kiasan's figure 5: an object that was made before a call by contract may come out of it, one that is made after it may not. And code that is there, by contract.
public class Figure5 {
    static class MyInt {
        int f;
    }

    static class W {
        /*@ nullable @*/ MyInt myInt;
    }

    interface Maker {
        //@ requires m != null;
        //@ assignable \nothing;
        //@ ensures \fresh(\result) && \result.myInt != null;
        W bar(MyInt m);

        //@ assignable \nothing;
        //@ ensures \result != null;
        W wrap(MyInt m);

        //@ assignable \nothing;
        //@ ensures \result > n && \result < n;
        int never(int n);

        //@ ensures \fresh(\result);
        /*@ pure @*/ MyInt another();

        /*@ pure @*/ int round(double number);
    }

    public static void foo(Maker maker, W wrapper) {
        if (wrapper != null && wrapper.myInt != null && maker != null) {
            MyInt m = new MyInt();
            int read = wrapper.myInt.f;
            W w = maker.bar(m);
            if (w.myInt == m) {
                throw new AssertionError();
            }
        }
    }

    public static void isNew(Maker maker, W wrapper) {
        if (wrapper != null && maker != null) {
            W w = maker.bar(new MyInt());
            if (w == wrapper || w.myInt == null) {
                throw new AssertionError();
            }
        }
    }

    public static void later(Maker maker) {
        if (maker != null && maker.bar(new MyInt()).myInt == new MyInt()) {
            throw new AssertionError();
        }
    }

    /** Nothing says that the result is new, and it may be. */
    public static void wraps(Maker maker) {
        if (maker != null) {
            MyInt m = new MyInt();
            if (maker.wrap(m).myInt == m) {
                throw new AssertionError();
            }
        }
    }

    /** It may also be what was there before, which does not refer to what is new. */
    public static void wrapsInput(Maker maker, W wrapper) {
        if (maker != null && wrapper != null) {
            MyInt m = new MyInt();
            W w = maker.wrap(m);
            if (w == wrapper && w.myInt == m) {
                throw new AssertionError();
            }
        }
    }

    public static void wrapsLater(Maker maker) {
        if (maker != null && maker.wrap(new MyInt()).myInt == new MyInt()) {
            throw new AssertionError();
        }
    }

    /** What it makes is another object each time, though it is pure. */
    public static void another(Maker maker) {
        if (maker != null && maker.another() == maker.another()) {
            throw new AssertionError();
        }
    }

    /** The two zeros are equal, and not the same. */
    public static void zeros(Maker maker) {
        if (maker != null && maker.round(0.0) != maker.round(-0.0)) {
            throw new AssertionError();
        }
    }

    public static void rounds(Maker maker, double number) {
        if (maker != null && maker.round(number) != maker.round(number)) {
            throw new AssertionError();
        }
    }

    public static int vain(Maker maker) {
        return maker == null ? 0 : maker.never(3);
    }

    int total;

    //@ requires n > 0;
    //@ assignable total;
    //@ ensures total == \old(total) + n;
    void bump(int n) {
        total += n;
    }

    public void bumps() {
        int before = total;
        bump(2);
        bump(3);
        if (total != before + 5) {
            throw new AssertionError();
        }
    }

    public void bumpsByNothing(int n) {
        bump(n);
    }

    //@ requires n >= 0;
    //@ assignable \nothing;
    //@ ensures \result >= n;
    static int grow(int n) {
        return n - 1;
    }

    public static int grows(int n) {
        return n < 0 ? 1 : 10 / (grow(n) + 1 - n);
    }
}
