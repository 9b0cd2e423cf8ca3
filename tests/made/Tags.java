// calls: 3
// Strings that constructors check.
// ints: 0 1
class Tags {
    private final String name;
    private String label = "";

    Tags(String name) {
        if (name == null || name.isEmpty()) {
            throw new IllegalArgumentException();
        }
        this.name = name;
    }

    void label(String label) {
        if (label != null) {
            this.label = label;
        }
    }

    void clear() {
        label = null;
    }

    int checkName() {
        return 6 / name.length();
    }

    int checkFirst() {
        return name.charAt(0);
    }

    int checkSecond() {
        return name.charAt(1);
    }

    int checkLabel() {
        return label.length();
    }
}
