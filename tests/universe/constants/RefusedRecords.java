// Records that their constructors refuse are in no input; those whose constructors change what they get are.
// scope: 2
// objects: 3
// domain: int -1 0 2; string a
// wide: String
// unconfirmed: even
public class RefusedRecords {
    record Range(int low, int high) {
        Range {
            if (low > high) {
                throw new IllegalArgumentException("from " + low + " to " + high);
            }
        }
    }

    record Named(String name, Range range) {
        Named {
            java.util.Objects.requireNonNull(name);
            if (name.isEmpty()) {
                throw new IllegalArgumentException();
            }
        }
    }

    record Doubled(int number) {
        Doubled {
            number = number * 2;
        }
    }

    record Filled(int[] numbers) {
        Filled {
            if (numbers.length == 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    Object held;
    Range range;

    boolean repOK() {
        return range == null || range.low() >= 0;
    }

    public static void ordered(Range range) {
        if (range != null) {
            assert range.low() <= range.high();
        }
    }

    public static void behindObject(Object any) {
        if (any instanceof Range range) {
            assert range.low() <= range.high();
        }
    }

    public static void wide(Object any) {
        if (any instanceof Range range) {
            assert range.high() - range.low() < 3;
        }
    }

    public static void text(Object any) {
        if (any instanceof Named named) {
            assert named.name().length() > 0;
        }
    }

    public static void inside(Object any) {
        if (any instanceof Named named && named.range() != null) {
            assert named.range().low() <= named.range().high();
        }
    }

    public static void filled(Object any) {
        if (any instanceof Filled filled) {
            assert filled.numbers().length > 0;
        }
    }

    public static void firstIsZero(Object any) {
        if (any instanceof Filled filled) {
            assert filled.numbers()[0] != 0;
        }
    }

    public static void even(Doubled doubled) {
        assert doubled == null || doubled.number() != 2;
    }

    public void part() {
        if (held instanceof Range other) {
            assert other.low() <= other.high();
        }
    }

    public void own() {
        assert range == null || range.high() >= 0;
    }
}
