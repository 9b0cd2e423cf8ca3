// Checks a HashSet of unknown strings: the order in which it is walked follows from their hash codes.
// target: TextsOfHashSet.run
// scope: 3
// k: 1
// domain: string ar0
// paths-outside-domain: 2
import java.util.HashSet;
import java.util.Set;

public class TextsOfHashSet {
    static int run(String a, String b) {
        Set<String> set = new HashSet<>();
        set.add(a);
        set.add(b);
        int position = 0;
        for (String text : set) {
            position++;
            if (text == a) {
                return set.size() * 10 + position;
            }
        }
        return -1;
    }
}
