// An invariant looks at the elements of hash tables; the methods change what it compares them with, and look at no element.
// scope: 2
// objects: 4
// domain: int 0 5; string a b
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

public class Kept {
    private final Set<Integer> seen = new HashSet<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private int least;
    private String key;

    boolean repOK() {
        if (seen == null || counts == null) {
            return false;
        }
        for (Integer number : seen) {
            if (number == null || number < least) {
                return false;
            }
        }
        for (Map.Entry<String, Integer> count : counts.entrySet()) {
            if (count.getKey() == null || count.getValue() == null) {
                return false;
            }
        }
        return key == null || counts.containsKey(key);
    }

    public void lower(int least) {
        if (least <= this.least) {
            this.least = least;
        }
    }

    public void raise(int least) {
        this.least = least;
    }

    public void forget() {
        key = null;
    }

    public void choose(String key) {
        this.key = key;
    }

    public void clear() {
        counts.clear();
    }
}
