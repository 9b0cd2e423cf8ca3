// Measures start-up: prints one line and ends.
public class Hello {
    public static void main(String[] args) {
        System.out.println("Hello, world!");
    }
}
