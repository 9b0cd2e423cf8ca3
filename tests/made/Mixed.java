// calls: 4
// Fields that the package may write beside private ones.
class Mixed {
    int open;
    private int shut = 1;

    void bump() {
        if (shut < 2) {
            shut++;
        }
    }

    void copy() {
        if (open == 3) {
            shut = 5;
        }
    }

    int checkOpen() {
        return 6 / open;
    }

    int checkShut() {
        return 6 / shut;
    }

    int checkBumped() {
        return 6 / (shut - 2);
    }

    // Written, then copied, then written again.
    int checkCopied() {
        return shut == 5 ? 6 / (open - 2) : 0;
    }

    int checkNever() {
        return shut > 5 || shut < 1 ? 6 / 0 : 0;
    }
}
