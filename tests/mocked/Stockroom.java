// A repository returns null, a new object, or one that it was handed before; and may change what it has.
public class Stockroom {
    static class Item {
        int stock;
    }

    interface Repository {
        Item find(int id);

        void save(Item item);
    }

    public static int stock(Repository repository, int id) {
        return repository.find(id).stock; //: NullPointerException
    }

    public static int checkedStock(Repository repository, int id) {
        Item item = repository.find(id);
        return item == null ? 0 : item.stock;
    }

    public static void saved(Repository repository) {
        Item item = new Item();
        item.stock = 3;
        repository.save(item);
        assert item.stock == 3; //: AssertionError
    }

    public static void notSaved(Repository repository) {
        Item item = new Item();
        item.stock = 3;
        repository.find(1);
        assert item.stock == 3;
    }

    public static void givenBack(Repository repository) {
        Item item = new Item();
        repository.save(item);
        assert repository.find(1) != item; //: AssertionError
    }

    public static void madeLater(Repository repository) {
        Item found = repository.find(1);
        Item item = new Item();
        repository.save(item);
        assert found != item;
    }

    public static void keptByCaller(Repository repository, Item mine) {
        int before = mine.stock;
        repository.find(1);
        assert mine.stock == before;
    }

    public static void changedInBetween(Repository repository) {
        Item item = repository.find(1);
        if (item == null) {
            return;
        }
        int before = item.stock;
        repository.find(2);
        assert item.stock == before; //: AssertionError
    }
}
