// defect mean, division by zero: RunningStats.mean throws ArithmeticException
//     new RunningStats().mean();
// defect extreme, wrong initial value: RunningStats.range throws AssertionError
//     RunningStats stats = new RunningStats();
//     stats.add(-5);
//     stats.range();
package ordinary.stats;

/** What is known of the numbers of a sensor so far. */
public class RunningStats {
    private int count;
    private long sum;
    private int least;
    private int greatest;

    public void add(int number) {
        least = count == 0 ? number : Math.min(least, number);
        greatest = count == 0 ? number : Math.max(greatest, number); // defect extreme: greatest = Math.max(greatest, number);
        sum += number;
        count++;
    }

    public int count() {
        return count;
    }

    public long mean() {
        if (count == 0) { // defect mean: if (count < 0) {
            return 0;
        }
        return sum / count;
    }

    public long range() {
        assert count != 1 || least == greatest;
        return (long) greatest - least;
    }

    public void reset() {
        count = 0;
        sum = 0;
        least = 0;
        greatest = 0;
    }
}
