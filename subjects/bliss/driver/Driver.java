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

    static void avlTreeInsert(AvlTree tree) { tree.insert(1); }

    static void avlTreeRemove(AvlTree tree) { tree.remove(1); }

    static void treeMapTrace_L1(TreeMap map, int call1, int key1) { map.trace_L1(call1, key1); }

    static void treeMapTrace_L2(TreeMap map, int call1, int key1, int call2, int key2) {
        map.trace_L2(call1, key1, call2, key2);
    }

    static void treeMapTrace_L3(TreeMap map, int call1, int key1, int call2, int key2, int call3, int key3) {
        map.trace_L3(call1, key1, call2, key2, call3, key3);
    }

    static void binomialHeapBfs(BinomialHeap heap) { heap.bfs(); }

    static void binomialHeapDfs(BinomialHeap heap) { heap.dfs(); }

    static void binomialHeapRepOK(BinomialHeap heap) throws NotCounted { count(heap.repOK()); }

    static void binomialHeapDelete(BinomialHeap heap) { heap.deleteAsPublished(1000); }

    static void binomialHeapExtractMin(BinomialHeap heap) { heap.extractMin(); }

    static void binomialHeapInsert(BinomialHeap heap) { heap.insert(1000); }

    /** Valid heaps only; nodes that got lost are a fault. */
    static void binomialHeapExtractMinBug(BinomialHeap heap) throws NotCounted {
        count(heap != null && heap.repOK());
        heap.extractMin();
        if (heap.size != heap.bfs()) {
            throw new IllegalStateException();
        }
    }

    static void binomialHeapTrace_L1(BinomialHeap heap, int call1, int key1, int lower1) {
        heap.trace_L1(call1, key1, lower1);
    }

    static void binomialHeapTrace_L2(
            BinomialHeap heap, int call1, int key1, int lower1, int call2, int key2, int lower2) {
        heap.trace_L2(call1, key1, lower1, call2, key2, lower2);
    }

    static void binomialHeapTrace_L3(
            BinomialHeap heap,
            int call1, int key1, int lower1,
            int call2, int key2, int lower2,
            int call3, int key3, int lower3) {
        heap.trace_L3(call1, key1, lower1, call2, key2, lower2, call3, key3, lower3);
    }

    static void linkedListRepOK(LinkedList list) throws NotCounted { count(list.repOK()); }

    static void linkedListAdd(LinkedList list) { list.add(1000); }

    // The position is the last one that a list of the scope may have, so that there is a call for each scope.

    static void linkedListRemove10(LinkedList list) { list.remove(9); }

    static void linkedListRemove11(LinkedList list) { list.remove(10); }

    static void linkedListRemove12(LinkedList list) { list.remove(11); }

    static void linkedListRemove13(LinkedList list) { list.remove(12); }

    static void linkedListRemove14(LinkedList list) { list.remove(13); }

    static void linkedListRemove15(LinkedList list) { list.remove(14); }

    static void linkedListRemove16(LinkedList list) { list.remove(15); }

    static void linkedListRemove17(LinkedList list) { list.remove(16); }

    static void linkedListRemove18(LinkedList list) { list.remove(17); }

    static void linkedListRemove19(LinkedList list) { list.remove(18); }

    static void linkedListRemove20(LinkedList list) { list.remove(19); }
}
