// defect refill, missed cap: TokenBucket.refill breaks invariant
//     TokenBucket bucket = new TokenBucket(2, 5);
//     bucket.refill(10);
//     assert bucket.repOK();
package ordinary.limiter;

/** Lets requests through as long as there are tokens. */
public class TokenBucket {
    private final int capacity;
    private final int perTick;
    private int tokens;

    public TokenBucket(int capacity, int perTick) {
        if (capacity <= 0 || perTick <= 0) {
            throw new IllegalArgumentException("capacity and rate must be positive");
        }
        this.capacity = capacity;
        this.perTick = perTick;
        this.tokens = capacity;
    }

    public boolean repOK() {
        return capacity > 0 && perTick > 0 && 0 <= tokens && tokens <= capacity;
    }

    public boolean tryAcquire(int wanted) {
        if (wanted <= 0) {
            throw new IllegalArgumentException("wanted: " + wanted);
        }
        if (wanted > tokens) {
            return false;
        }
        tokens -= wanted;
        return true;
    }

    public void refill(int ticks) {
        if (ticks < 0) {
            throw new IllegalArgumentException("time runs forward");
        }
        long filled = tokens + (long) ticks * perTick;
        tokens = (int) Math.min(capacity, filled); // defect refill: tokens = (int) filled;
    }

    public int available() {
        return tokens;
    }
}
