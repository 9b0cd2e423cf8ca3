// calls: 4
// ints: 0 1 2
// classes: Fixed Eager Late
// Fields that constructors guarantee, and such that only seem to be.
import java.util.Objects;

class Fixed {
    private final String name;
    private final int[] cells;
    private String label = "none";
    private Object extra;

    Fixed(String name, int size) {
        this.name = Objects.requireNonNull(name);
        this.cells = new int[size];
    }

    Fixed(int size) {
        this("unnamed", size);
    }

    void label(String label) {
        this.label = label;
    }

    void extra() {
        extra = "extra";
    }

    int checkName() {
        return name.length();
    }

    int checkCells() {
        return cells.length;
    }

    int checkFirst() {
        return cells[0];
    }

    int checkLabel() {
        return label.length();
    }

    int checkExtra() {
        return extra.hashCode();
    }

    int checkEager(Eager eager) {
        return eager == null ? 0 : eager.length();
    }

    int checkLate(Late late) {
        return late == null ? 0 : late.length();
    }
}

class Eager {
    private final String text;

    Eager(String text) {
        if (text == null) {
            throw new IllegalArgumentException();
        }
        this.text = text;
    }

    int length() {
        return text.length();
    }
}

class Late {
    private String text;

    Late(boolean isSet) {
        if (isSet) {
            text = "set";
        }
    }

    int length() {
        return text.length();
    }
}
