package lazuli.maven;

import java.io.File;
import java.util.List;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Checks the classes of a project, and fails the build if an input makes a method fail. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY, requiresDependencyResolution = ResolutionScope.COMPILE, threadSafe = true)
public final class CheckGoal extends LazuliGoal {
    /** Fail the build also if not all inputs could be tried. */
    @Parameter(property = "lazuli.failOnIncomplete", defaultValue = "false")
    private boolean failOnIncomplete;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (!hasClasses()) {
            return;
        }
        output.mkdirs();
        List<String> words = command("check");
        for (String[] report : new String[][] {
            {"text", "report.txt"}, {"json", "report.jsonl"}, {"html", "report.html"}, {"sarif", "report.sarif"}, {"junit", "TEST-lazuli.xml"}
        }) {
            words.addAll(List.of("--format", report[0], "-o", new File(output, report[1]).getPath()));
        }
        int code = run(words);
        String where = new File(output, "report.html").getPath();
        switch (code) {
            case 0 -> getLog().info("All methods hold; see " + where);
            case 1 -> throw new MojoFailureException("Lazuli found inputs that make methods fail; see " + where);
            case 3 -> {
                if (failOnIncomplete) {
                    throw new MojoFailureException("Lazuli could not try all inputs; see " + where);
                }
                getLog().warn("Lazuli could not try all inputs; see " + where);
            }
            default -> throw new MojoExecutionException("lazuli refused the request, with exit code " + code + "; its message is above.");
        }
    }
}
