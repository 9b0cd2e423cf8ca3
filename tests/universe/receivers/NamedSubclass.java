// The method is named by the subclass that has it.
// scope: 1
// domain: int 0 1
// targets: Child.check Child.inherit
// complete: all
public class NamedSubclass {
    int n;

    int sign() {
        return 1;
    }

    static class Child extends NamedSubclass {
        void check() {
            assert sign() == 1;
        }

        void inherit() {
            n = 0;
            assert n == 0;
        }
    }

    static class Grandchild extends Child {
        @Override
        int sign() {
            return n;
        }
    }
}
