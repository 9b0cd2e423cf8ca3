//! check calls.Setting.level AssertionError
package calls;

/** A singleton with a private constructor, which calls change. */
public class Setting {
    public static final class Config {
        private static final Config ONLY = new Config();

        private int level;

        private Config() { }

        public static Config get() {
            return ONLY;
        }

        public void raise(int by) {
            level += by;
        }

        public int level() {
            return level;
        }
    }

    public static void level(Config config) {
        assert config == null || config.level() != 7; // mended:
    }
}
