import java.lang.reflect.InvocationTargetException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import org.sosy_lab.sv_benchmarks.Verifier;

/** Runs programs with every sequence of values: DIRECTORY, and NAME=VALUES for each. Prints how each program ends at worst. */
public class Search {
    public static void main(String[] words) throws Exception {
        URL[] path = {Path.of(words[0]).toUri().toURL()};
        for (int at = 1; at < words.length; at++) {
            String[] parts = words[at].split("=", 2);
            Verifier.values = parts[1].trim().split(" ");
            Verifier.choices.clear();
            Verifier.next = 0;
            String worst = "fine";
            do {
                try (URLClassLoader loader = new URLClassLoader(path)) {
                    loader.setDefaultAssertionStatus(true);
                    Class<?> main = Class.forName(parts[0], true, loader);
                    main.getMethod("main", String[].class).invoke(null, (Object) new String[0]);
                } catch (InvocationTargetException failed) {
                    if (!(failed.getCause() instanceof Verifier.Dropped)) {
                        worst = failed.getCause().getClass().getSimpleName();
                    }
                }
            } while (Verifier.advance());
            System.out.println(parts[0] + " " + worst);
        }
    }
}
