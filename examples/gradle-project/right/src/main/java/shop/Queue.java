package shop;

/** Customers in the order in which they came. */
public class Queue {
    static class Customer {
        final int number;
        Customer next;

        Customer(int number) {
            this.number = number;
        }
    }

    private Customer first;
    private Customer last;

    boolean repOK() {
        if (first == null || last == null) {
            return first == last;
        }
        Customer customer = first;
        int before = customer.number;
        while (customer.next != null) {
            customer = customer.next;
            if (customer.number <= before) {
                return false;
            }
            before = customer.number;
        }
        return customer == last;
    }

    /** A customer whose number is not larger than that of the last one is turned away. */
    public boolean arrive(int number) {
        if (last != null && number <= last.number) {
            return false;
        }
        Customer customer = new Customer(number);
        if (last == null) {
            first = customer;
        } else {
            last.next = customer;
        }
        last = customer;
        return true;
    }

    /** The number of the first customer, who leaves; -1 if there is none. */
    public int serve() {
        if (first == null) {
            return -1;
        }
        Customer served = first;
        first = served.next;
        if (first == null) {
            last = null;
        }
        return served.number;
    }
}
