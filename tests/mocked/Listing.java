// A service returns a list: one that its own constructor and methods made, and no object that merely is a List.
import java.util.List;

public class Listing {
    interface Names {
        List<String> all();
    }

    public static int count(Names names) {
        List<String> all = names.all();
        int count = 0;
        if (all != null) {
            for (String name : all) {
                count++;
            }
        }
        return count;
    }

    public static boolean isEmpty(Names names) {
        List<String> all = names.all();
        assert all == null || all.size() >= 0;
        return all == null || all.isEmpty();
    }

    public static String first(Names names) {
        List<String> all = names.all();
        return all == null ? "" : all.get(0); //: IndexOutOfBoundsException
    }

    public static int longest(Names names) {
        List<String> all = names.all();
        int longest = 0;
        if (all != null) {
            for (String name : all) {
                longest = Math.max(longest, name.length()); //: NullPointerException
            }
        }
        return longest;
    }
}
