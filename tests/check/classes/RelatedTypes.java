// Checks that parameters of related types may be one object only if it is of both.
// target: RelatedTypes.compare
// scope: 2
// domain: int 0..1
public class RelatedTypes {
    interface Named {}

    static class Animal {
        int age;
    }

    static class Dog extends Animal implements Named {}

    static class Ship implements Named {
        int length;
    }

    static int compare(Animal animal, Named named) {
        if (animal == named) {
            return animal == null ? 0 : 1 + animal.age;
        }
        return named instanceof Dog ? 3 : 4;
    }
}
