// defect roles, missing null check: Permissions.mayWrite throws NullPointerException
//     new Permissions().mayWrite("ann");
// defect revoked, shared value: Permissions.grant throws UnsupportedOperationException
//     Permissions permissions = new Permissions();
//     permissions.revokeAll("ann");
//     permissions.grant("ann", Permissions.Right.READ);
package ordinary.access;

import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Who may do what. */
public class Permissions {
    public enum Right { READ, WRITE, ADMIN }

    private final Map<String, Set<Right>> rights = new HashMap<>();

    public void grant(String user, Right right) {
        Objects.requireNonNull(user);
        rights.computeIfAbsent(user, u -> EnumSet.noneOf(Right.class)).add(Objects.requireNonNull(right));
    }

    public void revokeAll(String user) {
        rights.put(Objects.requireNonNull(user), EnumSet.noneOf(Right.class)); // defect revoked: rights.put(Objects.requireNonNull(user), Set.of());
    }

    public boolean mayRead(String user) {
        return !rights.getOrDefault(user, Set.of()).isEmpty();
    }

    public boolean mayWrite(String user) {
        Set<Right> granted = rights.get(user);
        return granted != null && (granted.contains(Right.WRITE) || granted.contains(Right.ADMIN)); // defect roles: return granted.contains(Right.WRITE) || granted.contains(Right.ADMIN);
    }

    public int users() {
        return rights.size();
    }
}
