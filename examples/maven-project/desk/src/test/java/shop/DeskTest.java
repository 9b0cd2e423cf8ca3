package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lazuli.junit.Check;
import lazuli.junit.Valid;

/** Tests whose parameters are all inputs up to a bound. */
class DeskTest {
    @Check
    void theDeskShowsWhoWasCalled(@Valid Desk desk, int number) {
        desk.arrive(number);
        assertEquals(desk.next(), desk.called());
    }

    @Check
    void customersAreServedInTheirOrder(@Valid Queue queue) {
        int one = queue.serve();
        int other = queue.serve();
        assertTrue(other == -1 || one < other);
    }
}
