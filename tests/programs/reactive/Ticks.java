// Eight rounds of a counter with several commands.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Ticks {
    public static void main(String[] args) {
        int level = 0;
        int changes = 0;
        for (int round = 0; round < 8; round++) {
            switch (Verifier.nondetInt()) {
                case 0 -> level = Math.min(level + 1, 3); // wrong: case 0 -> level = level + 1;
                case 1 -> level = Math.max(level - 1, 0);
                case 2 -> level = 0;
                default -> changes++;
            }
            assert level >= 0 && level < 4;
        }
        assert changes <= 8;
    }
}
