// Checks keys with a hashCode of their own that some unequal keys share, and that does not always fit equals.
// target: CodedKeys.run
// scope: 1
// domain: int -3..4
import java.util.HashMap;
import java.util.Map;

public class CodedKeys {
    static final class Key {
        final int value;

        Key(int value) {
            this.value = value;
        }

        @Override
        public int hashCode() {
            return value / 2;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key && key.value * key.value == value * value;
        }
    }

    static int run(int a, int b) {
        Map<Key, Integer> map = new HashMap<>();
        map.put(new Key(a), 1);
        map.put(new Key(b), 2);
        Integer found = map.get(new Key(2));
        return map.size() * 10 + (found == null ? 0 : found);
    }
}
