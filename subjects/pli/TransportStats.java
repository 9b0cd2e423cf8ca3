package pli;

/** Counts the bytes that were read and written, and how often a message of each length was. */
public class TransportStats {
    LongTreeMap readLengths;
    LongTreeMap writtenLengths;
    long totalRead;
    long totalWritten;

    public TransportStats() {
        readLengths = new LongTreeMap();
        writtenLengths = new LongTreeMap();
    }

    public void bytesRead(int length) {
        totalRead += length;
        readLengths.put(length, readLengths.get(length) + 1);
    }

    public void bytesWritten(int length) {
        totalWritten += length;
        writtenLengths.put(length, writtenLengths.get(length) + 1);
    }

    boolean repOK() {
        return repOKHeap() && repOKData();
    }

    /**
     * Two different red-black trees without a common entry. It is enough to compare the roots: in a proper tree, the
     * parents of a common entry lead to the one root of both.
     */
    boolean repOKHeap() {
        if (readLengths == null || writtenLengths == null || readLengths == writtenLengths) {
            return false;
        }
        if (readLengths.root != null && readLengths.root == writtenLengths.root) {
            return false;
        }
        return readLengths.repOKHeap() && writtenLengths.repOKHeap();
    }

    boolean repOKData() {
        return readLengths.repOKData() && writtenLengths.repOKData();
    }
}
