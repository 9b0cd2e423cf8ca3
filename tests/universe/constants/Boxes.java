// Boxes in fields and arguments: equal ones may be one object or two.
// scope: 2
// domain: int 0 1 200; boolean false true; long 0 1; char a
// wide: Integer
public class Boxes {
    Integer one;
    Integer two;

    boolean repOK() {
        return one != null && one.equals(two);
    }

    public void identical() {
        assert one == two;
    }

    public void distinct() {
        assert one != two;
    }

    public void large() {
        assert one != 200;
    }

    public void step() {
        one = one + 1;
    }

    public void stepBoth() {
        if (one < 100) {
            one = one + 1;
            two = one;
        }
    }

    public static int unboxed(Integer given, Boolean flag) {
        return flag != null && flag ? given : 0;
    }
}
