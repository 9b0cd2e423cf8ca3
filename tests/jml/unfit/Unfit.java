public class Unfit {
    private int count;

    public void add(int x) {
        count += x;
    }
}
