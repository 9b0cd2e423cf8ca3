// calls: 3
// classes: Chain
// ints: 0 1
// An inner class whose objects are never handed out.
class Chain {
    private Link first;
    private int size;

    private class Link {
        final int value;
        final Link next;

        Link(int value, Link next) {
            this.value = value;
            this.next = next;
        }

        Chain owner() {
            return Chain.this;
        }
    }

    void push(int value) {
        first = new Link(value, first);
        size++;
    }

    boolean pop() {
        if (first == null) {
            return false;
        }
        first = first.next;
        size--;
        return true;
    }

    int checkSize() {
        int count = 0;
        for (Link link = first; link != null; link = link.next) {
            count++;
        }
        assert count == size;
        return count;
    }

    int checkOwner() {
        assert first == null || first.owner() == this;
        return 0;
    }

    int checkTwo() {
        return first != null && first.next != null && first.value == first.next.value ? 6 / 0 : 0;
    }

    int checkFirst() {
        return first.value;
    }
}
