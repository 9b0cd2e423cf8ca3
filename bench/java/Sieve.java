// Measures a sieve of Eratosthenes over a boolean array; the argument is the number of rounds over one million numbers.
public class Sieve {
    static int sieve(int limit) {
        boolean[] composite = new boolean[limit + 1];
        int count = 0;
        for (int i = 2; i <= limit; i++) {
            if (!composite[i]) {
                count++;
                for (long j = (long) i * i; j <= limit; j += i) {
                    composite[(int) j] = true;
                }
            }
        }
        return count;
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 36;
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            sum = sum * 31 + sieve(1_000_000 - r);
        }
        System.out.println("Sieve " + rounds + " " + sum);
    }
}
