// An array of any objects is one of the inputs behind Object, though no place declares one.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer int[] Object[]
// objects: 3
public class RowBehindObject {
    record Pair(int n, Object of) { }

    Object any;

    public void row(Object given) {
        assert !(given instanceof Object[]) || given == any;
    }

    public void filled(Object given) {
        if (given instanceof Object[] && ((Object[]) given).length == 1) {
            assert ((Object[]) given)[0] == null || ((Object[]) given)[0] != any;
        }
    }

    public void inRecord(Pair given) {
        assert given == null || !(given.of() instanceof Object[]) || given.n() == 0;
    }
}
