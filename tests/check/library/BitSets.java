// Checks a BitSet with unknown bits.
// target: BitSets.run
// scope: 1
// domain: int -1..4 63 64
public class BitSets {
    static int run(int a, int b) {
        java.util.BitSet bits = new java.util.BitSet();
        bits.set(3);
        if (a < 0 || a > 3) {
            return bits.get(b) ? -1 : -2;
        }
        bits.flip(a);
        return bits.cardinality();
    }
}
