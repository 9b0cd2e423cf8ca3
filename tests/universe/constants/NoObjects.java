// There are types without objects.
// scope: 1
// domain: int 0 1
// wide: Integer
// complete: precise eager
public class NoObjects {
    Void nothing;

    public void held() {
        assert nothing == null;
    }

    public static void given(Void given) {
        assert given == null;
    }
}
