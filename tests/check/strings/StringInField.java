// Checks strings in fields of objects.
// target: StringInField.isKnown
// scope: 2
// domain: string ab
public class StringInField {
    static class Entry {
        String name;
        Entry next;
    }

    Entry first;

    boolean isKnown(String name) {
        Entry entry = first;
        for (int steps = 0; entry != null && steps < 2; steps++) {
            if (entry.name.equals(name)) {
                return true;
            }
            entry = entry.next;
        }
        return false;
    }
}
