import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which values may a primitive or a string of an input have? Written as
 * <pre>int -2..2 MIN MAX; char a..c; float NaN -0.0 1.5; string ab; key 0 1</pre>
 * where a line may speak of a type, or of a parameter or field of that name; <code>a[]</code> are the elements of an array
 * that was found in <code>a</code>.
 */
final class Domain {
    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, List<Object>> known = new HashMap<>();
    private final int longest;

    Domain(String text, int longest) {
        this.longest = longest;
        for (String line : List.of("boolean false true", "byte -1..1", "short -1..1", "char a..b", "int -1..1",
                "long -1..1", "float -1.0 0.0 1.0", "double -1.0 0.0 1.0", "string ab")) {
            put(line);
        }
        for (String line : text.split(";")) {
            if (!line.isBlank()) {
                put(line.strip());
            }
        }
    }

    private void put(String line) {
        String[] parts = line.split("\\s+", 2);
        texts.put(parts[0], parts.length > 1 ? parts[1] : "");
    }

    /** The values of a primitive type, boxed. */
    List<Object> primitives(Class<?> type, String name) {
        String key = texts.containsKey(name) ? name : type.getName();
        return known.computeIfAbsent(key + " " + type, ignored -> parse(type, texts.get(key)));
    }

    /** Strings over the alphabet, short ones first. */
    List<Object> strings(String name) {
        String key = texts.containsKey(name) ? name : "string";
        return known.computeIfAbsent(key + " string", ignored -> words(unescape(texts.get(key))));
    }

    private List<Object> words(String alphabet) {
        List<Object> all = new ArrayList<>();
        all.add("");
        int from = 0;
        for (int length = 1; length <= longest; length++) {
            int to = all.size();
            for (; from < to; from++) {
                for (char letter : alphabet.toCharArray()) {
                    all.add((String) all.get(from) + letter);
                }
            }
        }
        return all;
    }

    private static List<Object> parse(Class<?> type, String text) {
        List<Object> values = new ArrayList<>();
        for (String part : text.split("\\s+")) {
            int dots = part.indexOf("..");
            if (dots < 0) {
                values.add(single(type, part));
                continue;
            }
            long from = whole(single(type, part.substring(0, dots)));
            long to = whole(single(type, part.substring(dots + 2)));
            for (long value = from; value <= to; value++) {
                values.add(narrow(type, value));
            }
        }
        return values;
    }

    private static Object single(Class<?> type, String text) {
        if (type == boolean.class) {
            return Boolean.valueOf(text);
        }
        if (type == char.class) {
            return unescape(text).charAt(0);
        }
        boolean least = text.equals("MIN");
        boolean greatest = text.equals("MAX");
        if (type == float.class) {
            return least ? Float.MIN_VALUE : greatest ? Float.MAX_VALUE : Float.parseFloat(text);
        }
        if (type == double.class) {
            return least ? Double.MIN_VALUE : greatest ? Double.MAX_VALUE : Double.parseDouble(text);
        }
        int bits = type == byte.class ? 8 : type == short.class ? 16 : type == int.class ? 32 : 64;
        long smallest = Long.MIN_VALUE >> (64 - bits);
        return narrow(type, least ? smallest : greatest ? ~smallest : Long.parseLong(text));
    }

    private static long whole(Object value) {
        return value instanceof Character ? (Character) value : ((Number) value).longValue();
    }

    private static Object narrow(Class<?> type, long value) {
        if (type == char.class) {
            return (char) value;
        }
        if (type == byte.class) {
            return (byte) value;
        }
        if (type == short.class) {
            return (short) value;
        }
        if (type == int.class) {
            return (int) value;
        }
        if (type == long.class) {
            return value;
        }
        throw new IllegalArgumentException("no ranges of " + type);
    }

    /** Characters may be written as <code>\\u0041</code>, because blanks and semicolons separate. */
    private static String unescape(String text) {
        StringBuilder plain = new StringBuilder();
        for (int at = 0; at < text.length(); at++) {
            if (text.startsWith("\\u", at)) {
                plain.append((char) Integer.parseInt(text.substring(at + 2, at + 6), 16));
                at += 5;
            } else {
                plain.append(text.charAt(at));
            }
        }
        return plain.toString();
    }
}
