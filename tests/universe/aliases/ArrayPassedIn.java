// An argument of a wider type may be an array of the receiver.
// scope: 1
// domain: int 0 8
// wide: int[] Object[] String
import java.io.Serializable;

public class ArrayPassedIn {
    int[] counts;

    boolean repOK() {
        return counts != null && counts.length == 1 && counts[0] == 0;
    }

    public void asArray(int[] given) {
        if (given != null && given.length > 0) {
            given[0] = 8;
        }
    }

    public void asObject(Object given) {
        if (given instanceof int[] numbers && numbers.length > 0) {
            numbers[0] = 8;
        }
    }

    public void asCloneable(Cloneable given) {
        if (given instanceof int[] numbers && numbers.length == 1) {
            numbers[0]++;
        }
    }

    public void asSerializable(Serializable given) {
        if (given == counts) {
            counts = null;
        }
    }

    public void onlyOthers(Object given) {
        if (given != counts && given instanceof int[] numbers && numbers.length > 0) {
            numbers[0] = 8;
        }
    }
}
