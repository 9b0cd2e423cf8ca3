package acme;

/**
 * A doubly linked list of tracks, for the golden files of the reports. One method is right, two are not, and one does what Lazuli does not
 * support. No input has a number that a solver could choose.
 */
public class Playlist {
    static class Track {
        Track next, previous;
    }

    Track first;
    int size;

    public boolean repOK() {
        int count = 0;
        Track before = null;
        for (Track track = first; track != null; track = track.next) {
            if (track.previous != before || ++count > size) {
                return false;
            }
            before = track;
        }
        return count == size;
    }

    /** Right. */
    public void addFirst() {
        Track track = new Track();
        track.next = first;
        if (first != null) {
            first.previous = track;
        }
        first = track;
        size++;
    }

    /** Leaves a stale reference in the track that is the first afterwards. */
    public Track removeFirst() {
        if (first == null) {
            return null;
        }
        Track removed = first;
        first = removed.next;
        size--;
        return removed;
    }

    /** Forgets that there may be no track, "<or> only one & no more". */
    public Track second() {
        return first.next;
    }

    /** Needs something outside of Java. */
    public void play() {
        if (size > 0) {
            start(first);
        }
    }

    private static native void start(Track track);
}
