// defect renamed, lost update of a second index: AddressBook.rename throws AssertionError
//     AddressBook book = new AddressBook();
//     book.add(new AddressBook.Contact("Ann", "ann@example.org"));
//     book.rename("ann@example.org", "Anna");
// defect removed, stale second index: AddressBook.emailOf throws NullPointerException
//     AddressBook book = new AddressBook();
//     book.add(new AddressBook.Contact("Ann", "ann@example.org"));
//     book.remove("ann@example.org");
//     book.emailOf("Ann");
package ordinary.contacts;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** People by address, and their addresses by name. */
public class AddressBook {
    public record Contact(String name, String email) {
        public Contact {
            if (name == null || email == null || name.isEmpty() || email.isEmpty()) {
                throw new IllegalArgumentException("name and email are needed");
            }
        }
    }

    private final Map<String, Contact> byEmail = new HashMap<>();
    private final Map<String, String> emailByName = new HashMap<>();

    public boolean add(Contact contact) {
        if (byEmail.containsKey(contact.email()) || emailByName.containsKey(contact.name())) {
            return false;
        }
        byEmail.put(contact.email(), contact);
        emailByName.put(contact.name(), contact.email());
        return true;
    }

    public boolean remove(String email) {
        Contact contact = byEmail.remove(email);
        if (contact == null) {
            return false;
        }
        emailByName.remove(contact.name()); // defect removed: emailByName.remove(contact.email());
        return true;
    }

    public boolean rename(String email, String name) {
        Contact old = byEmail.get(email);
        if (old == null || emailByName.containsKey(name)) {
            return false;
        }
        byEmail.put(email, new Contact(name, email));
        emailByName.remove(old.name()); // defect renamed:
        emailByName.put(name, email);
        assert byEmail.size() == emailByName.size();
        return true;
    }

    public Optional<String> emailOf(String name) {
        String email = emailByName.get(name);
        if (email == null) {
            return Optional.empty();
        }
        return Optional.of(byEmail.get(email).email());
    }

    public Collection<Contact> contacts() {
        return List.copyOf(byEmail.values());
    }

    public int size() {
        return byEmail.size();
    }
}
