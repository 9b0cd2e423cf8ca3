// Checks a static field that is read before and after it is written, or not.
// target: StaticReread.run
// scope: 1
// domain: int -1..2
// statics: seen
// techniques: lazy
public class StaticReread {
    static int seen;

    static int run(int key) {
        int before = seen;
        if (key == 1) {
            return before + Math.abs(seen);
        }
        seen = key + 1;
        return seen == before ? 1 : 0;
    }
}
