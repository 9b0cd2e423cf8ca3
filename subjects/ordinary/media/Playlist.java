// defect cursor, stale index: Playlist.current throws IndexOutOfBoundsException
//     Playlist list = new Playlist();
//     list.add("a");
//     list.add("b");
//     list.next();
//     list.remove(0);
//     list.current();
// defect shuffled, aliasing of a returned list: Playlist.totalPlays throws IndexOutOfBoundsException
//     Playlist list = new Playlist();
//     list.add("a");
//     list.titles().clear();
//     list.totalPlays();
package ordinary.media;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Titles, and how often each was played. */
public class Playlist {
    private final List<String> titles = new ArrayList<>();
    private final List<Integer> plays = new ArrayList<>();
    private int cursor;

    public void add(String title) {
        titles.add(Objects.requireNonNull(title));
        plays.add(0);
    }

    public void remove(int index) {
        Objects.checkIndex(index, titles.size());
        titles.remove(index);
        plays.remove(index);
        if (cursor > index || cursor == titles.size()) { // defect cursor: if (cursor > index && cursor == titles.size() + 1) {
            cursor = Math.max(0, cursor - 1);
        }
    }

    public String current() {
        return titles.isEmpty() ? null : titles.get(cursor);
    }

    public String next() {
        if (titles.isEmpty()) {
            return null;
        }
        plays.set(cursor, plays.get(cursor) + 1);
        cursor = (cursor + 1) % titles.size();
        return current();
    }

    public List<String> titles() {
        return new ArrayList<>(titles); // defect shuffled: return titles;
    }

    public int totalPlays() {
        int total = 0;
        for (int i = 0; i < plays.size(); i++) {
            if (!titles.get(i).isEmpty()) {
                total += plays.get(i);
            }
        }
        return total;
    }
}
