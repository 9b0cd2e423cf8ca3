// calls: 3
// classes: Nest Nest$Tool Nest$Inner Nest$Factory
// ints: 0 1
// Nested classes change private fields of the class around them, and call its private constructors.
class Nest {
    private int turns = 1;
    private int level = 1;
    private int seed = 1;

    Nest() {}

    private Nest(int seed) {
        this.seed = seed;
    }

    static class Tool {
        void reset(Nest nest) {
            if (nest != null) {
                nest.level = 0;
            }
        }
    }

    class Inner {
        void turn() {
            turns--;
        }
    }

    static class Factory {
        Nest of(int seed) {
            return new Nest(seed > 0 ? seed : 1);
        }
    }

    int checkTurns() {
        return 6 / turns;
    }

    int checkLevel() {
        return 6 / level;
    }

    int checkSeed() {
        return 6 / seed;
    }

    int checkSeeds() {
        return seed == 3 ? 6 / 0 : 0; // beyond the domain
    }
}
