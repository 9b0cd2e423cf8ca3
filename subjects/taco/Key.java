package taco;

/** Something that has an order: what the JDK's own maps are checked with. */
public class Key implements Comparable<Key> {
    final int rank;

    public Key(int rank) {
        this.rank = rank;
    }

    @Override
    public int compareTo(Key other) {
        return Integer.compare(rank, other.rank);
    }
}
