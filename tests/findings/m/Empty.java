package m;

public class Empty {
    int nothing;
}
