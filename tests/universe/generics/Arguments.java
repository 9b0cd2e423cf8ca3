// Fields and parameters of the fixture's own generic classes hold what their type arguments say, also under wildcards, in subclasses and inner classes, and behind wider types.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer
// objects: 4
// known: all
public class Arguments {
    static class Holder<T> {
        T value;

        T get() {
            return value;
        }
    }

    static class Texts extends Holder<String> { }

    static class Labelled<L, V> extends Holder<V> {
        L label;
    }

    static class Outer<E> {
        class Inner {
            E element;
        }

        Inner first;
    }

    Holder<String> text;

    public void length(Holder<String> given) {
        assert given == null || given.value == null || given.value.length() < 2;
        assert text == null || text.get() == null || text.get().isEmpty();
    }

    public void widest(Object given) {
        if (given == text && text != null) {
            Object value = ((Holder<?>) given).get();
            assert value == null || value instanceof String;
        }
    }

    public void same(Holder<? extends CharSequence> given) {
        if (given != null && given.get() != null) {
            assert given == text || given.get().length() >= 0;
            assert given != text;
        }
    }

    public void different(Holder<Integer> given) {
        assert given == null || given.value == null || given.value < 1;
        assert (Object) given == null || (Object) given != (Object) text;
    }

    public void subclass(Texts given) {
        assert given == null || given.value == null || given.value.length() == 0;
    }

    public void handedOn(Labelled<Integer, String> given) {
        if (given != null && given.label != null && given.get() != null) {
            assert given.label + given.get().length() != 2;
        }
    }

    public void inner(Outer<String> given) {
        if (given != null && given.first != null && given.first.element != null) {
            assert given.first.element.isEmpty();
        }
    }

    public void below(Holder<Integer> given) {
        assert !((Object) given instanceof Texts);
        assert !((Object) given instanceof Labelled);
    }
}
