// Lists of lists, arrays of lists, and records with lists.
// scope: 2
// objects: 4
// domain: int 0 7; string a
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.List;

public class Nested {
    record Box(List<Integer> content) {}

    public static int inner(List<List<Integer>> lists) {
        int count = 0;
        if (lists != null) {
            for (List<Integer> each : lists) {
                count += each == null ? 0 : each.size();
            }
        }
        return count;
    }

    public static int innerNull(List<List<Integer>> lists) {
        int count = 0;
        if (lists != null) {
            for (List<Integer> each : lists) {
                count += each.size();
            }
        }
        return count;
    }

    public static void shared(List<List<Integer>> lists) {
        if (lists != null && lists.size() == 2 && lists.get(0) != null && lists.get(1) != null) {
            int before = lists.get(1).size();
            lists.get(0).clear();
            assert lists.get(1).size() == before;
        }
    }

    public static int inArray(List<Integer>[] lists) {
        return lists == null || lists.length == 0 || lists[0] == null ? 0 : lists[0].get(0);
    }

    public static int inRecord(Box box) {
        return box == null || box.content() == null ? 0 : box.content().size();
    }

    public static Integer inRecordWrong(Box box) {
        return box == null || box.content() == null ? 0 : box.content().get(1);
    }
}
