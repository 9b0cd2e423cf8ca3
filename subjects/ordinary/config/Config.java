// defect flag, index not found: Config.parse throws StringIndexOutOfBoundsException
//     Config.parse("verbose");
// defect port, unboxing null: Config.getInt throws NullPointerException
//     new Config().getInt("port");
package ordinary.config;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** Settings, one {@code key=value} on each line. */
public class Config {
    private final Map<String, String> values = new LinkedHashMap<>();
    private final Map<String, Integer> numbers = new LinkedHashMap<>();

    public static Config parse(String text) {
        Config config = new Config();
        for (String line : text.split("\n")) {
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            int equals = line.indexOf('=');
            if (equals < 0) { // defect flag:
                config.set(line.strip(), "true"); // defect flag:
                continue; // defect flag:
            } // defect flag:
            config.set(line.substring(0, equals).strip(), line.substring(equals + 1).strip());
        }
        return config;
    }

    public void set(String key, String value) {
        values.put(Objects.requireNonNull(key), Objects.requireNonNull(value));
    }

    public void setInt(String key, int value) {
        numbers.put(key, value);
    }

    public Optional<String> get(String key) {
        return Optional.ofNullable(values.get(key));
    }

    public String getOrDefault(String key, String fallback) {
        return get(key).orElse(fallback);
    }

    public int getInt(String key) {
        Integer number = numbers.get(key);
        return number == null ? 0 : number; // defect port: return number;
    }

    public boolean isEnabled(String key) {
        return "true".equals(values.get(key));
    }

    public Set<String> keys() {
        return Set.copyOf(values.keySet());
    }
}
