// Checks an equals method in the usual form.
// target: EqualsMethod$Point.isEqualTo
// scope: 2
// domain: int 0..1
public class EqualsMethod {
    static class Place {
        int z;
    }

    static class Point extends Place {
        int x;
        int y;

        boolean isEqualTo(Place other) {
            if (this == other) {
                return true;
            }
            if (other == null || getClass() != other.getClass()) {
                return false;
            }
            Point point = (Point) other;
            return x == point.x && y == point.y;
        }
    }
}
