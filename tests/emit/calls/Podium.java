//! check calls.Podium.best AssertionError
package calls;

import java.util.ArrayList;
import java.util.List;

/** Six calls make two runners of whom one has points, and enter both: more than are tried in all orders. */
public class Podium {
    public static class Runner {
        private int points;

        public void score(int more) {
            if (more <= 0 || more > 100 || points > 1_000_000) {
                throw new IllegalArgumentException("points");
            }
            points += more;
        }
    }

    private final List<Runner> runners = new ArrayList<>();

    public void enter(Runner runner) {
        if (runner == null || runners.contains(runner)) {
            throw new IllegalArgumentException("runner");
        }
        runners.add(runner);
    }

    public int best() {
        Runner best = null;
        for (Runner runner : runners) {
            if (best == null || runner.points < best.points) { // mended: if (best == null || runner.points > best.points) {
                best = runner;
            }
        }
        for (Runner runner : runners) {
            assert runner.points <= best.points;
        }
        return best == null ? 0 : best.points;
    }
}
