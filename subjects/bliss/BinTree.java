package bliss;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A binary tree that is its own root node. */
public class BinTree {
    int key;
    BinTree left;
    BinTree right;

    /** Visits the nodes breadth-first, and returns how many there are. */
    public int bfs() {
        Set<BinTree> visited = new HashSet<>();
        List<BinTree> pending = new ArrayList<>();
        visited.add(this);
        pending.add(this);
        while (!pending.isEmpty()) {
            BinTree node = pending.remove(0);
            if (node.left != null && visited.add(node.left)) {
                pending.add(node.left);
            }
            if (node.right != null && visited.add(node.right)) {
                pending.add(node.right);
            }
        }
        return visited.size();
    }

    /** Visits the nodes depth-first, and returns how many there are. */
    public int dfs() {
        Set<BinTree> visited = new HashSet<>();
        visit(this, visited);
        return visited.size();
    }

    private static void visit(BinTree node, Set<BinTree> visited) {
        if (node != null && visited.add(node)) {
            visit(node.left, visited);
            visit(node.right, visited);
        }
    }

    public int count() {
        return countBelow(this);
    }

    private static int countBelow(BinTree node) {
        return node == null ? 0 : 1 + countBelow(node.left) + countBelow(node.right);
    }

    /** A tree: no node is reached twice. */
    public boolean repOK() {
        Set<BinTree> visited = new HashSet<>();
        List<BinTree> pending = new ArrayList<>();
        visited.add(this);
        pending.add(this);
        while (!pending.isEmpty()) {
            BinTree node = pending.remove(0);
            if (node.left != null) {
                if (!visited.add(node.left)) {
                    return false;
                }
                pending.add(node.left);
            }
            if (node.right != null) {
                if (!visited.add(node.right)) {
                    return false;
                }
                pending.add(node.right);
            }
        }
        return true;
    }
}
