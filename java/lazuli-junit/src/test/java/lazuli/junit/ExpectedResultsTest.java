package lazuli.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs classes with checks by JUnit's launcher, and compares the result of each with its name: {@code holds…}, {@code fails…}, and so on. */
class ExpectedResultsTest {
    /** Of the twenty checks, which two tests look at. */
    private static Map<String, TestExecutionResult> twenty;

    private static synchronized Map<String, TestExecutionResult> twenty() {
        if (twenty == null) {
            twenty = run("shop.TwentyChecks");
        }
        return twenty;
    }

    private static Map<String, TestExecutionResult> run(String name) {
        Map<String, TestExecutionResult> results = new TreeMap<>();
        Launcher launcher = LauncherFactory.create();
        TestExecutionListener listener = new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                    results.put(test.getDisplayName(), result);
                }
            }
        };
        launcher.execute(LauncherDiscoveryRequestBuilder.request().selectors(selectClass(name)).build(), listener);
        return results;
    }

    @Test
    void twentyChecksEndAsTheirNamesSay() {
        assertEquals(20, twenty().size(), twenty().keySet().toString());
        assertAsNamed(twenty());
    }

    @Test
    void assertionsOfAssertJAreUnderstood() {
        assumeTrue(hasAssertJ(), "AssertJ is not on the class path");
        Map<String, TestExecutionResult> results = run("shop.AssertJChecks");
        assertEquals(3, results.size(), results.keySet().toString());
        assertAsNamed(results);
    }

    private static boolean hasAssertJ() {
        return ExpectedResultsTest.class.getResource("/org/assertj/core/api/Assertions.class") != null;
    }

    private static void assertAsNamed(Map<String, TestExecutionResult> results) {
        StringBuilder wrong = new StringBuilder();
        results.forEach((name, result) -> {
            String kind = result.getThrowable().map(thrown -> thrown.getClass().getSimpleName()).orElse("passed");
            // AssertJ has Lists of its own, which no calls are found to make.
            boolean isOfAssertJ = hasAssertJ() && name.equals("holdsOnAList(List)");
            String expected = isOfAssertJ ? "IncompleteCheckError"
                    : name.startsWith("holds") ? "passed"
                    : name.startsWith("fails") ? "CheckFailedError"
                    : name.startsWith("incomplete") ? "IncompleteCheckError" : "TestAbortedException";
            if (!kind.equals(expected)) {
                wrong.append(name).append(": ").append(kind).append(' ').append(result.getThrowable()).append('\n');
            }
        });
        assertTrue(wrong.isEmpty(), wrong.toString());
    }

    @Test
    void aFailureHasCodeAndDrawingAndTheRealException() {
        Map<String, TestExecutionResult> results = twenty();
        Throwable failed = results.get("failsByOne(Stack, int)").getThrowable().orElseThrow();
        assertTrue(failed.getMessage().contains("Stack stack = new Stack();"), failed.getMessage());
        assertTrue(failed.getMessage().contains("failsByOne(stack, "), failed.getMessage());
        // The words are JUnit's own: the method was called here.
        assertTrue(failed.getMessage().contains("expected: <"), failed.getMessage());
        assertInstanceOf(AssertionError.class, failed.getCause());
        assertTrue(java.util.Arrays.stream(failed.getCause().getStackTrace())
                .anyMatch(frame -> frame.getClassName().equals("shop.TwentyChecks")));
        Throwable drawn = results.get("failsInALargerScope(Stack)").getThrowable().orElseThrow();
        assertTrue(drawn.getMessage().contains("┌"), drawn.getMessage());
    }

    @Test
    void aClassHasATestForEachMethod() {
        Map<String, TestExecutionResult> results = run("shop.StackChecks");
        assertEquals(5, results.size(), results.keySet().toString());
        assertEquals(TestExecutionResult.Status.FAILED, results.get("shop.Stack.drop()").getStatus(), results.toString());
        assertEquals(TestExecutionResult.Status.SUCCESSFUL, results.get("shop.Stack.size()").getStatus(), results.toString());
    }
}
