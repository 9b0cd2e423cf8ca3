// defect grown, off by one: GapBuffer.insert throws ArrayIndexOutOfBoundsException
//     GapBuffer buffer = new GapBuffer();
//     for (int i = 0; i < 5; i++) {
//         buffer.insert('x');
//     }
// defect backspace, missing bounds check: GapBuffer.delete throws AssertionError
//     new GapBuffer().delete();
package ordinary.text;

import java.util.Arrays;

/** The text of an editor, cheap to change where the cursor is. */
public final class GapBuffer {
    private char[] chars = new char[4];
    private int gapStart;
    private int gapEnd = chars.length;

    public int length() {
        return chars.length - (gapEnd - gapStart);
    }

    public int cursor() {
        return gapStart;
    }

    public char charAt(int index) {
        if (index < 0 || index >= length()) {
            throw new IndexOutOfBoundsException("index " + index + ", length " + length());
        }
        return index < gapStart ? chars[index] : chars[index + (gapEnd - gapStart)];
    }

    public void insert(char c) {
        if (gapStart == gapEnd) { // defect grown: if (gapStart > gapEnd) {
            grow();
        }
        chars[gapStart++] = c;
    }

    /** Deletes the character before the cursor, if there is one. */
    public boolean delete() {
        if (gapStart == 0) { // defect backspace:
            return false; // defect backspace:
        } // defect backspace:
        gapStart--;
        assert gapStart >= 0;
        return true;
    }

    public void moveTo(int position) {
        if (position < 0 || position > length()) {
            throw new IndexOutOfBoundsException("position " + position);
        }
        while (gapStart > position) {
            chars[--gapEnd] = chars[--gapStart];
        }
        while (gapStart < position) {
            chars[gapStart++] = chars[gapEnd++];
        }
    }

    @Override
    public String toString() {
        return new StringBuilder().append(chars, 0, gapStart).append(chars, gapEnd, chars.length - gapEnd).toString();
    }

    private void grow() {
        int tail = chars.length - gapEnd;
        char[] larger = Arrays.copyOf(chars, chars.length * 2);
        System.arraycopy(chars, gapEnd, larger, larger.length - tail, tail);
        gapEnd = larger.length - tail;
        chars = larger;
    }
}
