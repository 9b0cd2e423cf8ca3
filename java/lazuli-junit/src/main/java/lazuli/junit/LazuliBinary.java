package lazuli.junit;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
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

    /** A copy of the program that a jar carries, with the libraries beside it. */
    private static Path insideOfJar() {
        String place = "/META-INF/lazuli/" + System.getProperty("os.name") + "-" + System.getProperty("os.arch") + "/";
        try (InputStream list = LazuliBinary.class.getResourceAsStream(place + "files")) {
            if (list == null) {
                return null;
            }
            Path folder = Files.createTempDirectory("lazuli");
            // The last that is named is deleted first.
            folder.toFile().deleteOnExit();
            for (String name : new String(list.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                Path copy = folder.resolve(name);
                try (InputStream carried = LazuliBinary.class.getResourceAsStream(place + name)) {
                    Files.copy(carried, copy);
                }
                copy.toFile().deleteOnExit();
            }
            Path program = folder.resolve("lazuli");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            return program;
        } catch (IOException problem) {
            throw new NotCheckedException("the program lazuli cannot be copied from its jar: " + problem.getMessage(), problem);
        }
    }
}
