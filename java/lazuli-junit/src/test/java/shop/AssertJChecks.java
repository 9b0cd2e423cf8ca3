package shop;

import static org.assertj.core.api.Assertions.assertThat;

import lazuli.junit.Check;
import lazuli.junit.Valid;

/** The same with assertions of AssertJ. */
class AssertJChecks {
    @Check
    void holdsByAssertJ(@Valid Stack stack, int value) {
        stack.push(value);
        assertThat(stack.pop()).isEqualTo(value);
    }

    @Check
    void failsByAssertJ(@Valid Stack stack) {
        assertThat(stack.isEmpty()).isTrue();
    }

    @Check
    void failsByAssertJOnNumbers(@Valid Stack stack, int value) {
        stack.push(value);
        assertThat(stack.pop()).isNotEqualTo(7);
    }
}
