// Enumeration constants in fields, arguments and arrays.
// scope: 1
// domain: int 0 1
// wide: String
public class Colours {
    enum Colour {
        RED, GREEN {
            @Override
            int weight() {
                return 0;
            }
        };

        int weight() {
            return 1;
        }
    }

    Colour colour;
    Colour[] more;

    boolean repOK() {
        return colour != null;
    }

    public int weight() {
        return 1 / colour.weight();
    }

    public void drop(Colour given) {
        if (given == colour) {
            colour = null;
        }
    }

    public void element() {
        assert more == null || more.length == 0 || more[0] != Colour.GREEN;
    }

    public int choose() {
        return switch (colour) {
            case RED -> 1;
            case GREEN -> 2;
        };
    }

    public static void behind(Comparable<?> given) {
        assert given != Colour.RED;
    }
}
