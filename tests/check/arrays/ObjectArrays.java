// Checks arrays whose declared type is an interface or a superclass: casts, and stores that fail.
// target: ObjectArrays.run
// scope: 1
// k: 1
// objects: 3
// domain: int 0..1
public class ObjectArrays {
    interface Animal {
    }

    static class Dog implements Animal {
        int n;
    }

    static class Cat implements Animal {
    }

    static int run(Animal[] animals, Animal one) {
        if (animals == null || animals.length == 0) {
            return 0;
        }
        try {
            animals[0] = one;
        } catch (ArrayStoreException e) {
            return one instanceof Dog ? 1 : 2;
        }
        if (animals instanceof Dog[]) {
            return one == null ? 3 : ((Dog[]) animals)[0].n;
        }
        return animals.getClass() == Animal[].class ? 4 : 5;
    }
}
