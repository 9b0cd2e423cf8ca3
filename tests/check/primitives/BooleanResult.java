// Checks a boolean that is computed, kept and returned.
// target: BooleanResult.toggle
// domain: int -1..1
public class BooleanResult {
    boolean isOn;
    int changes;

    boolean toggle(boolean wanted) {
        boolean changed = isOn != wanted;
        isOn = wanted;
        if (changed) {
            changes++;
        }
        return !changed;
    }
}
