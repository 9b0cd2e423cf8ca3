// calls: 4
// classes: Builder Builder$Parts
// ints: 0 1 2
// A builder that checks when it builds, and a private constructor that nothing else calls.
class Builder {
    private final int width;
    private final int height;
    private final boolean isNamed;

    private Builder(Parts parts) {
        this.width = parts.width;
        this.height = parts.height;
        this.isNamed = parts.isNamed;
    }

    static class Parts {
        private int width = 1;
        private int height = 1;
        private boolean isNamed;

        Parts width(int width) {
            this.width = width;
            return this;
        }

        Parts height(int height) {
            if (height > 0) {
                this.height = height;
            }
            return this;
        }

        Builder build() {
            if (width == 0) {
                throw new IllegalStateException();
            }
            isNamed = true;
            return new Builder(this);
        }
    }

    int checkWidth() {
        return 6 / width;
    }

    int checkHeight() {
        return 6 / height;
    }

    int checkNamed() {
        assert isNamed;
        return 0;
    }

    // Two settings come first.
    int checkBoth() {
        return 6 / (width == 2 && height == 2 ? 0 : 1);
    }
}
