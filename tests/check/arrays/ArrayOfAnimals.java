// Checks elements whose classes differ, and a class that an element shares with another.
// target: ArrayOfAnimals.count
// scope: 2
public class ArrayOfAnimals {
    abstract static class Animal {
        abstract int legs();
    }

    static class Bird extends Animal {
        @Override
        int legs() {
            return 2;
        }
    }

    static class Dog extends Animal {
        @Override
        int legs() {
            return 4;
        }
    }

    static int count(Animal[] animals) {
        int legs = 0;
        for (Animal animal : animals) {
            legs += animal.legs();
        }
        return legs;
    }
}
