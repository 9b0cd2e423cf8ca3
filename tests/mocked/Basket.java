// A repository that gets a collection may fill it anew, unless it cannot be changed; what it never got stays.
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

public class Basket {
    static class Item {
        int price;
    }

    /** Its invariant is about a list that is a part of it. */
    static class Order {
        final List<Item> items = new ArrayList<>();

        boolean repOK() {
            return items.size() < 2;
        }
    }

    interface Auditor {
        void see(Order order);
    }

    interface Repository {
        void saveAll(List<Item> items);

        List<Item> findAll();

        void keep(Map<String, Item> items);

        void tick();
    }

    public static void savedFilled(Repository repository, List<Item> items) {
        int size = items.size();
        repository.saveAll(items);
        assert items.size() == size; //: AssertionError
    }

    public static void savedOther(Repository repository, List<Item> items, List<Item> others) {
        if (items != others) {
            int size = others.size();
            repository.saveAll(items);
            assert others.size() == size;
        }
    }

    public static void savedView(Repository repository, List<Item> items) {
        int size = items.size();
        Item first = size == 0 ? null : items.get(0);
        repository.saveAll(Collections.unmodifiableList(items));
        assert items.size() == size && (size == 0 || items.get(0) == first);
    }

    public static int savedViewOfPrices(Repository repository, List<Item> items) {
        if (items.size() != 1 || items.get(0) == null || items.get(0).price != 1) {
            return 0;
        }
        repository.saveAll(Collections.unmodifiableList(items));
        return 1 / (9 - items.get(0).price); //: ArithmeticException
    }

    public static void savedConstant(Repository repository) {
        Item item = new Item();
        List<Item> items = List.of(item, item);
        repository.saveAll(items);
        assert items.get(0) == item && items.get(1) == item;
    }

    public static int savedCopy(Repository repository, Item item) {
        List<Item> items = new ArrayList<>();
        items.add(item);
        repository.saveAll(new ArrayList<>(items));
        return 1 / items.size();
    }

    public static int savedOwn(Repository repository) {
        List<Item> items = new ArrayList<>();
        items.add(new Item());
        repository.saveAll(items);
        return items.get(0) == null ? 0 : items.get(0).price; //: IndexOutOfBoundsException
    }

    public static int foundTwice(Repository repository) {
        List<Item> found = repository.findAll();
        if (found == null || found.size() != 1) {
            return 0;
        }
        repository.tick();
        return 10 / found.size(); //: ArithmeticException
    }

    public static int foundIsKept(Repository repository) {
        List<Item> found = repository.findAll();
        repository.tick();
        return found == null || found.isEmpty() ? 0 : 10 / found.size();
    }

    public static void audited(Auditor auditor) {
        Order order = new Order();
        auditor.see(order);
        assert order.items.size() < 2;
    }

    public static void auditedAndEmpty(Auditor auditor, Order order) {
        int size = order.items.size();
        auditor.see(order);
        assert order.items.size() == size; //: AssertionError
    }

    public static void kept(Repository repository) {
        Map<String, Item> items = new HashMap<>();
        repository.keep(items);
        assert !items.containsKey("a"); //: AssertionError
    }

    public static void keptCopy(Repository repository) {
        Map<String, Item> items = new HashMap<>();
        repository.keep(new HashMap<>(items));
        assert items.isEmpty();
    }
}
