package m;

public enum Kind {
    ONE,
    OTHER;

    public Kind other() {
        return this == ONE ? OTHER : ONE;
    }

    public static void main(String[] words) {
        System.out.println(words[0]);
    }
}
