// defect lastpage, off by one: Paginator.page throws IndexOutOfBoundsException
//     new Paginator<>(List.of("a", "b", "c"), 2).page(1);
// defect count, integer division: Paginator.pages throws AssertionError
//     new Paginator<>(List.of("a", "b", "c"), 2).pages();
package ordinary.paging;

import java.util.List;

/** Shows items page by page; pages are counted from 0. */
public class Paginator<T> {
    private final List<T> items;
    private final int perPage;

    public Paginator(List<T> items, int perPage) {
        if (perPage < 1 || perPage > 100) {
            throw new IllegalArgumentException("perPage: " + perPage);
        }
        this.items = List.copyOf(items);
        this.perPage = perPage;
    }

    public int pages() {
        int pages = (items.size() + perPage - 1) / perPage; // defect count: int pages = items.size() / perPage;
        assert (long) pages * perPage >= items.size();
        return pages;
    }

    public List<T> page(int page) {
        if (page < 0 || page >= pages()) {
            return List.of();
        }
        int from = page * perPage;
        int to = Math.min(from + perPage, items.size()); // defect lastpage: int to = from + perPage;
        return items.subList(from, to);
    }

    public boolean hasNext(int page) {
        return page + 1 < pages();
    }

    public int size() {
        return items.size();
    }
}
