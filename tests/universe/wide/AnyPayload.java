// A field of type Object may hold strings, boxes, arrays, own objects, and others.
// scope: 1
// domain: int 0 1; string a
// wide: String Integer Double int[] Object[] String[]
public class AnyPayload {
    static class Own { int n; }

    Object any;
    int state;

    boolean repOK() {
        return state == 0;
    }

    public void text() {
        state = any instanceof String ? 1 : 0;
    }

    public void box() {
        state = any instanceof Integer ? 1 : 0;
    }

    public void number() {
        state = any instanceof Number n && n.doubleValue() == 1.0 ? 1 : 0;
    }

    public void numbers() {
        state = any instanceof int[] ? 1 : 0;
    }

    public void objects() {
        state = any instanceof Object[] ? 1 : 0;
    }

    public void texts() {
        state = any instanceof String[] ? 1 : 0;
    }

    public void own() {
        state = any instanceof Own ? 1 : 0;
    }

    public void itself() {
        state = any == this ? 1 : 0;
    }

    public void other() {
        boolean isKnown = any == null || any instanceof String || any instanceof Number || any instanceof Own
                || any instanceof AnyPayload || any.getClass().isArray() || any instanceof Character || any instanceof Boolean;
        state = isKnown ? 0 : 1;
    }

    public void nothing() {
        state = any == null ? 0 : any != any ? 1 : 0;
    }
}
