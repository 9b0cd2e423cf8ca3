package shop;

import static org.hamcrest.MatcherAssert.assertThat;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.List;

import lazuli.junit.Check;
import lazuli.junit.Incomplete;
import lazuli.junit.Valid;

import org.junit.jupiter.api.BeforeEach;

/** Checks with results that {@code ExpectedResultsTest} expects, one by one. */
class TwentyChecks {
    private int base;

    @BeforeEach
    void prepare() {
        base = 1;
    }

    @Check
    void holdsPushThenPop(@Valid Stack stack, int value) {
        stack.push(value);
        assertEquals(value, stack.pop());
    }

    @Check
    void failsByOne(@Valid Stack stack, int value) {
        stack.push(value);
        assertEquals(value + base, stack.pop());
    }

    @Check
    void holdsWithAssumption(@Valid Stack stack) {
        assumeTrue(!stack.isEmpty());
        stack.pop();
    }

    @Check
    void failsWithoutAssumption(@Valid Stack stack) {
        stack.pop();
    }

    @Check
    void holdsBecauseItThrows(@Valid Stack stack) {
        assumeTrue(stack.isEmpty());
        assertThrows(IllegalStateException.class, stack::pop);
    }

    @Check
    void holdsByHamcrest(@Valid Stack stack, int value) {
        stack.push(value);
        assertThat(stack.pop(), is(equalTo(value)));
    }

    @Check
    void failsByHamcrest(@Valid Stack stack) {
        assertThat(stack.size(), is(greaterThan(0)));
    }

    @Check(scope = 2)
    void holdsInASmallScope(@Valid Stack stack) {
        assertTrue(stack.size() <= 2);
    }

    @Check(scope = 3)
    void failsInALargerScope(@Valid Stack stack) {
        assertTrue(stack.size() <= 2, "at most two");
    }

    @Check
    void failsBehindTheDefect(@Valid Stack stack) {
        int before = stack.size();
        assumeTrue(before > 0);
        stack.drop();
        assertTrue(stack.size() != before);
    }

    @Check
    void holdsOnADoorThatCallsMake(@Valid Door door) {
        assertTrue(door.times() >= 0 || door.times() < 0);
        assertFalse(door.isOpen() && door.times() == 0);
    }

    @Check
    void failsOnADoor(@Valid Door door) {
        assertFalse(door.isOpen());
    }

    @Check
    void failsWithoutParameters() {
        assertEquals(2, base);
    }

    @Check
    void holdsOnNumbers(int number) {
        assertTrue(number == 0 || number != 2 * number - number + 1);
    }

    @Check
    void failsByOverflow(int number) {
        assumeTrue(number > 0);
        assertTrue(number + 1 > number);
    }

    @Check
    void failsByDivision(int number) {
        assertEquals(0, 100 / number * 0);
    }

    @Check
    void holdsOnAList(List<Integer> list) {
        assumeTrue(list != null && !list.isEmpty());
        Object first = list.get(0);
        assertSame(first, list.get(0));
    }

    @Check
    void failsOnTheSameObject(@Valid Stack one, @Valid Stack other) {
        assertNotSame(one, other);
    }

    @Check(options = {"--max-paths", "1"})
    void incompleteByALimit(@Valid Stack stack, int value) {
        if (value > 3 && !stack.isEmpty()) {
            assertNotNull(stack);
        }
    }

    @Check(options = {"--max-paths", "1"}, incomplete = Incomplete.ABORT)
    void abortedByALimit(@Valid Stack stack, int value) {
        if (value > 3 && !stack.isEmpty()) {
            assertNotNull(stack);
        }
    }
}
