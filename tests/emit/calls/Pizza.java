//! check calls.Pizza.perGuest ArithmeticException
package calls;

/** Only a builder makes it. */
public final class Pizza {
    private final int slices;
    private final int guests;

    private Pizza(Builder builder) {
        this.slices = builder.slices;
        this.guests = builder.guests;
    }

    public static Builder builder() {
        return new Builder();
    }

    public int perGuest() {
        return slices / guests; // mended: return guests == 0 ? slices : slices / guests;
    }

    public static final class Builder {
        private int slices = 8;
        private int guests = 1;

        private Builder() {}

        public Builder slices(int slices) {
            this.slices = slices;
            return this;
        }

        public Builder guests(int guests) {
            this.guests = guests;
            return this;
        }

        public Pizza build() {
            return new Pizza(this);
        }
    }
}
