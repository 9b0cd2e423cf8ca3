/** A little of everything that class files can have: the fuzzer changes its classes and explores what is left. */
public class Sample {
    static int counter;
    static final Sample SHARED = new Sample(3);
    int size;
    long total;
    double weight;
    String name;
    Integer box;
    int[] numbers;
    Object[] things;
    Node head;
    Colour colour;
    Shape shape;

    interface Shape {
        int area();

        default int twice() {
            return 2 * area();
        }
    }

    enum Colour {
        RED, GREEN
    }

    record Pair(int left, Object right) {
    }

    static class Node {
        int value;
        Node next;
        Node other;
    }

    static final class Square implements Shape {
        int side;

        public int area() {
            return side * side;
        }
    }

    class Inner {
        int depth = size + 1;
    }

    Sample(int size) {
        this.size = size;
    }

    boolean repOK() {
        int length = 0;
        for (Node node = head; node != null; node = node.next) {
            if (++length > size || (node.next != null && node.value > node.next.value)) {
                return false;
            }
        }
        return length == size;
    }

    public int insert(int value) {
        Node before = null;
        Node at = head;
        while (at != null && at.value < value) {
            before = at;
            at = at.next;
        }
        Node made = new Node();
        made.value = value;
        made.next = at;
        if (before == null) {
            head = made;
        } else {
            before.next = made;
        }
        return ++size;
    }

    public long sum(int from, long by) {
        long sum = total;
        for (int index = from; numbers != null && index < numbers.length; index++) {
            sum += numbers[index] * by % 7;
        }
        if (sum < 0) {
            throw new IllegalStateException("less than nothing: " + sum);
        }
        return sum;
    }

    public String describe(Object given) {
        try {
            switch (size) {
                case 0:
                    return "none";
                case 1:
                    return name.substring(1);
                default:
                    return given instanceof Sample other ? other.name : String.valueOf(given);
            }
        } catch (NullPointerException nothing) {
            return colour == Colour.RED ? "red" : null;
        } finally {
            counter++;
        }
    }

    public Object mix(double factor, Object[] given) {
        Runnable later = () -> total = size;
        later.run();
        if (factor * weight > 3.5 && given != null && given.length > 1) {
            given[0] = things;
            return new Pair(box == null ? 0 : box, given[1]);
        }
        synchronized (this) {
            return shape == null ? new Inner().depth : shape.twice();
        }
    }

    public static int steps(int number) {
        int steps = 0;
        while (number > 1 && steps < 20) {
            number = (number & 1) == 0 ? number >> 1 : 3 * number + 1;
            steps++;
        }
        return steps + SHARED.size;
    }

    public int[][] table(int rows) {
        int[][] table = new int[rows][2];
        for (int[] row : table) {
            row[1] = (int) (total >>> 3) ^ (byte) rows;
        }
        return table.clone();
    }
}
