// defect upper, missing bounds check: Trie.add throws ArrayIndexOutOfBoundsException
//     try {
//         new Trie().add("Ab");
//     } catch (IllegalArgumentException rejected) {
//     }
// defect prefix, missing null check: Trie.contains throws NullPointerException
//     new Trie().contains("a");
package ordinary.trie;

/** Words of small letters. */
public class Trie {
    private static class Node {
        private final Node[] children = new Node[26];
        private boolean isWord;
    }

    private final Node root = new Node();
    private int size;

    public boolean add(String word) {
        if (!isSmall(word)) { // defect upper: if (word.isEmpty()) {
            throw new IllegalArgumentException(word);
        }
        Node node = root;
        for (int i = 0; i < word.length(); i++) {
            int letter = word.charAt(i) - 'a';
            if (node.children[letter] == null) {
                node.children[letter] = new Node();
            }
            node = node.children[letter];
        }
        if (node.isWord) {
            return false;
        }
        node.isWord = true;
        size++;
        return true;
    }

    public boolean contains(String word) {
        Node node = find(word);
        return node != null && node.isWord; // defect prefix: return node.isWord;
    }

    public boolean startsWith(String prefix) {
        return find(prefix) != null;
    }

    public int size() {
        return size;
    }

    private Node find(String word) {
        if (!isSmall(word)) {
            return null;
        }
        Node node = root;
        for (int i = 0; i < word.length() && node != null; i++) {
            node = node.children[word.charAt(i) - 'a'];
        }
        return node;
    }

    private static boolean isSmall(String word) {
        return word.chars().allMatch(c -> 'a' <= c && c <= 'z');
    }
}
