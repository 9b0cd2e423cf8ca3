// defect top, missing guard: Elevator.step throws AssertionError
//     Elevator elevator = new Elevator(1);
//     elevator.call(1);
//     elevator.step();
//     elevator.call(0);
//     elevator.step();
// defect called, off by one: Elevator.call throws ArrayIndexOutOfBoundsException
//     try {
//         new Elevator(3).call(4);
//     } catch (IllegalArgumentException rejected) {
//     }
package ordinary.elevator;

/** Goes up as long as there are calls above, and then down. */
public class Elevator {
    public enum Direction {
        UP(1), DOWN(-1), NONE(0);

        private final int step;

        Direction(int step) {
            this.step = step;
        }
    }

    private final boolean[] calls;
    private int floor;
    private Direction direction = Direction.NONE;

    public Elevator(int top) {
        if (top < 1 || top > 200) {
            throw new IllegalArgumentException("top floor: " + top);
        }
        calls = new boolean[top + 1];
    }

    public int floor() {
        return floor;
    }

    public Direction direction() {
        return direction;
    }

    public void call(int wanted) {
        if (wanted < 0 || wanted >= calls.length) { // defect called: if (wanted < 0 || wanted > calls.length) {
            throw new IllegalArgumentException("floor: " + wanted);
        }
        if (wanted != floor) {
            calls[wanted] = true;
        }
    }

    /** Moves by one floor. */
    public void step() {
        direction = choose();
        floor += direction.step;
        assert floor >= 0 && floor < calls.length : floor;
        calls[floor] = false;
    }

    private Direction choose() {
        boolean above = isCalled(floor + 1, calls.length);
        boolean below = isCalled(0, floor);
        if (direction == Direction.UP && above || direction == Direction.NONE && above) { // defect top: if (direction == Direction.UP && (above || below) || direction == Direction.NONE && above) {
            return Direction.UP;
        }
        if (below) {
            return Direction.DOWN;
        }
        return above ? Direction.UP : Direction.NONE;
    }

    private boolean isCalled(int from, int to) {
        for (int i = from; i < to; i++) {
            if (calls[i]) {
                return true;
            }
        }
        return false;
    }
}
