// Checks type patterns, and a field that a superclass declares.
// target: TypePattern.weight
// scope: 1
// domain: int -1..1
public class TypePattern {
    static class Item {
        int grams;
    }

    static class Crate extends Item {
        Item content;
    }

    static int weight(Item item) {
        if (item instanceof Crate crate && crate.content != null) {
            return crate.grams + crate.content.grams;
        }
        return item.grams > 0 ? item.grams : 0;
    }
}
