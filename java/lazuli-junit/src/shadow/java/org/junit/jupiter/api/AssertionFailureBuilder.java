package org.junit.jupiter.api;

import java.util.function.Supplier;

import org.opentest4j.AssertionFailedError;

/**
 * Throws the failure of an assertion without wording it. It stands before JUnit's class of this name on the class path of a check, and nowhere else: whether an
 * assertion fails does not depend on how the failure is worded, and texts of unknown numbers cost paths. The run of the counterexample has JUnit's own words.
 */
public class AssertionFailureBuilder {
    private Object message;
    private Throwable cause;

    private AssertionFailureBuilder() {}

    public static AssertionFailureBuilder assertionFailure() {
        return new AssertionFailureBuilder();
    }

    public AssertionFailureBuilder message(Object message) {
        this.message = message;
        return this;
    }

    public AssertionFailureBuilder reason(String reason) {
        return this;
    }

    public AssertionFailureBuilder cause(Throwable cause) {
        this.cause = cause;
        return this;
    }

    public AssertionFailureBuilder expected(Object expected) {
        return this;
    }

    public AssertionFailureBuilder actual(Object actual) {
        return this;
    }

    public AssertionFailureBuilder includeValuesInMessage(boolean includeValuesInMessage) {
        return this;
    }

    public AssertionFailureBuilder trimStacktrace(Class<?> to) {
        return this;
    }

    public AssertionFailureBuilder retainStackTraceElements(int elements) {
        return this;
    }

    public void buildAndThrow() throws AssertionFailedError {
        throw build();
    }

    public AssertionFailedError build() {
        // A message that a supplier makes is code of the test, which may fail too.
        Object text = message instanceof Supplier<?> supplier ? supplier.get() : message;
        String words = text instanceof String given ? given : "the assertion fails";
        return cause == null ? new AssertionFailedError(words) : new AssertionFailedError(words, cause);
    }
}
