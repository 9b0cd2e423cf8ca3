// Checks that a method has the clauses of what it overrides where type variables make the two look different in class files.
//! check --scope 2: GenericInheritance$Words.put, GenericInheritance$Words.take(String), GenericInheritance$Words.take(Integer)
public class GenericInheritance {
    interface Store<T> {
        //@ ensures \result == item; // broken by put
        /*@ nullable @*/ Object put(/*@ nullable @*/ T item);

        //@ ensures \result == item;
        /*@ nullable @*/ Object take(/*@ nullable @*/ T item);
    }

    abstract static class Middle<T extends Comparable<T>> implements Store<T> {
        //@ also ensures \result != this; // broken by put
        public abstract /*@ nullable @*/ Object put(/*@ nullable @*/ T item);

        public Object take(Integer other) {
            return this;
        }
    }

    static class Words extends Middle<String> {
        public Object put(String item) {
            return this;
        }

        public Object take(String item) {
            return item;
        }

        public Object take(Integer other) {
            return other;
        }
    }
}
