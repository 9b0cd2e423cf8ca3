// Checks that this is refused: an annotation of Java that looks like JML.
public class CommentedAnnotation {
    int value;
    int[] items;
    CommentedAnnotation next;

    //@Override
    public int target(int x, CommentedAnnotation other) {
        return x;
    }

    int impure() {
        return value++;
    }

    /*@ pure @*/ int clean(int x) {
        return x;
    }

    /*@ pure @*/ int clean(long x) {
        return 1;
    }

    /*@ pure @*/ void nothing() {
    }
}
