// Checks streams and optionals over an input array.
// target: Streams.run
// scope: 1
// k: 2
// domain: int -1..2 100 1073741824
public class Streams {
    static int run(int[] a) {
        int sum = java.util.Arrays.stream(a).filter(n -> n > 0).map(n -> n * 2).sum();
        java.util.OptionalInt most = java.util.Arrays.stream(a).max();
        return most.isPresent() ? sum - most.getAsInt() : -1;
    }
}
