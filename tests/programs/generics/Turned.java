// A pair that is turned around.
//! values: 0 1 2
import org.sosy_lab.sv_benchmarks.Verifier;

public class Turned {
    static class Pair<A, B> {
        final A first;
        final B second;

        Pair(A first, B second) {
            this.first = first;
            this.second = second;
        }

        @SuppressWarnings("unchecked")
        Pair<B, A> swapped() {
            return new Pair<>(second, first); // wrong: return (Pair<B, A>) this;
        }
    }

    public static void main(String[] args) {
        int left = Verifier.nondetInt(), right = Verifier.nondetInt();
        Pair<Integer, Integer> pair = new Pair<>(left, right).swapped();
        assert pair.first == right && pair.second == left;
    }
}
