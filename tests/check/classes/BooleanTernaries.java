// Checks booleans that are computed and stored into fields and arrays.
// target: BooleanTernaries.run
// scope: 1
// k: 2
// domain: int -1..2
public class BooleanTernaries {
    boolean flag;
    boolean[] flags;

    boolean run(int a, int b) {
        boolean less = a < b;
        flag = less ? flag : !flag;
        if (flags != null && a < flags.length) {
            flags[a] ^= flag | less;
            flag &= flags[b > 0 ? 0 : a];
        }
        return flag == less;
    }
}
