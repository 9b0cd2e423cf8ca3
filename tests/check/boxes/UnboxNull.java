// Checks that unboxing null throws.
// target: UnboxNull.sum
// scope: 2
// domain: int 0..1; long 0..1
public class UnboxNull {
    Integer count;

    long sum(Long amount, boolean counts) {
        return counts ? amount + count : amount;
    }
}
