// calls: 3
// classes: Behind Badge Pass
// Objects of classes that only calls make, behind Object and behind interfaces.
class Behind {
    // The constructor lets no null through.
    static int checkName(Object any) {
        return any instanceof Badge badge ? badge.length() : 0;
    }

    // Two calls of lower lead to zero.
    static int checkLevel(Object any) {
        return any instanceof Badge badge ? 6 / badge.level() : 0;
    }

    // No calls lead to a level below zero.
    static int checkNegative(Object any) {
        return any instanceof Badge badge && badge.level() < 0 ? 6 / (badge.level() - badge.level()) : 0;
    }

    // A class that the other parameter does not name.
    static int checkBoth(Badge badge, Object any) {
        if (badge == null || !(any instanceof Pass)) {
            return 0;
        }
        return 6 / (((Pass) any).number() - 1);
    }

    // Passes are numbered from one on.
    static int checkPass(Badge badge, Object any) {
        return any instanceof Pass pass ? 6 / pass.number() : 0;
    }
}

class Badge {
    private final String name;
    private int level = 2;

    Badge(String name) {
        if (name == null) {
            throw new IllegalArgumentException("no name");
        }
        this.name = name;
    }

    void lower() {
        if (level > 0) {
            level--;
        }
    }

    int level() {
        return level;
    }

    int length() {
        return name.length();
    }
}

class Pass {
    private final int number;

    Pass(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("from one on");
        }
        this.number = number;
    }

    int number() {
        return number;
    }
}
