// calls: 3
// classes: Escape Escape$Log
// ints: 0 1
// A constructor that lets its object escape before a final field is set, and one that throws after that.
class Escape {
    static class Log {
        private Escape seen;

        Escape seen() {
            return seen;
        }
    }

    private final Log log;

    Escape(Log to, int number) {
        if (to != null) {
            to.seen = this;
        }
        log = number == 1 ? new Log() : to;
    }

    int checkLog() {
        return log == null ? 6 / 0 : 0;
    }

    int checkSame() {
        return log != null && log.seen() == this ? 6 / 0 : 0;
    }
}
