// Checks that an array of a superclass may be one of a subclass that refuses the store.
// target: ArrayStoreCheck.store
// scope: 1
// domain: int 0
public class ArrayStoreCheck {
    static class Animal {}

    static class Dog extends Animal {}

    static void store(Animal[] animals, Animal animal) {
        animals[0] = animal;
    }
}
