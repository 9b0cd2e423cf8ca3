// A switch over records.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Switched {
    record Point(int x, int y) {}

    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        Point point = new Point(value, value);
        String where = switch (value) {
            case 0 -> "origin";
            case 1 -> "one"; // wrong: case 1 -> "origin";
            default -> "else";
        };
        assert where.equals("origin") == point.equals(new Point(0, 0));
    }
}
