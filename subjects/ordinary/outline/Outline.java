// defect root, missing null check: Outline.depth throws NullPointerException
//     new Outline("top").depth();
// defect moved, missed update: Outline.moveTo throws AssertionError
//     Outline top = new Outline("top");
//     Outline chapter = top.add("chapter");
//     Outline section = chapter.add("section");
//     section.moveTo(top);
package ordinary.outline;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A heading with those below it. */
public class Outline {
    private final String title;
    private final List<Outline> children = new ArrayList<>();
    private Outline parent;

    public Outline(String title) {
        this.title = Objects.requireNonNull(title);
    }

    public String title() {
        return title;
    }

    public Outline add(String childTitle) {
        Outline child = new Outline(childTitle);
        child.parent = this;
        children.add(child);
        return child;
    }

    public int depth() {
        int depth = 0;
        for (Outline above = parent; above != null; above = above.parent) { // defect root: for (Outline above = parent; above.parent != null; above = above.parent) {
            depth++;
        }
        return depth;
    }

    public boolean isInside(Outline other) {
        for (Outline above = this; above != null; above = above.parent) {
            if (above == other) {
                return true;
            }
        }
        return false;
    }

    public void moveTo(Outline target) {
        if (target.isInside(this)) {
            throw new IllegalArgumentException("a heading cannot be below itself");
        }
        Outline from = parent;
        if (from != null) {
            from.children.remove(this); // defect moved: target.children.remove(this);
        }
        target.children.add(this);
        parent = target;
        assert from == null || from == target || !from.children.contains(this);
    }

    public int count() {
        int count = 1;
        for (Outline child : children) {
            count += child.count();
        }
        return count;
    }
}
