// Checks that a cast tells the path what the next test asks.
// target: TwoCasts.describe
// scope: 1
// domain: int 0
public class TwoCasts {
    interface Flyer {}

    static class Animal {}

    static class Bird extends Animal implements Flyer {}

    static class Bat extends Animal implements Flyer {}

    static class Dog extends Animal {}

    static int describe(Animal animal) {
        Flyer flyer = (Flyer) animal;
        if (animal instanceof Dog) {
            return -1;
        }
        return flyer instanceof Bat ? 1 : flyer instanceof Bird ? 2 : 3;
    }
}
