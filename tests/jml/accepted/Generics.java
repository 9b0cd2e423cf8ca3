// Checks that type variables are what they extend, and that methods with them are found.
//! check --scope 2: Generics$Box.set, Generics$Box.larger
public class Generics {
    static class Item implements Comparable<Item> {
        public int compareTo(Item other) {
            return 0;
        }
    }

    static class Box<T extends Comparable<T>> {
        private /*@ nullable @*/ T value;

        //@ ensures value == t;
        public void set(/*@ nullable @*/ T t) {
            value = t;
        }

        //@ requires other.value != null;
        //@ ensures \result <==> value != null; // broken by larger
        public <U extends Comparable<U>> boolean larger(Box<U> other) {
            return value == null;
        }
    }
}
