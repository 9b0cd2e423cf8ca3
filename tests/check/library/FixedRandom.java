// Checks a generator with a fixed seed whose numbers decide together with the input.
// target: FixedRandom.run
// scope: 1
// domain: int -1..5
public class FixedRandom {
    static int run(int n) {
        java.util.Random random = new java.util.Random(42);
        int drawn = random.nextInt(5);
        return n == drawn ? 1 : n < 0 ? random.nextInt(3) : 2;
    }
}
