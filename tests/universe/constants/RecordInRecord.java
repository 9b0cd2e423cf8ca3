// The components of a record are there before it: no record is one of its own.
// scope: 2
// objects: 3
// domain: int 0
// wide: Integer
// complete: precise eager
public class RecordInRecord {
    record Box(Object of) { }

    Box box;

    public void itself() {
        assert box == null || box.of() != box;
    }

    public void twice() {
        assert box == null || !(box.of() instanceof Box inner) || inner.of() != box;
    }
}
