// A list in a field, and one passed in that may be the same.
// scope: 2
// objects: 5
// domain: int 0 7; string a
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.ArrayList;
import java.util.List;

public class Fields {
    record Line(int amount) {}

    private List<Line> lines = new ArrayList<>();
    private int total;

    boolean repOK() {
        if (lines == null) {
            return false;
        }
        int sum = 0;
        for (Line line : lines) {
            if (line == null) {
                return false;
            }
            sum += line.amount();
        }
        return sum == total;
    }

    public void add(Line line) {
        if (line != null) {
            lines.add(line);
            total += line.amount();
        }
    }

    public void addWrongly(Line line) {
        if (line != null) {
            lines.add(line);
        }
    }

    public void addAll(List<Line> others) {
        if (others != null && others != lines) {
            for (Line line : others) {
                add(line);
            }
        }
    }

    public void addAllOfSame(List<Line> others) {
        if (others != null) {
            for (Line line : others) {
                add(line);
            }
        }
    }

    public Line first() {
        return lines.get(0);
    }

    public int count() {
        return lines.size();
    }
}
