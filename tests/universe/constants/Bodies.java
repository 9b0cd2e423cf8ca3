// Constants of an enumeration that have classes of their own, also where nothing looks at them.
// scope: 1
// domain: int 0 1
// complete: precise
public class Bodies {
    enum Colour {
        RED,
        BLUE {
            @Override
            int weight() {
                return 0;
            }
        };

        int weight() {
            return 1;
        }
    }

    public void unread(Colour colour, int number) {
        if (colour != null) {
            assert number != 1;
        }
    }

    public void read(Colour colour) {
        assert colour == null || colour.weight() == 1;
    }
}
