package shop;

/** Calls the customers of a queue, whose class is in another module. */
public class Desk {
    private final Queue waiting = new Queue();
    private int called = -1;

    public boolean arrive(int number) {
        return waiting.arrive(number);
    }

    /** The number of the customer who is called; -1 if nobody waits. */
    public int next() {
        called = waiting.serve();
        return called;
    }

    public int called() {
        return called;
    }
}
