// Checks static fields of two classes with the same simple name.
// target: SameNames.compare
// scope: 1
// statics: here there
public class SameNames {
    static class One {
        static class Holder {
            static int here;
        }
    }

    static class Two {
        static class Holder {
            static int there;
            static int here() {
                return One.Holder.here;
            }
        }
    }

    static boolean compare() {
        Two.Holder.there++;
        return Two.Holder.here() == Two.Holder.there;
    }
}
