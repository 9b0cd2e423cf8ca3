// calls: 3
// classes: Frozen
// ints: 1
// Fields that hold an ArrayList first, and a list that refuses changes later.
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

class Frozen {
    private List<Integer> copied = new ArrayList<>();
    private List<Integer> viewed = new ArrayList<>();
    private List<Integer> kept = new ArrayList<>();

    void copy() {
        copied = List.copyOf(copied);
    }

    void view() {
        viewed = Collections.unmodifiableList(viewed);
    }

    void renew() {
        kept = new ArrayList<>(kept);
    }

    void checkCopied(int item) {
        copied.add(item);
    }

    void checkViewed(int item) {
        viewed.add(item);
    }

    void checkKept(int item) {
        kept.add(item);
    }
}
