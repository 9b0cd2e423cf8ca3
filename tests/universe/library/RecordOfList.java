// A record of a list, whose constructor decides which there are.
// scope: 2
// objects: 4
// domain: int 0 5; string a
import java.util.List;

public class RecordOfList {
    record Names(List<String> all, int most) {
        Names {
            if (all == null || most < 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    public int count(Names names) {
        return names == null ? 0 : names.all().size();
    }

    public int negative(Names names) {
        return names == null || names.most() >= 0 ? 0 : 1 / 0;
    }

    public int first(Names names) {
        return names == null || names.most() == 0 ? 0 : names.all().get(0).length();
    }
}
