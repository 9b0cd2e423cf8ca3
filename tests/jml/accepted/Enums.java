// Checks that constants of enumerations have names, and that members behind them are read.
//! check --scope 2: red, next
public class Enums {
    enum Color { RED, GREEN { }; int weight; }

    //@ ensures \result <==> c == Color.RED;
    public static boolean red(Color c) {
        return c == Color.RED;
    }

    //@ ensures \result != c; // broken by next
    public static Color next(Color c) {
        return Color.GREEN;
    }
}
