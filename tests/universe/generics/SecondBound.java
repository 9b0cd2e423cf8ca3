// What a type variable stands for is of all its bounds: an animal that is not loud is no input, nor is one that a static field holds.
// scope: 1
// domain: int 0 1
// objects: 3
// wide: String
public class SecondBound<T extends SecondBound.Animal & SecondBound.Loud> {
    interface Loud {
        int volume();
    }

    interface Rated<R> {
        int against(R other);
    }

    static class Animal { int legs; }

    static class Fish extends Animal { }

    static class Dog extends Animal implements Loud, Rated<Dog> {
        public int volume() {
            return 2;
        }

        public int against(Dog other) {
            return other.legs;
        }
    }

    static class Mouse extends Animal implements Loud {
        public int volume() {
            return 1;
        }
    }

    static final Fish GOLD = new Fish();

    T pet;

    boolean repOK() {
        return pet == null || pet.legs == 0;
    }

    public void heard() {
        assert pet == null || pet.volume() > 0;
    }

    public void loud() {
        assert pet == null || pet.volume() == 1;
    }

    public void bite(T given) {
        if (given != null && given.volume() == 2) {
            given.legs = 1;
        }
    }

    public static <A extends Animal & Loud> void quiet(A given) {
        assert given == null || given.volume() > 0;
    }

    public static <A extends Animal & Loud> void mouse(A given) {
        assert given == null || given.volume() != 1;
    }

    public static <A extends Animal & Loud> void twice(A given, Object other) {
        if (given != null && given == other) {
            assert !(other instanceof Fish);
        }
    }

    public static <A extends Animal & Rated<A>> void rated(A one, A other) {
        if (one != null && other != null) {
            assert one.against(other) == 0;
        }
    }

    public static <A extends Animal & Rated<A>> void rates(A one) {
        assert !((Object) one instanceof Fish);
    }
}
