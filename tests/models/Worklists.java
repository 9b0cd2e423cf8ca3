package models;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Set;
import java.util.Stack;

// Invariants that walk a structure with the collections that people use for it, each in another way.

class Node {
    Node left;
    Node right;
    int key;
}

/** A tree, by breadth, with a queue that takes no null. */
class ByQueue {
    Node root;
    int size;

    boolean repOK() {
        Set<Node> visited = new HashSet<>();
        ArrayDeque<Node> waiting = new ArrayDeque<>();
        if (root != null) {
            waiting.add(root);
            visited.add(root);
        }
        while (!waiting.isEmpty()) {
            Node node = waiting.poll();
            if (node.left != null) {
                if (visited.contains(node.left)) {
                    return false;
                }
                visited.add(node.left);
                waiting.addLast(node.left);
            }
            if (node.right != null) {
                if (!visited.add(node.right)) {
                    return false;
                }
                waiting.offer(node.right);
            }
        }
        return visited.size() == size;
    }
}

/** A tree whose keys fall, by depth, with a stack. */
class ByStack {
    Node root;

    boolean repOK() {
        Set<Node> visited = new LinkedHashSet<>();
        Stack<Node> waiting = new Stack<>();
        waiting.push(root);
        while (!waiting.empty()) {
            Node node = waiting.pop();
            if (node == null) {
                continue;
            }
            if (!visited.add(node)) {
                return false;
            }
            if (node.left != null && node.left.key >= node.key) {
                return false;
            }
            waiting.push(node.left);
            waiting.push(node.right);
        }
        return !visited.isEmpty();
    }
}

/** A list through left that ends, with nothing to the right but nodes met before. */
class BackLinks {
    Node first;

    boolean repOK() {
        List<Node> met = new ArrayList<>();
        Node node = first;
        while (node != null) {
            if (met.contains(node)) {
                return false;
            }
            met.add(node);
            if (node.right != null && !met.contains(node.right)) {
                return false;
            }
            node = node.left;
        }
        return met.size() != 2;
    }
}

/** A list through left of an even number of nodes: pairs are taken from both ends, and have the same key. */
class BothEnds {
    Node first;

    boolean repOK() {
        LinkedList<Node> nodes = new LinkedList<>();
        Set<Node> visited = new HashSet<>();
        for (Node node = first; node != null; node = node.left) {
            if (!visited.add(node)) {
                return false;
            }
            nodes.addFirst(node);
        }
        while (!nodes.isEmpty()) {
            Node last = nodes.removeFirst();
            Node early = nodes.pollLast();
            if (early == null || early.key != last.key || nodes.peek() == early) {
                return false;
            }
        }
        return true;
    }
}
