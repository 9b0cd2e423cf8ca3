// Checks that two parameters may be the same object, and that a write through one is seen through the other.
// target: AliasedParameters.write
// scope: 2
// domain: int 0..2
public class AliasedParameters {
    static class Cell {
        int value;
    }

    static int write(Cell one, Cell other) {
        one.value = 1;
        other.value = 2;
        return one.value;
    }
}
