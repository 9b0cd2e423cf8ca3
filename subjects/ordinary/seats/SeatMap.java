// defect onebased, off by one: SeatMap.reserve throws ArrayIndexOutOfBoundsException
//     new SeatMap(2, 3).reserve(2, 3);
// defect adjacent, off by one: SeatMap.findAdjacent throws ArrayIndexOutOfBoundsException
//     new SeatMap(1, 3).findAdjacent(2);
//     SeatMap full = new SeatMap(1, 1);
//     full.reserve(1, 1);
//     full.findAdjacent(1);
package ordinary.seats;

/** The seats of a hall; rows and seats are counted from 1. */
public class SeatMap {
    private final boolean[][] taken;
    private int free;

    public SeatMap(int rows, int seats) {
        if (rows < 1 || rows > 50 || seats < 1 || seats > 50) {
            throw new IllegalArgumentException("no such hall");
        }
        taken = new boolean[rows][seats];
        free = rows * seats;
    }

    public boolean reserve(int row, int seat) {
        if (row < 1 || row > taken.length || seat < 1 || seat > taken[0].length) {
            throw new IllegalArgumentException("no such seat");
        }
        if (taken[row - 1][seat - 1]) { // defect onebased: if (taken[row - 1][seat]) {
            return false;
        }
        taken[row - 1][seat - 1] = true;
        free--;
        assert free >= 0;
        return true;
    }

    public boolean isTaken(int row, int seat) {
        return row >= 1 && row <= taken.length && seat >= 1 && seat <= taken[0].length && taken[row - 1][seat - 1];
    }

    /** @return the row with so many free seats beside each other, or 0 */
    public int findAdjacent(int count) {
        for (int row = 0; row < taken.length; row++) {
            int run = 0;
            for (int seat = 0; seat < taken[row].length; seat++) { // defect adjacent: for (int seat = 0; seat <= taken[row].length; seat++) {
                run = taken[row][seat] ? 0 : run + 1;
                if (run >= count) {
                    return row + 1;
                }
            }
        }
        return 0;
    }

    public int free() {
        return free;
    }
}
