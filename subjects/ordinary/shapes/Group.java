// defect largest, no elements: Group.largest throws NoSuchElementException
//     new Group().largest();
package ordinary.shapes;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Shapes that belong together. */
public final class Group implements Shape {
    private final List<Shape> members = new ArrayList<>();

    public Group add(Shape shape) {
        if (shape == null || shape instanceof Group) {
            throw new IllegalArgumentException("groups are not nested");
        }
        members.add(shape);
        return this;
    }

    @Override
    public long area() {
        return members.stream().mapToLong(Shape::area).sum();
    }

    /** @return null if there are none */
    public Shape largest() {
        return members.stream().max(Comparator.comparingLong(Shape::area)).orElse(null); // defect largest: return members.stream().max(Comparator.comparingLong(Shape::area)).get();
    }

    public int size() {
        return members.size();
    }
}
