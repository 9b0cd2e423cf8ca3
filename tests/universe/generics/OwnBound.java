// A type variable bounded by a class or interface of the class path, or by two.
// scope: 1
// domain: int 0 1
// wide: String
public class OwnBound<T extends OwnBound.Animal & OwnBound.Loud> {
    interface Loud {
        default int volume() {
            return 1;
        }
    }

    static class Animal { int legs; }

    static class Dog extends Animal implements Loud { }

    static class Mouse extends Animal implements Loud {
        public int volume() {
            return 0;
        }
    }

    T pet;

    boolean repOK() {
        return pet == null || pet.legs == 0;
    }

    public void loud() {
        assert pet == null || pet.volume() == 1;
    }

    public void legs() {
        assert pet == null || pet.legs == 0;
    }

    public void bite(T given) {
        if (given != null) {
            given.legs = 1;
        }
    }
}
