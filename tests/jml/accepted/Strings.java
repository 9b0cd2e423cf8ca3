// Checks texts: literals, and methods of strings.
//! check --scope 2: greet, empty
public class Strings {
    //@ ensures \result.equals("hi") && \result.length() == 2 && \result.charAt(0) == 'h';
    public static String greet() {
        return "hi";
    }

    //@ ensures \result <==> s.length() == 0;
    public static boolean empty(String s) {
        return s.isEmpty();
    }
}
