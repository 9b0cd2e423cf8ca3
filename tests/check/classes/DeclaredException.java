// Checks an exception that the method declares.
// target: DeclaredException.check
// domain: int -1..1
public class DeclaredException {
    static class Refused extends Exception {}

    static int check(int value) throws Refused {
        if (value < 0) {
            throw new Refused();
        }
        return value;
    }
}
