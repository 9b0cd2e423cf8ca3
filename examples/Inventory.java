import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** A small program of the kind that Lazuli is made for: objects that point at each other, kept in order by code. */
public class Inventory {
    record Item(String name, int amount, double price) {
        Item {
            if (amount < 0) throw new IllegalArgumentException("negative amount of " + name);
        }
    }

    /** A binary search tree by name, written by hand as subjects of analysis usually are. */
    static final class Shelf {
        private static final class Node {
            final Item item;
            Node left, right;

            Node(Item item) {
                this.item = item;
            }
        }

        private Node root;
        private int size;

        void put(Item item) {
            root = put(root, item);
        }

        private Node put(Node node, Item item) {
            if (node == null) {
                size++;
                return new Node(item);
            }
            int order = item.name().compareTo(node.item.name());
            if (order < 0) node.left = put(node.left, item);
            else if (order > 0) node.right = put(node.right, item);
            else throw new IllegalStateException(item.name() + " is on the shelf already");
            return node;
        }

        List<Item> inOrder() {
            List<Item> items = new ArrayList<>();
            visit(root, items);
            assert items.size() == size : "the size is wrong";
            return items;
        }

        private static void visit(Node node, List<Item> items) {
            if (node == null) return;
            visit(node.left, items);
            items.add(node.item);
            visit(node.right, items);
        }
    }

    public static void main(String[] args) {
        Shelf shelf = new Shelf();
        String[] names = {"lazuli", "malachite", "amber", "jade", "opal", "onyx", "garnet"};
        for (int i = 0; i < names.length; i++) shelf.put(new Item(names[i], i * 7 % 5, i + 0.25));
        for (Item item : shelf.inOrder()) System.out.printf("%-10s %3d x %6.2f%n", item.name(), item.amount(), item.price());

        Map<Integer, List<String>> byAmount = shelf.inOrder().stream()
                .collect(Collectors.groupingBy(Item::amount, TreeMap::new, Collectors.mapping(Item::name, Collectors.toList())));
        System.out.println(byAmount);
        System.out.println("worth " + shelf.inOrder().stream().mapToDouble(item -> item.amount() * item.price()).sum());
        try {
            shelf.put(new Item("opal", 1, 1));
        } catch (IllegalStateException expected) {
            System.out.println("refused: " + expected.getMessage());
        }
    }
}
