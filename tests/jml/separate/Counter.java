// Checks that a .jml file speaks of private fields of a class that says nothing itself.
//! check --scope 2: next, skip, Counter$Part.get
public class Counter {
    private int count;
    private Part part;

    public int next() {
        return ++count;
    }

    public void skip(int n) {
        count += n;
    }

    static class Part {
        private int weight;

        public int get() {
            return weight;
        }
    }
}
