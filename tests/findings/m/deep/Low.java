package m.deep;

public class Low {
    public int same(int value) {
        return value;
    }
}
