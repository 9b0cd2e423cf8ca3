package lazuli.junit;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.opentest4j.TestAbortedException;

/** Turns a verdict into the result of a test. */
final class Judgement {
    private Judgement() {}

    /** Returns if the verdict is that the method holds. The entry class is nothing if Lazuli was asked about the method itself. */
    static void pass(Verdict verdict, Incomplete incomplete, Class<?> beside, String entryName, byte[] entry, List<Path> classPath) {
        switch (verdict.kind()) {
            case "holds" -> {
                if (!verdict.hasReturned()) {
                    throw new IncompleteCheckError("no input satisfies the assumptions: nothing was checked");
                }
            }
            case "violated" -> throw failure(verdict, beside, entryName, entry, classPath);
            case "incomplete" -> {
                String words = verdict.sentence() + "\n" + indented(section(verdict.words(), "  Not explored:", null));
                if (incomplete == Incomplete.ABORT) {
                    throw new TestAbortedException(words.strip());
                }
                throw new IncompleteCheckError(words.strip());
            }
            default -> throw new NotCheckedException("lazuli said: " + verdict.error());
        }
    }

    private static AssertionError failure(Verdict verdict, Class<?> beside, String entryName, byte[] entry, List<Path> classPath) {
        Map<String, Object> fault = verdict.fault();
        String message = "violated";
        Object source = fault == null ? null : fault.get("test");
        String drawing = section(verdict.words(), "     example", "     lines");
        if (source == null) {
            return new CheckFailedError(verdict.sentence() + "\n" + drawing, null);
        }
        Counterexample counterexample = new Counterexample(source.toString());
        String statements = counterexample.statements(entryName);
        String shown = "\n\n" + indented(statements) + "\n\n" + drawing;
        Throwable thrown;
        try {
            thrown = counterexample.run(beside, entryName, entry, classPath);
        } catch (IOException | NotCheckedException problem) {
            return new CheckFailedError(verdict.sentence() + shown + "\n" + problem.getMessage(), problem);
        }
        if (thrown == null) {
            // What only a contract or the interpreter sees fails nothing here: an invariant that is broken, for example.
            return new CheckFailedError(verdict.sentence() + shown, null);
        }
        return new CheckFailedError(message + ": " + thrown + shown, thrown);
    }

    /** The lines from one that begins so up to one that begins otherwise, or to the end. */
    private static String section(String words, String begin, String end) {
        List<String> lines = new ArrayList<>();
        boolean isInside = false;
        for (String line : words.lines().toList()) {
            if (isInside && end != null && line.startsWith(end)) {
                break;
            }
            isInside |= line.startsWith(begin);
            if (isInside) {
                lines.add(line);
            }
        }
        return String.join("\n", lines);
    }

    private static String indented(String text) {
        return text.indent(4).stripTrailing();
    }
}
