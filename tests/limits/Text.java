//! check Text.concat
//! check Text.builder
//! check Text.repeat
//! check Text.replace
//! check Text.regex
//! check Text.format
//! check Text.split
//! check Text.unknown
//! check Text.shout
//! check Text.compare

/** Long strings: each method asks for more time or memory than there is. */
public class Text {
    public static int concat(int a) {
        String s = "";
        for (int i = 0; i < 1_000_000; i++) s += i;
        return s.length() / a;
    }

    public static int builder(int a) {
        StringBuilder s = new StringBuilder();
        while (s.length() < 900_000_000) s.append("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef");
        return s.toString().length() / a;
    }

    public static int repeat(int a) {
        int n = 0;
        for (int i = 0; i < 1000; i++) n += "wide \u4e2d".repeat(50_000_000).length();
        return n / a;
    }

    public static int replace(int a) {
        String s = "x";
        for (int i = 0; i < 40; i++) s = s.replace("x", "xx");
        return s.length() / a;
    }

    public static int regex(int a) {
        return "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!".matches("(a+)+b") ? a : 1 / a;
    }

    public static int format(int a) {
        return String.format("%800000000d", 7).length() / a;
    }

    public static int split(int a) {
        return "a,b".repeat(30_000_000).split(",").length / a;
    }

    public static int unknown(String s, String t) {
        int n = 0;
        for (int i = 0; i < 30; i++) if ((s + t + i).contains(t + s)) n++;
        return n;
    }

    public static int shout(char[] letters) {
        String s = new String(letters);
        for (int i = 0; i < 100; i++) s = s + s.toUpperCase() + s.trim();
        return s.length();
    }

    public static int compare(int a) {
        String s = "y".repeat(100_000_000), t = "y".repeat(100_000_000);
        int n = 0;
        for (int i = 0; i < 10_000; i++) if (s.equals(t) && s.hashCode() == t.hashCode() && s.indexOf("yz") < 0) n++;
        return n / a;
    }
}
