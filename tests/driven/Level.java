// build: up down set
// calls: 3
// Numbers that methods keep within bounds, which a constructor chooses.
class Level {
    private static int made;
    private int level;
    private int changes;
    private final int most;

    Level(int most) {
        if (most < 1) {
            throw new IllegalArgumentException();
        }
        this.most = most;
        made++;
    }

    void up() {
        changes++;
        if (level < most) {
            level++;
        }
    }

    void down() {
        if (level == 0) {
            throw new IllegalStateException();
        }
        changes++;
        level--;
    }

    void set(int level) {
        changes++;
        this.level = level < 0 || level > most ? this.level : level;
    }

    int checkShare() {
        return 6 / most;
    }

    int checkRange() {
        assert level >= 0 && level <= most;
        return level;
    }

    int checkThree() {
        return 6 / (level - 3);
    }

    int checkFour() {
        assert changes < 4;
        return changes;
    }

    int checkBackAgain() {
        assert changes < 3 || level != 0 || most != 2;
        return changes;
    }

    int checkMade() {
        assert made == 1;
        return made;
    }

    int checkBy(int by) {
        return by == changes ? 6 / (most - 2) : 0;
    }
}
