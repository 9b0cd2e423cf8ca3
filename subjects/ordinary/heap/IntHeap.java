// defect child, off by one: IntHeap.poll throws AssertionError
//     IntHeap heap = new IntHeap();
//     heap.add(1);
//     heap.add(2);
//     heap.add(3);
//     heap.poll();
// defect capacity, missing growth: IntHeap.add throws ArrayIndexOutOfBoundsException
//     IntHeap heap = new IntHeap();
//     for (int i = 0; i < 3; i++) {
//         heap.add(i);
//     }
package ordinary.heap;

import java.util.Arrays;
import java.util.NoSuchElementException;

/** A binary heap of numbers, the least on top. */
public class IntHeap {
    private int[] items = new int[2];
    private int size;

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public void add(int item) {
        if (size == items.length) { // defect capacity: if (size > items.length) {
            items = Arrays.copyOf(items, size * 2);
        }
        items[size] = item;
        siftUp(size++);
    }

    public int peek() {
        if (size == 0) {
            throw new NoSuchElementException("the heap is empty");
        }
        return items[0];
    }

    public int poll() {
        int least = peek();
        items[0] = items[--size];
        siftDown(0);
        for (int i = 0; i < size; i++) {
            assert items[i] >= items[0];
        }
        return least;
    }

    private void siftUp(int index) {
        while (index > 0 && items[index] < items[(index - 1) / 2]) {
            swap(index, (index - 1) / 2);
            index = (index - 1) / 2;
        }
    }

    private void siftDown(int index) {
        while (2 * index + 1 < size) { // defect child: while (2 * index + 2 < size) {
            int child = 2 * index + 1;
            if (child + 1 < size && items[child + 1] < items[child]) {
                child++;
            }
            if (items[index] <= items[child]) {
                return;
            }
            swap(index, child);
            index = child;
        }
    }

    private void swap(int a, int b) {
        int kept = items[a];
        items[a] = items[b];
        items[b] = kept;
    }
}
