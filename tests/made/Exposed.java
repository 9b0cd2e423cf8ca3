// calls: 4
// classes: Exposed Part Holder
// Private parts that are handed out, or taken in, and others that are not.
class Exposed {
    private final Part shown = new Part();
    private final Part hidden = new Part();
    private Part taken = new Part();

    Part shown() {
        return shown;
    }

    void take(Part part) {
        if (part != null) {
            taken = part;
        }
    }

    int checkShown() {
        return 6 / (shown.number() - 2);
    }

    int checkHidden() {
        return 6 / (hidden.number() - 2);
    }

    int checkTaken() {
        return 6 / (taken.number() - 2);
    }

    int checkIsShown(Part part) {
        return part == shown ? 6 / 0 : 0;
    }

    int checkIsHidden(Part part) {
        return part == hidden ? 6 / 0 : 0;
    }

    int checkIsBoth() {
        return taken == shown ? 6 / 0 : 0;
    }

    int checkHolder(Holder holder) {
        return holder != null && holder.part == hidden ? 6 / 0 : 0;
    }

    int checkHolderShown(Holder holder) {
        return holder != null && holder.part != null && holder.part == shown ? 6 / 0 : 0;
    }
}

class Part {
    private int number;

    void set(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }
}

class Holder {
    Part part;
}
