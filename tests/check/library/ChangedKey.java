// Checks a key that changes while it is in a HashMap: it is looked for where it is no more.
// target: ChangedKey.run
// scope: 1
// domain: int -1..2 16
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

public class ChangedKey {
    static final class Key {
        int value;

        Key(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            return Objects.hash(value);
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.value == value;
        }
    }

    static int run(int before, int after, int looked) {
        Set<Key> set = new HashSet<>();
        Key key = new Key(before);
        set.add(key);
        key.value = after;
        int found = (set.contains(key) ? 1 : 0) + (set.contains(new Key(looked)) ? 2 : 0);
        return found + (set.add(key) ? 4 : 0) + set.size() * 8;
    }
}
