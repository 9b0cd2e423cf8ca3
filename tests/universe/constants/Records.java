// Records as parts, arguments and elements.
// scope: 2
// objects: 4
// domain: int 0 1
public class Records {
    record Point(int x, int y) {
        int sum() {
            return x + y;
        }
    }

    record Line(Point from, Point to) { }

    Line line;

    boolean repOK() {
        return line != null && line.from() != null && line.to() != null;
    }

    public void dot() {
        assert !line.from().equals(line.to()) || line.from() == line.to();
    }

    public void same() {
        assert line.from() != line.to();
    }

    public int sum() {
        return 1 / (line.from().sum() - 2);
    }

    public void turn() {
        line = new Line(line.to(), line.from());
    }

    public void lose(Point given) {
        if (line.from() == given) {
            line = new Line(null, given);
        }
    }
}
