// Classes some of which the tests take away or break. The tests say which.

class Base {
    int b;
}

class Sub extends Base {
    int s;

    static Sub make() {
        return new Sub();
    }
}

class Below extends Sub {
    int divide(int x) {
        return 10 / x;
    }
}

interface Face {
    int one();
}

class Faced implements Face {
    public int one() {
        return 1;
    }

    int two() {
        return 2;
    }
}

class Unchecked extends RuntimeException {}

class Checked extends Exception {}

@interface Mark {}

@Mark
class Marked {
    @Mark int divisor;

    @Mark
    int divide(@Mark int x) {
        return x / divisor;
    }
}

class Helper {
    int field;

    static int twice(int x) {
        return 2 * x;
    }
}

class Started {
    static final Sub SUB = Sub.make();

    static int same(int x) {
        return x;
    }
}

class User {
    Sub held;
    int number;

    boolean repOK() {
        return number >= 0;
    }

    int divide(int x) {
        return 10 / x;
    }

    int compare(int x) {
        return x == 3 ? 1 : 2;
    }

    int readsField() {
        return held == null ? 0 : 1;
    }

    int takes(Sub sub) {
        return 1;
    }

    Sub gives() {
        return null;
    }

    Base order(int x) {
        int[] a = new int[1];
        a[x] = 1;
        return Sub.make();
    }

    Base either(boolean which) {
        Base base = which ? new Sub() : new Base();
        return base;
    }

    int catchesAll(int x) {
        try {
            return Sub.make().s;
        } catch (Throwable throwable) {
            return 10 / x;
        }
    }

    int catchesOwn(int x) {
        try {
            return 10 / x;
        } catch (Unchecked unchecked) {
            return 0;
        }
    }

    int declares(int x) throws Checked {
        return x == 1 ? 1 : 0;
    }

    int asks(int x) {
        try {
            Class.forName("Sub");
            return 1;
        } catch (ClassNotFoundException notFound) {
            return 10 / x;
        }
    }

    int tests(Object object) {
        return object instanceof Face ? 1 : 2;
    }

    int callsHelper(int x) {
        return Helper.twice(x);
    }

    int readsHelper() {
        return new Helper().field;
    }
}

class Chain {
    Chain next;
    int size;

    static native int memory();

    int walk() {
        if (size == 77) {
            return memory();
        }
        int length = 0;
        for (Chain chain = next; chain != null && length < 4; chain = chain.next) {
            length++;
        }
        return 1 / (3 - length);
    }
}
