// Checks that a model field stands for what its represents clause says, of any object, now and before.
//! check --scope 2: add, addTwice, same, larger, drop, viaBag, wrongBag, item
public class ModelFields {
    //@ public model int size;
    //@ private represents size = count;
    /*@ model nullable Cell top;
      @ represents top <- first;
      @ model boolean isEmpty;
      @ represents isEmpty = size == 0 && top == null;
      @*/
    //@ model long wide;
    //@ represents this.wide = size + 1;
    private int count;
    private /*@ nullable @*/ Cell first;

    //@ invariant size >= 0 && (isEmpty <==> first == null);

    static class Cell {
        int value;
    }

    interface Bag {
        //@ instance model int held;

        //@ requires held < 100;
        //@ ensures held == \old(held) + 1;
        void put();
    }

    static class Box implements Bag {
        //@ represents held = inside;
        private int inside;

        public void put() {
            inside++;
        }
    }


    //@ requires size < 100 && !isEmpty;
    //@ ensures size == \old(size) + 1 && wide == \old(wide) + 1 && top == \old(top);
    public void add() {
        count++;
    }

    //@ requires size < 100 && !isEmpty;
    //@ ensures this.size == \old(this.size) + 1; // broken by addTwice
    public void addTwice() {
        count += 2;
    }

    //@ ensures \result <==> size == other.size && top == other.top;
    public boolean same(ModelFields other) {
        return count == other.count && first == other.first;
    }

    //@ ensures \result ==> size > other.size; // broken by larger
    public boolean larger(ModelFields other) {
        return count >= other.count;
    }

    //@ ensures isEmpty;
    public void drop() {
        count = 0;
        first = null;
    }

    //@ requires box.held < 100;
    //@ ensures box.held == \old(box.held) + 1;
    public static void viaBag(Box box) {
        box.inside++;
    }

    //@ requires bag.held < 100;
    //@ ensures bag.held == \old(bag.held) + 1; // broken by wrongBag
    public static void wrongBag(Bag bag) {
    }

    //@ ensures top != null ==> top.value == \result; // broken by item
    public int item() {
        return first == null ? 0 : first.value + 1;
    }
}
