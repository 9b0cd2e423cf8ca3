//! check Wide.one
//! check Wide.fill
//! check Wide.fillObjects
//! check Wide.copies
//! check Wide.doubling
//! check Wide.clones
//! check Wide.table
//! check Wide.sort
//! check Wide.sortObjects
//! check Wide.equal
//! check Wide.many
//! check Wide.unknownLength
//! check Wide.unknownIndex
//! check Wide.range
//! check Wide.kept
//! check Wide.stream

import java.util.*;
import java.util.stream.IntStream;

/** Large arrays: made, filled, copied, sorted, compared. */
public class Wide {
    public static int one(int a) { return new long[100_000_000].length / a; }

    public static int fill(int a) {
        byte[] all = new byte[500_000_000];
        for (int i = 0; i < 1000; i++) Arrays.fill(all, (byte) i);
        return all[7] / a;
    }

    public static int fillObjects(int a) {
        Object[] all = new Object[60_000_000];
        for (int i = 0; i < 1000; i++) Arrays.fill(all, "x");
        return all.length / a;
    }

    public static int copies(int a) {
        int[] from = new int[20_000_000], to = new int[20_000_000];
        for (int i = 0; i < 100_000; i++) System.arraycopy(from, 0, to, 1, from.length - 1);
        return to[5] / a;
    }

    public static int doubling(int a) {
        int[] all = {1};
        while (all.length < 1 << 29) all = Arrays.copyOf(all, all.length * 2);
        return all.length / a;
    }

    public static int clones(int a) {
        List<Object> kept = new ArrayList<>();
        byte[] some = new byte[10_000_000];
        for (int i = 0; i < 10_000; i++) kept.add(some.clone());
        return kept.size() / a;
    }

    public static int table(int a) { return new int[20_000][20_000][3].length / a; }

    public static int sort(int a) {
        int[] all = new int[20_000_000];
        for (int i = 0; i < all.length; i++) all[i] = i * 31 ^ i >>> 3;
        Arrays.sort(all);
        return all[0] / a;
    }

    public static int sortObjects(int a) {
        Integer[] all = new Integer[3_000_000];
        for (int i = 0; i < all.length; i++) all[i] = i * 31 ^ i >>> 3;
        Arrays.sort(all, Comparator.reverseOrder());
        return all[0] / a;
    }

    public static int equal(int a) {
        byte[] one = new byte[90_000_000], other = new byte[90_000_000];
        int n = 0;
        for (int i = 0; i < 10_000; i++) if (Arrays.equals(one, other) && Arrays.hashCode(one) == 0) n++;
        return n / a;
    }

    public static int many(int a) {
        Object[] last = null;
        for (int i = 0; i < 100_000_000; i++) last = new Object[] {last, new int[10]};
        return last.length / a;
    }

    public static int unknownLength(int n) {
        if (n < 0) return 0;
        int[] all = new int[n];
        for (int i = 0; i < n; i++) all[i] = i;
        return n == 1_000_000 ? 1 / (all[3] - 3) : 0;
    }

    public static int unknownIndex(int i, int j) {
        int[] all = new int[30_000_000];
        all[i] = 1;
        all[j] = 2;
        return 1 / (all[i] + all[j] - all[i ^ j]);
    }

    public static int range(int a) { return new ArrayList<>(Collections.nCopies(300_000_000, a)).size() / a; }

    public static int kept(int a) {
        BitSet set = new BitSet(Integer.MAX_VALUE);
        for (int i = 0; i >= 0; i += 64) set.set(i);
        return set.cardinality() / a;
    }

    public static int stream(int a) { return IntStream.range(0, 2_000_000_000).map(i -> i ^ a).filter(i -> i % 7 == 3).sum(); }
}
