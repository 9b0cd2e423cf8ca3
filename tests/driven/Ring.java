// build: add poll
// calls: 3
// A queue in an array, with an invariant that one method breaks behind enough calls, and links that refer back.
class Ring {
    private static class Link {
        final int number;
        final Link before;

        Link(int number, Link before) {
            this.number = number;
            this.before = before;
        }
    }

    private final int[] places = new int[2];
    private int first;
    private int count;
    private Link last;

    boolean repOK() {
        return first >= 0 && first < 2 && count >= 0 && count <= 2;
    }

    boolean add(int number) {
        if (count == places.length) {
            return false;
        }
        places[(first + count) % places.length] = number;
        count++;
        last = new Link(number, last);
        return true;
    }

    int poll() {
        if (count == 0) {
            throw new IllegalStateException();
        }
        int number = places[first];
        first = (first + 1) % places.length;
        count--;
        return number;
    }

    int checkPeek() {
        assert count == 0 || places[first] != 3;
        return count;
    }

    void checkForce(int number) {
        if (first == 1) {
            count++;
            places[first] = number;
        }
    }

    void checkOver() {
        if (first == 1 && count == 2) {
            count++;
        }
    }

    int checkLinks() {
        int length = 0;
        for (Link link = last; link != null; link = link.before) {
            length++;
        }
        assert length == count;
        return length;
    }

    int checkSame() {
        return last != null && last.before != null ? 6 / (last.number - last.before.number) : 0;
    }

    int checkThree() {
        return last != null && last.before != null && last.before.before != null ? 6 / 0 : 0;
    }
}
