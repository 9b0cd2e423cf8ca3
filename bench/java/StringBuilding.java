// Measures StringBuilder appends, string concatenation, hashing and searching; the argument is the number of rounds.
public class StringBuilding {
    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 280;
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            StringBuilder sb = new StringBuilder();
            for (int i = 0; i < 1000; i++) {
                sb.append("item").append(i).append('=').append(i * r).append(i % 10 == 0 ? "\n" : ";");
            }
            String text = sb.toString();
            sum = sum * 31 + text.hashCode() + text.length();
            int lines = 0;
            for (int at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
                lines++;
                sum += text.charAt(at - 1);
            }
            String s = "";
            for (int i = 0; i < 200; i++) {
                s = s + i + ":" + (char) ('a' + i % 26);
                sum += s.length();
            }
            sum ^= s.hashCode();
            String key = "k" + r + "/" + lines + "/" + sum;
            sum += key.hashCode();
            if ((text.substring(0, 10) + key).equals("item0=0\nit" + key)) {
                sum += 7;
            }
        }
        System.out.println("StringBuilding " + rounds + " " + sum);
    }
}
