// Checks that static fields with initialisers have the values that these gave them.
// target: StaticInitialised.lookUp
// domain: int -1..3
public class StaticInitialised {
    private static final int[] TABLE = {10, 20, 30};
    private static final int LIMIT = Integer.parseInt("2");

    static int lookUp(int index) {
        return index > LIMIT ? -1 : TABLE[index];
    }
}
