// defect tail, stale link: WaitingList.leave breaks invariant
//     WaitingList list = new WaitingList();
//     list.join(1);
//     list.join(2);
//     list.leave(2);
//     assert list.repOK();
// defect single, missing null check: WaitingList.callNext throws NullPointerException
//     WaitingList list = new WaitingList();
//     list.callNext();
package ordinary.queues;

/** People who wait, as a list with a tail. */
public class WaitingList {
    private static final class Person {
        private final int number;
        private Person next;

        private Person(int number) {
            this.number = number;
        }
    }

    private Person head;
    private Person tail;
    private int size;

    public boolean repOK() {
        int count = 0;
        Person last = null;
        for (Person person = head; person != null; person = person.next) {
            if (++count > size) {
                return false;
            }
            last = person;
        }
        return count == size && last == tail;
    }

    public void join(int number) {
        Person person = new Person(number);
        if (tail == null) {
            head = person;
        } else {
            tail.next = person;
        }
        tail = person;
        size++;
    }

    /** @return the number of the next one, or -1 */
    public int callNext() {
        if (head == null) { // defect single:
            return -1; // defect single:
        } // defect single:
        int number = head.number;
        head = head.next;
        if (head == null) {
            tail = null;
        }
        size--;
        return number;
    }

    public boolean leave(int number) {
        Person before = null;
        for (Person person = head; person != null; person = person.next) {
            if (person.number == number) {
                if (before == null) {
                    head = person.next;
                } else {
                    before.next = person.next;
                }
                if (person == tail) { // defect tail: if (person == tail && before == null) {
                    tail = before;
                }
                size--;
                return true;
            }
            before = person;
        }
        return false;
    }

    public int size() {
        return size;
    }
}
