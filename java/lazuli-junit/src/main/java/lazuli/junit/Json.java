package lazuli.junit;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads JSON into maps, lists, strings, numbers, booleans and null. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** All values of a text, one after the other. */
    static List<Object> all(String text) {
        Json json = new Json(text);
        List<Object> values = new ArrayList<>();
        for (json.skip(); json.at < text.length(); json.skip()) {
            values.add(json.value());
        }
        return values;
    }

    private Object value() {
        skip();
        char first = peek();
        switch (first) {
            case '{':
                return object();
            case '[':
                return array();
            case '"':
                return string();
            default:
                return word();
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        for (skip(); peek() != '}'; skip()) {
            String name = string();
            expect(':');
            members.put(name, value());
            skip();
            if (peek() == ',') {
                at++;
            }
        }
        at++;
        return members;
    }

    private List<Object> array() {
        List<Object> elements = new ArrayList<>();
        at++;
        for (skip(); peek() != ']'; skip()) {
            elements.add(value());
            skip();
            if (peek() == ',') {
                at++;
            }
        }
        at++;
        return elements;
    }

    private String string() {
        expect('"');
        StringBuilder read = new StringBuilder();
        while (peek() != '"') {
            char next = text.charAt(at++);
            if (next != '\\') {
                read.append(next);
                continue;
            }
            char escaped = peek();
            at++;
            switch (escaped) {
                case 'n' -> read.append('\n');
                case 't' -> read.append('\t');
                case 'r' -> read.append('\r');
                case 'b' -> read.append('\b');
                case 'f' -> read.append('\f');
                case 'u' -> {
                    read.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                }
                default -> read.append(escaped);
            }
        }
        at++;
        return read.toString();
    }

    private Object word() {
        int begin = at;
        while (at < text.length() && ",]} \t\r\n".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String word = text.substring(begin, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            default -> Double.valueOf(word);
        };
    }

    private void expect(char wanted) {
        skip();
        if (peek() != wanted) {
            throw new IllegalArgumentException("no JSON at " + at + ": " + wanted + " is missing");
        }
        at++;
    }

    private char peek() {
        if (at >= text.length()) {
            throw new IllegalArgumentException("the JSON ends too early");
        }
        return text.charAt(at);
    }

    private void skip() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }
}
