package m;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

// A state machine says no to a step because of its state, in whatever way the steps are written down.
public class Steps {
    enum Stage {
        NEW, PAID, SHIPPED;

        boolean mayGo(Stage to) {
            return this == NEW && to == PAID || to == SHIPPED && this == PAID;
        }
    }

    enum Phase {
        BEGUN {
            @Override
            boolean mayFollow(Phase to) {
                return to == ENDED;
            }
        },
        ENDED {
            @Override
            boolean mayFollow(Phase to) {
                return false;
            }
        };

        abstract boolean mayFollow(Phase to);
    }

    private static final Map<Stage, Set<Stage>> ALLOWED = new EnumMap<>(Stage.class);

    static {
        ALLOWED.put(Stage.NEW, EnumSet.of(Stage.PAID));
        ALLOWED.put(Stage.PAID, EnumSet.of(Stage.SHIPPED));
        ALLOWED.put(Stage.SHIPPED, EnumSet.noneOf(Stage.class));
    }

    private Stage stage = Stage.NEW;
    private Phase phase = Phase.BEGUN;
    private int most = 3;

    public void pay() { //: rejection IllegalStateException
        go(Stage.PAID);
    }

    public void ship() { //: rejection IllegalStateException
        go(Stage.SHIPPED);
    }

    public void shipByTable() { //: rejection IllegalStateException
        if (!ALLOWED.get(stage).contains(Stage.SHIPPED)) {
            throw new IllegalStateException();
        }
        stage = Stage.SHIPPED;
    }

    public void payByTable() { //: rejection IllegalStateException
        goByTable(Stage.PAID);
    }

    public void end() { //: rejection IllegalStateException
        follow(Phase.ENDED);
    }

    public void wrongNumber() { //: defect IllegalArgumentException
        take(-1);
    }

    private void take(int number) {
        if (!fits(number)) {
            throw new IllegalArgumentException();
        }
    }

    private boolean fits(int number) {
        return number < most && number >= 0;
    }

    private void go(Stage to) {
        if (!stage.mayGo(to)) {
            throw new IllegalStateException();
        }
        stage = to;
    }

    private void follow(Phase to) {
        if (!phase.mayFollow(to)) {
            throw new IllegalStateException();
        }
        phase = to;
    }

    private void goByTable(Stage to) {
        if (!ALLOWED.get(stage).contains(to)) {
            throw new IllegalStateException();
        }
        stage = to;
    }
}
