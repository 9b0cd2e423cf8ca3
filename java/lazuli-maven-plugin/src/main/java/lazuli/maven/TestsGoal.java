package lazuli.maven;

import java.io.File;
import java.util.List;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.ResolutionScope;

/** Writes JUnit tests for the methods of a project. */
@Mojo(name = "tests", defaultPhase = LifecyclePhase.GENERATE_TEST_SOURCES, requiresDependencyResolution = ResolutionScope.COMPILE, threadSafe = true)
public final class TestsGoal extends LazuliGoal {
    @Override
    public void execute() throws MojoExecutionException {
        if (!hasClasses()) {
            return;
        }
        File tests = new File(output, "tests");
        List<String> words = command("tests");
        words.addAll(List.of("-o", tests.getPath()));
        int code = run(words);
        // 1: some of them fail until a defect is mended. 3: there may be more.
        if (code == 0 || code == 1 || code == 3) {
            project.addTestCompileSourceRoot(tests.getPath());
            getLog().info("The tests are in " + tests.getPath());
            return;
        }
        throw new MojoExecutionException("lazuli refused the request, with exit code " + code + "; its message is above.");
    }
}
