package lazuli.junit;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Runs {@code lazuli check}, and reads its reports. */
final class LazuliRun {
    /** Jars that start and report tests, and make classes at run time: no test method needs them, and each class on the class path costs time, and may be an input. */
    private static final List<String> NOT_NEEDED = List.of("junit-platform-engine", "junit-platform-launcher", "junit-platform-console",
            "junit-platform-reporting", "junit-platform-suite", "junit-jupiter-engine", "junit-vintage", "surefire", "lazuli-junit",
            "lazuli-binary", "apiguardian", "byte-buddy");

    private LazuliRun() {}

    /** The class path of this JVM, without what no test method needs. */
    static List<Path> classPath() {
        String given = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        Set<Path> entries = new LinkedHashSet<>();
        for (String entry : given.split(File.pathSeparator)) {
            Path path = Path.of(entry);
            String name = path.getFileName() == null ? "" : path.getFileName().toString();
            boolean isNeeded = !name.endsWith(".jar") || NOT_NEEDED.stream().noneMatch(name::startsWith);
            if (!entry.isEmpty() && isNeeded && Files.exists(path)) {
                entries.add(path);
            }
        }
        return new ArrayList<>(entries);
    }

    /** Checks targets. The verdicts are in the order of the report. */
    static List<Verdict> check(List<Path> classPath, List<String> targets, List<String> options) {
        try {
            Path folder = Files.createTempDirectory("lazuli");
            Path json = folder.resolve("report.jsonl");
            Path text = folder.resolve("report.txt");
            try {
                List<String> words = new ArrayList<>(List.of(LazuliBinary.path().toString(), "check"));
                words.addAll(targets);
                words.addAll(List.of("-cp", String.join(File.pathSeparator, classPath.stream().map(Path::toString).toList())));
                // The counterexample is run in this JVM, where a debugger can follow it.
                words.addAll(List.of("--no-confirm", "--details", "--quiet", "--allow", "org.opentest4j.TestAbortedException"));
                words.addAll(options);
                words.addAll(List.of("--format", "json", "-o", json.toString(), "--format", "text", "-o", text.toString()));
                ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
                builder.environment().putIfAbsent("JAVA_HOME", System.getProperty("java.home"));
                Process process = builder.start();
                String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                process.waitFor();
                List<Object> reports = Files.exists(json) ? Json.all(Files.readString(json)) : List.of();
                if (reports.isEmpty()) {
                    throw new NotCheckedException("lazuli said: " + told.strip());
                }
                return verdicts(reports, Files.exists(text) ? Files.readString(text) : "");
            } finally {
                Files.deleteIfExists(json);
                Files.deleteIfExists(text);
                Files.deleteIfExists(folder);
            }
        } catch (IOException problem) {
            throw new NotCheckedException("lazuli cannot be run: " + problem.getMessage(), problem);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
            throw new NotCheckedException("the run was interrupted", problem);
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Verdict> verdicts(List<Object> reports, String text) {
        // The words about a method begin in the first column with its title, and go on indented.
        Map<String, StringBuilder> blocks = new HashMap<>();
        StringBuilder block = new StringBuilder();
        for (String line : text.lines().toList()) {
            if (!line.isEmpty() && !Character.isWhitespace(line.charAt(0))) {
                block = new StringBuilder();
                int end = line.indexOf("): ");
                blocks.put(end < 0 ? line : line.substring(0, end + 1), block);
            }
            block.append(line).append('\n');
        }
        List<Verdict> verdicts = new ArrayList<>();
        for (Object report : reports) {
            Map<String, Object> members = (Map<String, Object>) report;
            StringBuilder words = blocks.getOrDefault(String.valueOf(members.get("title")), new StringBuilder());
            verdicts.add(new Verdict(members, words.toString()));
        }
        return verdicts;
    }
}
