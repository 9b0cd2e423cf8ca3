// defect ratio, integer division by zero: Rectangle.ratio throws ArithmeticException
//     new Rectangle(4, 0).ratio();
package ordinary.shapes;

/** A rectangle may be flat. */
public record Rectangle(int width, int height) implements Shape {
    public Rectangle {
        if (width < 0 || height < 0) {
            throw new IllegalArgumentException(width + " x " + height);
        }
    }

    public static Rectangle square(int side) {
        return new Rectangle(side, side);
    }

    @Override
    public long area() {
        return (long) width * height;
    }

    /** How many times as wide as high it is, or 0 if it is flat. */
    public int ratio() {
        return height == 0 ? 0 : width / height; // defect ratio: return width / height;
    }

    public Rectangle rotated() {
        return new Rectangle(height, width);
    }
}
