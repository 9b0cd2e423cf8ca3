// defect winner, unboxing null: BallotBox.votes throws NullPointerException
//     new BallotBox().votes(BallotBox.Choice.NO);
// defect twice, missing guard: BallotBox.cast throws AssertionError
//     BallotBox box = new BallotBox();
//     box.cast("ann", BallotBox.Choice.YES);
//     box.cast("ann", BallotBox.Choice.NO);
package ordinary.voting;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Counts votes, one for each voter. */
public class BallotBox {
    public enum Choice { YES, NO, ABSTAIN }

    private final Map<Choice, Integer> votes = new EnumMap<>(Choice.class);
    private final Set<String> voters = new HashSet<>();

    public boolean cast(String voter, Choice choice) {
        Objects.requireNonNull(voter, "voter");
        Objects.requireNonNull(choice, "choice");
        if (!voters.add(voter)) { // defect twice: if (!voters.add(voter) && choice == Choice.ABSTAIN) {
            return false;
        }
        votes.merge(choice, 1, Integer::sum);
        assert votes.values().stream().mapToInt(Integer::intValue).sum() == voters.size();
        return true;
    }

    public int votes(Choice choice) {
        return votes.getOrDefault(choice, 0); // defect winner: return votes.get(choice);
    }

    public boolean isAccepted() {
        return votes(Choice.YES) > votes(Choice.NO);
    }

    public int turnout() {
        return voters.size();
    }
}
