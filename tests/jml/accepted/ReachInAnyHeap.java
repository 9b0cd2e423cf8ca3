// Checks \reach where nothing is known of the heap: cycles, no object at all, objects of subclasses, objects that the method made, values from before it, sets within sets, and
// clauses that throw for one object while another decides them.
//! check --scope 3: count, countTwo, isInCycle, push, cut, ring, forks, others, closed, sum
//! check --scope 3: decidedFirst, throwsFirst, throwsForAll
//! check --scope 1: count, isInCycle, push
public class ReachInAnyHeap {
    /*@ nullable @*/ Item head;

    static class Item {
        /*@ nullable @*/ Item next;
        /*@ nullable @*/ Item side;
        int value;
    }

    static class Fork extends Item {
        /*@ nullable @*/ Item other;
    }

    //@ ensures \result == \reach(head, Item, next).int_size();
    //@ ensures \result == 0 <==> \reach(head, Item, next).isEmpty();
    public int count() {
        int count = 0;
        for (Item at = head; at != null; at = at.next) {
            Item before = head;
            for (int i = 0; i < count; i++) {
                if (before == at) {
                    return count;
                }
                before = before.next;
            }
            count++;
        }
        return count;
    }

    //@ ensures \result == \reach(head, Item, next).int_size(); // broken by countTwo
    public int countTwo() {
        return head == null ? 0 : head.next == null || head.next == head ? 1 : 2;
    }

    //@ ensures \result <==> head != null && \reach(head.next, Item, next).has(head);
    public boolean isInCycle() {
        Item at = head;
        for (int i = 0; i < 3 && at != null; i++) {
            at = at.next;
            if (at != null && at == head) {
                return true;
            }
        }
        return false;
    }

    //@ ensures (\forall Item n; \reach(head, Item, next).has(n); \fresh(n) || \old(\reach(head, Item, next)).has(n));
    //@ ensures \reach(head, Item, next).int_size() == \old(\reach(head, Item, next).int_size()) + 1;
    //@ ensures (\forall Item n; \old(\reach(head, Item, next)).has(n); (\forall Item m; \old(\reach(head, Item, next)).has(m); \reach(head, Item, next).has(n) && \reach(head, Item, next).has(m)));
    public void push(int value) {
        Item item = new Item();
        item.value = value;
        item.next = head;
        head = item;
    }

    //@ ensures (\forall Item n; \reach(head, Item, next).has(n); \old(\reach(head, Item, next)).has(n));
    //@ ensures (\forall Item n; \old(\reach(head, Item, next)).has(n); \reach(head, Item, next).has(n)); // broken by cut
    public void cut() {
        if (head != null) {
            head.next = null;
        }
    }

    //@ ensures (\forall Item n; \reach(head, Item, next).has(n); \reach(n, Item, next).int_size() == \result && \fresh(n));
    //@ ensures (\forall Item n; \reach(head, Item, next + side).has(n); \fresh(n)); // broken by ring
    public int ring() {
        Item one = new Item();
        Fork other = new Fork();
        one.next = other;
        other.next = one;
        other.side = head;
        head = one;
        return 2;
    }

    //@ ensures (\forall Item n; \reach(head, Fork, next + other).has(n); n instanceof Fork);
    //@ ensures (\forall Fork n; \reach(head, Item, next).has(n); \reach(head, Fork, next).has(n)); // broken by forks
    public void forks() {
    }

    //@ ensures (\forall Fork n; \reach(head, Fork, next + other).has(n); \reach(head, Item, next + side).has(n)); // broken by others
    public void others() {
    }

    //@ ensures (\forall Item n; \reach(from, Item, next + side).has(n); (\forall Item m; \reach(n.side, Item, next + side).has(m); \reach(from, Item, next + side).has(m)));
    //@ ensures (\forall Item n; \reach(from, Item, next + side).has(n); (\forall Item m; \reach(n.side, Item, next + side).has(m); \reach(from, Item, next).has(m))); // broken by closed
    public void closed(/*@ nullable @*/ Item from) {
    }

    //@ requires head != null && head.next != null && head.next.next == head && head != head.next && head.value < 100 && head.next.value < 100;
    //@ ensures \result == (\sum Item n; \reach(head, Item, next).has(n); n.value);
    //@ ensures (\max Item n; \reach(head, Item, next).has(n); n.value) < 99; // broken by sum
    public int sum() {
        return head.value + head.next.value;
    }

    //@ requires from != null && from.next != null && from.next.value == from.value;
    //@ ensures (\exists Item n; \reach(from, Item, next).has(n); n.next.value == n.value);
    public void decidedFirst(/*@ nullable @*/ Item from) {
    }

    //@ requires from != null && from.next == null && from.side != null && from.side.next == from && from.value == 1 && head == from.side;
    //@ ensures (\exists Item n; \reach(from, Item, next + side).has(n); n.next.value == 1); // broken by throwsFirst
    public void throwsFirst(/*@ nullable @*/ Item from) {
    }

    //@ ensures (\forall Item n; \reach(head, Item, next).has(n); n.next.value == n.next.value); // broken by throwsForAll
    public void throwsForAll() {
    }
}
