// calls: 3
// ints: -1 0 1 2
// Final fields, and one that no method writes after the constructor.
class Guarded {
    private final int[] cells;
    private final String name = "cells";
    private int first;

    Guarded(int size) {
        cells = new int[size < 1 ? 1 : 2];
        first = size < 1 ? 0 : 1;
    }

    void set(int value) {
        cells[first] = value;
    }

    int checkFirst() {
        return cells[first];
    }

    int checkName() {
        return 6 / name.length();
    }

    int checkLength() {
        return cells[1];
    }

    int checkValue() {
        return 6 / (cells[first] - 2);
    }
}
