// Measures nested int and long loops with array reads, shifts and branches; the argument is the number of outer rounds.
public class LoopNest {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 580;
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            table[i] = i * 31 ^ i >>> 2;
        }
        int isum = 0;
        long lsum = 1;
        for (int r = 0; r < rounds; r++) {
            for (int i = 0; i < 300; i++) {
                for (int j = 0; j < 300; j++) {
                    isum += table[i + j & 255] ^ j;
                    if ((isum & 1) == 0) {
                        isum ^= i << 3;
                    }
                }
            }
            for (long a = 1; a <= 200; a++) {
                for (long b = a; b <= 200; b++) {
                    lsum = lsum * 31 + (a * b ^ lsum >>> 7);
                }
            }
        }
        System.out.println("LoopNest " + rounds + " " + isum + " " + lsum);
    }
}
