// Measures sorting an ArrayList of user objects with comparators, several rounds; the argument is the number of rounds.
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

public class ObjectSort {
    static final class Item {
        final int group;
        final long weight;
        final String name;

        Item(int group, long weight, String name) {
            this.group = group;
            this.weight = weight;
            this.name = name;
        }
    }

    public static void main(String[] args) {
        int rounds = args.length > 0 ? Integer.parseInt(args[0]) : 12;
        List<Item> items = new ArrayList<>();
        int x = 777;
        for (int i = 0; i < 5000; i++) {
            x = x * 1103515245 + 12345;
            items.add(new Item(x >>> 27, x >>> 7, "n" + (x >>> 16 & 0xfff)));
        }
        Comparator<Item> byGroup = new Comparator<>() {
            @Override
            public int compare(Item a, Item b) {
                return a.group != b.group ? Integer.compare(a.group, b.group) : Long.compare(b.weight, a.weight);
            }
        };
        Comparator<Item> byName = (a, b) -> a.name.compareTo(b.name);
        Comparator<Item> chained = Comparator.comparing((Item i) -> i.name.length()).thenComparing(i -> i.weight);
        long sum = 0;
        for (int r = 0; r < rounds; r++) {
            Collections.sort(items, byGroup);
            sum = sum * 31 + items.get(r % 5000).weight;
            items.sort(byName);
            sum = sum * 31 + items.get(r * 7 % 5000).weight;
            items.sort(chained.reversed());
            sum = sum * 31 + items.get(r * 13 % 5000).weight;
            Collections.rotate(items, 17 + r);
        }
        for (Item i : items) {
            sum = sum * 31 + i.group + i.name.hashCode();
        }
        System.out.println("ObjectSort " + rounds + " " + sum);
    }
}
