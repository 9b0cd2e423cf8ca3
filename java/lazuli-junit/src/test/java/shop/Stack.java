package shop;

/** A stack of numbers, as a chain of nodes. */
public class Stack {
    static class Node {
        final int value;
        final int height;
        final Node below;

        Node(int value, int height, Node below) {
            this.value = value;
            this.height = height;
            this.below = below;
        }
    }

    private Node top;
    private int size;

    boolean repOK() {
        int height = size;
        for (Node node = top; node != null; node = node.below) {
            if (node.height != height) {
                return false;
            }
            height--;
        }
        return height == 0;
    }

    public void push(int value) {
        size++;
        top = new Node(value, size, top);
    }

    public int pop() {
        if (top == null) {
            throw new IllegalStateException("empty");
        }
        int value = top.value;
        top = top.below;
        size--;
        return value;
    }

    /** Planted defect: the size stays. */
    public void drop() {
        if (top != null) {
            top = top.below;
        }
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return top == null;
    }
}
