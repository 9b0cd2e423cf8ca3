// Null that the code around hands over, to an earlier call or inside of an argument, and null that the class itself leaves.
package m;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Handed {
    private final String name;
    private final Map<String, Integer> counts = new HashMap<>();
    private String last;

    public Handed(String name) {
        this.name = name;
    }

    public void count(String word, Integer number) { //:
        counts.put(word, number);
    }

    public void remember(String word) { //:
        last = word;
    }

    public int byConstructor() { //: null-argument NullPointerException
        return name.length();
    }

    // Nothing was remembered: no caller handed null over.
    public int byItself() { //: defect NullPointerException
        return last.length();
    }

    // The word was never counted, or null was counted.
    public int byMap(String word) { //: defect NullPointerException
        return counts.get(word);
    }

    public static int inList(List<String> words) { //: null-argument NullPointerException, null-argument NullPointerException words
        int sum = 0;
        for (String word : words) {
            sum += word.length();
        }
        return sum;
    }

    public static int inArray(String[] words) { //: null-argument NullPointerException, null-argument NullPointerException words
        return words.length == 0 ? 0 : words[0].length();
    }

    public static int inRows(int[][] rows) { //: null-argument NullPointerException, null-argument NullPointerException rows
        return rows.length == 0 ? 0 : rows[0].length;
    }

    // An array of the method's own.
    public static int inOwn(int length) { //: defect NullPointerException
        String[] own = new String[2];
        return length != 2 ? 0 : own[1].length();
    }

    public static int byLetters(CharSequence text) { //: defect StringIndexOutOfBoundsException, null-argument NullPointerException text
        return text.charAt(0);
    }

    public static <T extends Comparable<T>> T larger(T one, T other) { //: rejection ClassCastException, null-argument NullPointerException one
        return one.compareTo(other) < 0 ? other : one;
    }

    public static int whole(Number number) { //: null-argument NullPointerException number
        return number.intValue();
    }
}
