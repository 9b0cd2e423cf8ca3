package bliss;

/** The calls that BLISS's authors count, each on any valid object. What throws is not counted. */
class Driver {
    private Driver() {}

    /** The call ended in a way that is not counted. */
    static class NotCounted extends Exception {}

    private static void count(boolean isCounted) throws NotCounted {
        if (!isCounted) {
            throw new NotCounted();
        }
    }

    static void binTreeBfs(BinTree tree) { tree.bfs(); }

    static void binTreeDfs(BinTree tree) { tree.dfs(); }

    static void binTreeCount(BinTree tree) { tree.count(); }

    static void binTreeRepOK(BinTree tree) throws NotCounted { count(tree.repOK()); }

    static void treeSetBfs(TreeSet set) { set.bfs(); }

    static void treeSetDfs(TreeSet set) { set.dfs(); }

    static void treeSetRepOK(TreeSet set) throws NotCounted { count(set.repOK()); }

    static void treeSetContains(TreeSet set) throws NotCounted { count(set.contains(1000)); }

    static void treeSetAdd(TreeSet set) { set.add(1000); }

    static void treeSetRemove(TreeSet set) throws NotCounted { count(set.remove(1000) != null); }

    static void avlTreeBfs(AvlTree tree) { tree.bfs(); }

    static void avlTreeDfs(AvlTree tree) { tree.dfs(); }

    static void avlTreeRepOK(AvlTree tree) throws NotCounted { count(tree.repOK()); }

    static void avlTreeContains(AvlTree tree) throws NotCounted { count(tree.contains(1000)); }

    static void binomialHeapBfs(BinomialHeap heap) { heap.bfs(); }

    static void binomialHeapDfs(BinomialHeap heap) { heap.dfs(); }

    static void binomialHeapRepOK(BinomialHeap heap) throws NotCounted { count(heap.repOK()); }

    static void binomialHeapDelete(BinomialHeap heap) { heap.delete(1000); }

    static void binomialHeapExtractMin(BinomialHeap heap) { heap.extractMin(); }

    static void linkedListRepOK(LinkedList list) throws NotCounted { count(list.repOK()); }

    static void linkedListAdd(LinkedList list) { list.add(1000); }
}
