// defect visited, equals without hashCode: Robot.visits throws NullPointerException
//     Robot robot = new Robot();
//     robot.visits();
package ordinary.games;

import java.util.HashMap;
import java.util.Map;

/** Walks on a plane, and remembers how often it was where. */
public class Robot {
    private static final class Place {
        private final int x;
        private final int y;

        private Place(int x, int y) {
            this.x = x;
            this.y = y;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Place place && x == place.x && y == place.y;
        }

        @Override // defect visited:
        public int hashCode() { // defect visited:
            return 31 * x + y; // defect visited:
        } // defect visited:
    }

    public enum Heading {
        NORTH(0, 1), EAST(1, 0), SOUTH(0, -1), WEST(-1, 0);

        final int dx;
        final int dy;

        Heading(int dx, int dy) {
            this.dx = dx;
            this.dy = dy;
        }

        Heading right() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    private final Map<Place, Integer> visits = new HashMap<>();
    private int x;
    private int y;
    private Heading heading = Heading.NORTH;

    public Robot() {
        visits.put(new Place(0, 0), 1);
    }

    public void turnRight() {
        heading = heading.right();
    }

    public void forward() {
        x += heading.dx;
        y += heading.dy;
        visits.merge(new Place(x, y), 1, Integer::sum);
    }

    /** How often it was here. */
    public int visits() {
        return visits.get(new Place(x, y));
    }

    public Heading heading() {
        return heading;
    }
}
