// defect overdue, unboxing null: Library.dueDay throws NullPointerException
//     Library library = new Library();
//     Library.Book book = new Library.Book("0-13", "Java");
//     library.acquire(book);
//     library.dueDay(book);
// defect identity, equals without hashCode: Library.lend throws NullPointerException
//     Library library = new Library();
//     library.acquire(new Library.Book("0-13", "Java"));
//     library.lend(new Library.Book("0-13", "Java"), 3);
package ordinary.lending;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Copies of books, and who has them how long. */
public class Library {
    public static final class Book {
        private final String isbn;
        private final String title;

        public Book(String isbn, String title) {
            this.isbn = Objects.requireNonNull(isbn);
            this.title = Objects.requireNonNull(title);
        }

        public String title() {
            return title;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Book book && isbn.equals(book.isbn);
        }

        @Override // defect identity:
        public int hashCode() { // defect identity:
            return isbn.hashCode(); // defect identity:
        } // defect identity:
    }

    private final List<Book> shelf = new ArrayList<>();
    private final Map<Book, Integer> copies = new HashMap<>();
    private final Map<Book, Integer> due = new HashMap<>();

    public void acquire(Book book) {
        Objects.requireNonNull(book);
        if (!shelf.contains(book)) {
            shelf.add(book);
        }
        copies.merge(book, 1, Integer::sum);
    }

    public boolean lend(Book book, int day) {
        if (!shelf.contains(book)) {
            return false;
        }
        int left = copies.get(book);
        if (left == 0) {
            return false;
        }
        copies.put(book, left - 1);
        due.put(book, day);
        return true;
    }

    public int dueDay(Book book) {
        return due.containsKey(book) ? due.get(book) : -1; // defect overdue: return copies.containsKey(book) ? due.get(book) : -1;
    }

    public boolean giveBack(Book book) {
        if (due.remove(book) == null) {
            return false;
        }
        copies.merge(book, 1, Integer::sum);
        return true;
    }

    public int titles() {
        return shelf.size();
    }
}
