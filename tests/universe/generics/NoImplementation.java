// A type that no class on the class path implements: there may be objects of it elsewhere, so that nothing holds for all inputs.
// scope: 1
// domain: int 0 1
// goes-wrong: given held element
public class NoImplementation<T extends NoImplementation.Shape> {
    abstract static class Shape {
        abstract int area();
    }

    T shape;

    public static void given(Shape given) {
        assert given == null;
    }

    public void held() {
        assert shape == null;
    }

    public static void element(Shape[] given) {
        assert given == null || given.length == 0 || given[0] == null;
    }
}
