package lazuli.maven;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;

/** What the goals have in common: they run the program {@code lazuli} on the classes of a project. */
abstract class LazuliGoal extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    /** For all modules of a build. */
    private static Path copy;

    /** The program. Otherwise the variable LAZULI, that of a jar which is a dependency of this plugin, or the one on the PATH. */
    @Parameter(property = "lazuli.binary")
    String binary;

    /** The classes, packages or methods that are meant. Otherwise all classes of the project. */
    @Parameter(property = "lazuli.targets")
    List<String> targets;

    @Parameter(property = "lazuli.scope")
    String scope;

    @Parameter(property = "lazuli.time", defaultValue = "60s")
    String time;

    /** Further words of the command line. */
    @Parameter(property = "lazuli.options")
    List<String> options;

    @Parameter(property = "lazuli.skip", defaultValue = "false")
    boolean skip;

    /** Where reports and tests are written. */
    @Parameter(property = "lazuli.output", defaultValue = "${project.build.directory}/lazuli")
    File output;

    /** Is there something to check? */
    boolean hasClasses() {
        if (skip) {
            getLog().info("Lazuli is skipped.");
            return false;
        }
        if (!"pom".equals(project.getPackaging()) && new File(project.getBuild().getOutputDirectory()).isDirectory()) {
            return true;
        }
        getLog().info("There are no classes to check.");
        return false;
    }

    /** The command with everything that is the same for all goals. */
    List<String> command(String name) throws MojoExecutionException {
        List<String> words = new ArrayList<>(List.of(program(), name));
        if (targets == null || targets.isEmpty()) {
            words.addAll(ownClasses());
        } else {
            words.addAll(targets);
        }
        try {
            List<String> classPath = new ArrayList<>();
            for (String entry : project.getCompileClasspathElements()) {
                if (Files.exists(Path.of(entry))) {
                    classPath.add(entry);
                }
            }
            words.addAll(List.of("-cp", String.join(File.pathSeparator, classPath)));
        } catch (DependencyResolutionRequiredException problem) {
            throw new MojoExecutionException("the dependencies of the project are not resolved", problem);
        }
        for (String root : project.getCompileSourceRoots()) {
            if (new File(root).isDirectory()) {
                words.addAll(List.of("--source", root));
            }
        }
        words.addAll(List.of("--time", time));
        if (scope != null) {
            words.addAll(List.of("--scope", scope));
        }
        if (options != null) {
            words.addAll(options);
        }
        return words;
    }

    /** The top-level classes that the project has compiled, and not those of its dependencies. */
    private List<String> ownClasses() throws MojoExecutionException {
        Path root = Path.of(project.getBuild().getOutputDirectory());
        List<String> names = new ArrayList<>();
        try (var files = Files.walk(root)) {
            for (Path file : files.sorted().toList()) {
                String name = root.relativize(file).toString();
                if (name.endsWith(".class") && !name.contains("$") && !name.endsWith("-info.class")) {
                    names.add(name.substring(0, name.length() - ".class".length()).replace(File.separatorChar, '.'));
                }
            }
        } catch (IOException problem) {
            throw new MojoExecutionException("the classes cannot be listed: " + problem.getMessage(), problem);
        }
        return names;
    }

    private String program() throws MojoExecutionException {
        for (String named : new String[] {binary, System.getenv("LAZULI")}) {
            if (named != null && !named.isEmpty()) {
                if (!new File(named).canExecute()) {
                    throw new MojoExecutionException("there is no program " + named + "; set -Dlazuli.binary or the variable LAZULI.");
                }
                return named;
            }
        }
        Path carried = carried();
        return carried == null ? "lazuli" : carried.toString();
    }

    /** A copy of the program, with the libraries beside it, that a jar carries which is a dependency of this plugin. */
    private static synchronized Path carried() throws MojoExecutionException {
        if (copy != null) {
            return copy;
        }
        String place = "/META-INF/lazuli/" + System.getProperty("os.name") + "-" + System.getProperty("os.arch") + "/";
        try (InputStream list = LazuliGoal.class.getResourceAsStream(place + "files")) {
            if (list == null) {
                return null;
            }
            Path folder = Files.createTempDirectory("lazuli");
            // The last that is named is deleted first.
            folder.toFile().deleteOnExit();
            for (String name : new String(list.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
                try (InputStream carried = LazuliGoal.class.getResourceAsStream(place + name)) {
                    Files.copy(carried, folder.resolve(name));
                }
                folder.resolve(name).toFile().deleteOnExit();
            }
            Path program = folder.resolve("lazuli");
            Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
            copy = program;
            return program;
        } catch (IOException problem) {
            throw new MojoExecutionException("the program lazuli cannot be copied from its jar: " + problem.getMessage(), problem);
        }
    }

    /** Runs a command, and logs what it prints. The result is its exit code. */
    int run(List<String> words) throws MojoExecutionException {
        getLog().debug(String.join(" ", words));
        try {
            ProcessBuilder builder = new ProcessBuilder(words).directory(project.getBasedir()).redirectErrorStream(true);
            builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
            Process process = builder.start();
            try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    getLog().info(line);
                }
            }
            return process.waitFor();
        } catch (IOException problem) {
            throw new MojoExecutionException("lazuli cannot be started: put it on the PATH, set -Dlazuli.binary or the variable LAZULI,"
                    + " or make the jar lazuli-binary a dependency of this plugin."
                    + " (" + problem.getMessage() + ")", problem);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("the check was interrupted", problem);
        }
    }
}
