// Checks comparisons of longs that differ in their upper halves only.
// target: LongCompare.compare
// domain: long -1..1 4294967296 MIN MAX
public class LongCompare {
    static int compare(long a, long b) {
        return a < b ? -1 : a == b ? 0 : 1;
    }
}
