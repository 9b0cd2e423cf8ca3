// defect unboxed, unboxing null: Inventory.take throws NullPointerException
//     new Inventory().take("bolt", 1);
// defect reserved, wrong key: Inventory.release throws NullPointerException
//     Inventory inventory = new Inventory();
//     inventory.put("bolt", 5);
//     inventory.reserve("bolt", 2);
//     inventory.release("bolt", 1);
package ordinary.inventory;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/** What is in stock, and what of it is promised. */
public class Inventory {
    private final Map<String, Integer> stock = new TreeMap<>();
    private final Map<String, Integer> reserved = new HashMap<>();

    public void put(String article, int count) {
        if (article == null || count <= 0 || count > 1_000_000) {
            throw new IllegalArgumentException("article or count");
        }
        stock.merge(article, count, Integer::sum);
    }

    public boolean take(String article, int count) {
        int free = stock.getOrDefault(article, 0) - reserved.getOrDefault(article, 0); // defect unboxed: int free = stock.get(article) - reserved.getOrDefault(article, 0);
        if (count <= 0 || count > free) {
            return false;
        }
        stock.put(article, stock.get(article) - count);
        return true;
    }

    public boolean reserve(String article, int count) {
        if (count <= 0 || count > available(article)) {
            return false;
        }
        reserved.merge(article, count, Integer::sum); // defect reserved: reserved.merge(article + "#", count, Integer::sum);
        return true;
    }

    public void release(String article, int count) {
        if (count <= 0 || !stock.containsKey(article) || stock.get(article) == available(article)) { // defect reserved: if (count <= 0 || !stock.containsKey(article)) {
            throw new IllegalArgumentException("nothing is reserved");
        }
        int left = reserved.get(article) - count;
        if (left <= 0) {
            reserved.remove(article);
        } else {
            reserved.put(article, left);
        }
    }

    public int available(String article) {
        return stock.getOrDefault(article, 0) - reserved.getOrDefault(article, 0);
    }

    public int articles() {
        return stock.size();
    }
}
