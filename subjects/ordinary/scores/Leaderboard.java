// defect full, off by one: Leaderboard.submit throws ArrayIndexOutOfBoundsException
//     Leaderboard board = new Leaderboard(2);
//     board.submit("a", 1);
//     board.submit("b", 2);
//     board.submit("c", 3);
// defect last, off by one: Leaderboard.threshold throws ArrayIndexOutOfBoundsException
//     new Leaderboard(2).threshold();
package ordinary.scores;

import java.util.Objects;

/** The best scores, highest first. */
public class Leaderboard {
    private final String[] names;
    private final int[] scores;
    private int size;

    public Leaderboard(int places) {
        if (places <= 0) {
            throw new IllegalArgumentException("places: " + places);
        }
        names = new String[places];
        scores = new int[places];
    }

    /** @return the place, beginning with 1, or 0 if the score is too low */
    public int submit(String name, int score) {
        Objects.requireNonNull(name);
        int place = 0;
        while (place < size && scores[place] >= score) {
            place++;
        }
        if (place == scores.length) {
            return 0;
        }
        int last = Math.min(size, scores.length - 1); // defect full: int last = Math.min(size, scores.length);
        for (int i = last; i > place; i--) {
            scores[i] = scores[i - 1];
            names[i] = names[i - 1];
        }
        scores[place] = score;
        names[place] = name;
        if (size < scores.length) {
            size++;
        }
        return place + 1;
    }

    /** The score that must be beaten. */
    public int threshold() {
        return size < scores.length ? Integer.MIN_VALUE : scores[size - 1]; // defect last: return scores[size - 1];
    }

    public String winner() {
        return size == 0 ? null : names[0];
    }

    public int size() {
        return size;
    }
}
