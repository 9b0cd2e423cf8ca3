package gse;

import java.util.HashSet;
import java.util.Set;

/** A list of ints that threads sort, one for each pair of neighbours: the first may swap its pair once, the second twice, and so on. */
public class SortedByThreads {
    Link header;

    static class Link {
        int elem;
        Link next;

        /** Puts this element and the next one into order, and says whether they were not. */
        synchronized boolean swapElem() {
            synchronized (next) {
                if (elem > next.elem) {
                    int first = elem;
                    elem = next.elem;
                    next.elem = first;
                    return true;
                }
                return false;
            }
        }

        synchronized boolean inOrder() {
            synchronized (next) {
                return elem <= next.elem;
            }
        }
    }

    static class Swapper extends Thread {
        final Link current;
        final int maxSwaps;

        Swapper(Link current, int maxSwaps) {
            this.current = current;
            this.maxSwaps = maxSwaps;
        }

        @Override
        public void run() {
            int swaps = 0;
            for (int i = 0; i < maxSwaps; i++) {
                if (current.swapElem()) {
                    swaps++;
                }
            }
            if (swaps == maxSwaps) {
                assert current.inOrder();
            }
        }
    }

    /** The precondition. */
    boolean acyclic() {
        Set<Link> visited = new HashSet<>();
        for (Link link = header; link != null; link = link.next) {
            if (!visited.add(link)) {
                return false;
            }
        }
        return true;
    }

    public void distributedSort() {
        if (header == null || header.next == null) {
            return;
        }
        int swaps = 0;
        for (Link link = header; link.next != null; link = link.next) {
            new Swapper(link, ++swaps).start();
        }
    }
}
