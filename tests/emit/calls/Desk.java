//! check calls.Desk.share ArithmeticException
//! check calls.Desk.keep AssertionError
//! check calls.Desk.change AssertionError
//! check calls.Desk.least AssertionError
package calls;

import java.util.Comparator;
import java.util.Objects;

/** Its collaborators are interfaces: a class of the test stands for each, and does what the path says. */
public final class Desk {
    public interface Prices {
        int price(String id);
    }

    public interface Archive {
        Paper file(Paper paper);
    }

    public static final class Paper {
        int copies;
    }

    private final Prices prices;

    public Desk(Prices prices) {
        this.prices = Objects.requireNonNull(prices);
    }

    public int share(String id) {
        int price = prices.price(id);
        return 100 / (price - 7); // mended: return price == 7 ? 0 : 100 / (price - 7);
    }

    public void keep(Archive archive) {
        Paper paper = new Paper();
        Paper filed = archive.file(paper);
        assert filed != paper; // mended: assert filed == paper || filed == null || filed.copies == filed.copies;
    }

    public void change(Archive archive) {
        Paper paper = new Paper();
        paper.copies = 2;
        archive.file(paper); // mended: archive.file(new Paper());
        assert paper.copies == 2;
    }

    public void least(Comparator<String> order) {
        int found = order.compare("one", "two");
        assert found >= -1; // mended: assert found >= -1 || found < 0;
    }
}
