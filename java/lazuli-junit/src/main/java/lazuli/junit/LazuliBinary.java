package lazuli.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.nio.file.attribute.PosixFilePermissions;

/** Finds the program {@code lazuli}. */
final class LazuliBinary {
    private static Path found;

    private LazuliBinary() {}

    /** By the property {@code lazuli.binary}, the variable {@code LAZULI}, inside a jar of the class path, or in a directory of {@code PATH}. */
    static synchronized Path path() {
        if (found == null) {
            found = search();
        }
        return found;
    }

    private static Path search() {
        for (String named : new String[] {System.getProperty("lazuli.binary"), System.getenv("LAZULI")}) {
            if (named != null && !named.isEmpty()) {
                Path path = Path.of(named);
                if (!Files.isExecutable(path)) {
                    throw new NotCheckedException("there is no program " + path
                            + "; set the system property lazuli.binary, or the variable LAZULI, to the program lazuli.");
                }
                return path.toAbsolutePath();
            }
        }
        Path inside = insideOfJar();
        if (inside != null) {
            return inside;
        }
        String path = System.getenv("PATH");
        for (String folder : path == null ? new String[0] : path.split(":")) {
            Path candidate = Path.of(folder, "lazuli");
            if (!folder.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return candidate.toAbsolutePath();
            }
        }
        throw new NotCheckedException("the program lazuli is not found: put it on the PATH, set the system property lazuli.binary or the"
                + " variable LAZULI to it, or add the jar lazuli-binary to the test dependencies.");
    }

    /** A copy of the program that a jar carries. */
    private static Path insideOfJar() {
        String machine = System.getProperty("os.name") + "-" + System.getProperty("os.arch");
        try (InputStream carried = LazuliBinary.class.getResourceAsStream("/META-INF/lazuli/" + machine + "/lazuli")) {
            if (carried == null) {
                return null;
            }
            Path folder = Files.createTempDirectory("lazuli");
            Path copy = folder.resolve("lazuli");
            Files.copy(carried, copy);
            Files.setPosixFilePermissions(copy, Set.copyOf(PosixFilePermissions.fromString("rwx------")));
            // The last that is named is deleted first.
            folder.toFile().deleteOnExit();
            copy.toFile().deleteOnExit();
            return copy;
        } catch (IOException problem) {
            throw new NotCheckedException("the program lazuli cannot be copied from its jar: " + problem.getMessage(), problem);
        }
    }
}
