// The receiver of an enumeration's method is one of its constants, and nothing else.
// scope: 1
// domain: int 0 1
// targets: Level.isHigh Level.isGiven Level.known Level.following Level.changes Size.whole Size.part Size.weighed
// complete: lazier eager
public class ConstantReceiver {
    enum Level {
        LOW, HIGH;

        int n;

        void isHigh() {
            assert this != HIGH;
        }

        void isGiven(Level given) {
            assert this != given;
        }

        int known() {
            switch (this) {
                case LOW:
                    return 1;
                case HIGH:
                    return 2;
                default:
                    throw new AssertionError();
            }
        }

        Level following() {
            return values()[(ordinal() + 1) % 2];
        }

        void changes() {
            n = 1;
            boolean isChanged = LOW.n != 0;
            n = 0;
            assert !isChanged;
        }
    }

    enum Size {
        SMALL {
            int weight() {
                return 0;
            }
        },
        LARGE {
            int weight() {
                return 2;
            }
        };

        abstract int weight();

        void whole() {
            assert weight() >= 0;
        }

        void part() {
            assert weight() > 0;
        }

        int weighed() {
            return 2 / weight();
        }
    }
}
