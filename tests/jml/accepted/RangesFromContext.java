// Checks that the range of a quantifier follows from all that is said of its variable, and from its type.
//! check --scope 3: implied, both, either, eitherOf, chained, downwards, letters, small, sums, exists
public class RangesFromContext {
    private int[] items = {};
    private int count;

    //@ requires items != null && 0 <= count && count <= items.length;
    //@ ensures (\forall int i; 0 <= i; i < count ==> items[i] == \old(items[i]));
    //@ ensures (\forall int i; 0 <= i ==> i < items.length ==> items[i] == \old(items[i])); // broken by implied
    public void implied() {
        if (count < items.length) {
            items[count]++;
        }
    }

    //@ requires items != null;
    //@ ensures (\exists int i; i >= 0; i < items.length && items[i] == 5) == \result;
    public boolean both() {
        for (int item : items) {
            if (item == 5) {
                return true;
            }
        }
        return false;
    }

    //@ requires 0 <= low < 5 && 0 <= high < 5;
    //@ ensures (\forall int i; i == low || i == high; i <= \result);
    public static int either(int low, int high) {
        return low < high ? high : low;
    }

    //@ ensures (\forall int i; i == low || 0 <= i && i < 3; i <= \result); // broken by eitherOf
    public static int eitherOf(int low) {
        return low;
    }

    //@ requires items != null && items.length >= 2;
    //@ ensures (\forall int i; 0 <= i < items.length - 1; items[i] == \old(items[i]));
    //@ ensures (\forall int i, j; 0 <= i < j <= 1; items[i] == 0 && items[j] == 0); // broken by chained
    public void chained() {
        items[items.length - 1] = 0;
    }

    //@ requires x > 5;
    //@ ensures (\exists int i; 10 > i >= 3; i == \result); // broken by downwards
    public static int downwards(int x) {
        return x;
    }

    //@ ensures (\forall char c; 'a' <= c && c <= 'e'; Character.isLetter(c));
    //@ ensures (\num_of char c; c < 'e' && c > 'a') == 3 && (\num_of char c; c < 70000 && c >= 65533; true) == 3;
    //@ ensures (\exists char c; 'a' <= c < 'd'; c == x) == \result; // broken by letters
    public static boolean letters(char x) {
        return 'a' <= x && x <= 'd';
    }

    //@ ensures (\num_of byte b; b == b) == 256;
    //@ ensures (\max short s; 3 < s && s < 10; s) == 9 && (\min byte b; b < 5; b) == -128;
    //@ ensures (\exists byte b; b == x) == \result; // broken by small
    public static boolean small(int x) {
        return -100 <= x && x <= 127;
    }

    //@ requires items != null && items.length <= 2;
    //@ ensures \result == (\sum int i; 0 <= i < items.length; items[i]);
    public int sums() {
        int sum = 0;
        for (int item : items) {
            sum += item;
        }
        return sum;
    }

    //@ requires items != null;
    //@ ensures \result ==> (\exists int i; 0 <= i; i < items.length && (i > 0 && items[i] == items[i - 1])); // broken by exists
    public boolean exists() {
        return items.length > 1;
    }
}
