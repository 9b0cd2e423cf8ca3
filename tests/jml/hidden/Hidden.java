import java.util.ArrayList;
import java.util.List;

/** Every method breaks a clause, and no program can see it: what objects of the JDK's classes hold, and which of them were there before. */
public class Hidden {
    private static final List<String> LOG = new ArrayList<>();

    //@ assignable \nothing;
    public static void log() {
        LOG.add("entry");
    }

    //@ ensures \fresh(\result);
    public static Object one() {
        return Integer.valueOf(1);
    }
}
