// Checks fields that hide fields of a superclass.
// target: HiddenFields$Sub.compare
// scope: 2
// domain: int 0..1
// objects: 3
public class HiddenFields {
    static class Base {
        int x;
        Base next;
    }

    static class Sub extends Base {
        int x;
        Base next;

        int compare() {
            if (next != null && super.next != null && next.x == super.next.x) {
                x = 5;
                return next == super.next ? 3 : 4;
            }
            if (x == super.x) {
                super.x = 7;
                return 1;
            }
            return 2;
        }
    }
}
