// Checks the library's equality, which accepts null, over an equals method of our own.
// target: ObjectsEquals.isSame
// scope: 2
// domain: int 0..1
public class ObjectsEquals {
    static class Key {
        int id;

        @Override
        public boolean equals(Object other) {
            return other instanceof Key && ((Key) other).id == id;
        }

        @Override
        public int hashCode() {
            return id;
        }
    }

    static boolean isSame(Key left, Key right) {
        return java.util.Objects.equals(left, right);
    }
}
