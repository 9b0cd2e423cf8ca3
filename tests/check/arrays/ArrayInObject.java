// Checks a stack that keeps its elements in an array and grows.
// target: ArrayInObject.push
// scope: 2
// domain: int -1..3; elements[] 7; value 9
public class ArrayInObject {
    int[] elements;
    int size;

    void push(int value) {
        if (size == elements.length) {
            int[] larger = new int[2 * size + 1];
            for (int i = 0; i < size; i++) {
                larger[i] = elements[i];
            }
            elements = larger;
        }
        elements[size++] = value;
    }
}
