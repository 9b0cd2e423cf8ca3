// defect sink, missing null check: DirectedGraph.reaches throws NullPointerException
//     DirectedGraph graph = new DirectedGraph();
//     graph.addEdge(1, 2);
//     graph.reaches(1, 3);
// defect removed, mutation during iteration: DirectedGraph.removeNode throws ConcurrentModificationException
//     DirectedGraph graph = new DirectedGraph();
//     graph.addEdge(1, 2);
//     graph.addEdge(3, 2);
//     graph.addEdge(4, 5);
//     graph.removeNode(1);
package ordinary.graph;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Nodes are numbers. */
public class DirectedGraph {
    private final Map<Integer, Set<Integer>> successors = new HashMap<>();

    public void addNode(int node) {
        successors.computeIfAbsent(node, n -> new HashSet<>());
    }

    public void addEdge(int from, int to) {
        addNode(from);
        addNode(to); // defect sink:
        successors.get(from).add(to);
    }

    public boolean hasEdge(int from, int to) {
        Set<Integer> next = successors.get(from);
        return next != null && next.contains(to);
    }

    public int outDegree(int node) {
        return successors.getOrDefault(node, Set.of()).size();
    }

    public void removeNode(int node) {
        successors.remove(node);
        for (Set<Integer> next : successors.values()) {
            next.remove(node); // defect removed: next.remove(node); if (next.isEmpty()) { successors.values().remove(next); }
        }
    }

    public boolean reaches(int from, int to) {
        if (!successors.containsKey(from)) {
            return false;
        }
        Set<Integer> seen = new HashSet<>();
        Deque<Integer> open = new ArrayDeque<>();
        open.push(from);
        while (!open.isEmpty()) {
            int node = open.pop();
            if (node == to) {
                return true;
            }
            if (seen.add(node)) {
                for (int next : successors.get(node)) {
                    open.push(next);
                }
            }
        }
        return false;
    }

    public int size() {
        return successors.size();
    }
}
