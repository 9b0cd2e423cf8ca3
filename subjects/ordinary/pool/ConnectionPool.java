// defect exhausted, missing guard: ConnectionPool.acquire throws NullPointerException
//     ConnectionPool pool = new ConnectionPool(1);
//     pool.acquire();
//     pool.acquire();
// defect twice, state machine without a guard: ConnectionPool.release throws AssertionError
//     ConnectionPool pool = new ConnectionPool(1);
//     ConnectionPool.Connection connection = pool.acquire();
//     pool.release(connection);
//     try {
//         pool.release(connection);
//     } catch (IllegalStateException rejected) {
//     }
package ordinary.pool;

import java.util.ArrayDeque;
import java.util.Deque;

/** Lends connections, and makes no more than so many. */
public class ConnectionPool {
    public static final class Connection {
        private final ConnectionPool pool;
        private final int id;
        private boolean isBusy;

        private Connection(ConnectionPool pool, int id) {
            this.pool = pool;
            this.id = id;
        }

        public int id() {
            return id;
        }
    }

    private final Deque<Connection> idle = new ArrayDeque<>();
    private final int capacity;
    private int made;

    public ConnectionPool(int capacity) {
        if (capacity < 1) {
            throw new IllegalArgumentException("capacity");
        }
        this.capacity = capacity;
    }

    /** @return null if all are busy */
    public Connection acquire() {
        Connection connection = idle.pollFirst();
        if (connection == null && made < capacity) {
            connection = new Connection(this, ++made);
        }
        if (connection != null) { // defect exhausted:
            connection.isBusy = true;
        } // defect exhausted:
        return connection;
    }

    public void release(Connection connection) {
        if (connection.pool != this) {
            throw new IllegalArgumentException("not from this pool");
        }
        if (!connection.isBusy) { // defect twice:
            throw new IllegalStateException("not in use"); // defect twice:
        } // defect twice:
        connection.isBusy = false;
        idle.addFirst(connection);
        assert idle.size() <= capacity;
    }

    public int idle() {
        return idle.size();
    }
}
