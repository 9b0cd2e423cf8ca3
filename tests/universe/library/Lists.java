// A list as a parameter: null elements, indices, changes during iteration, and lists that are the same object.
// scope: 2
// domain: int 0 1 7; string a
// complete: precise precise-search precise-list precise-circuit-list precise-circuit lazier lazier-sharp hybrid bounded refined sat sat-cached eager lissa
import java.util.ArrayList;
import java.util.List;

public class Lists {
    public static int sum(List<Integer> list) {
        int sum = 0;
        if (list != null) {
            for (Integer each : list) {
                sum += each;
            }
        }
        return sum;
    }

    public static int sumOfThoseThere(List<Integer> list) {
        int sum = 0;
        if (list != null) {
            for (Integer each : list) {
                sum += each == null ? 0 : each;
            }
        }
        return sum;
    }

    public static Integer behindTheLast(ArrayList<Integer> list) {
        return list == null ? null : list.get(list.size());
    }

    public static Integer last(ArrayList<Integer> list) {
        return list == null || list.isEmpty() ? null : list.get(list.size() - 1);
    }

    public static void removeWhileWalking(List<Integer> list) {
        if (list != null) {
            for (Integer each : list) {
                if (each != null && each == 7) {
                    list.remove(each);
                }
            }
        }
    }

    public static void sameList(List<Integer> one, List<Integer> other) {
        if (one != null && other != null) {
            int before = other.size();
            one.add(1);
            assert other.size() == before;
        }
    }

    public static void ownList(List<Integer> one) {
        if (one != null) {
            List<Integer> other = new ArrayList<>(one);
            one.add(1);
            assert other.size() + 1 == one.size();
        }
    }

    public static void elementTwice(List<Integer> list) {
        if (list != null && list.size() == 2) {
            assert list.get(0) == null || list.get(0) != list.get(1);
        }
    }

    public static void never(List<Integer> list) {
        if (list != null && list.size() == 2 && list.get(0) != null && list.get(1) != null) {
            assert list.get(0) + list.get(1) != 14;
        }
    }
}
