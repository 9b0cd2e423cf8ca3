package lazuli.junit;

/** The result of a test if not all inputs could be tried, and none was found that fails. */
public enum Incomplete {
    /** The test fails with an {@link IncompleteCheckError}. */
    FAIL,
    /** The test is aborted, as by an assumption. */
    ABORT
}
