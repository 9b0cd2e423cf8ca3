// A lift that moves with its doors closed, for six rounds; states are an enumeration.
//! values: 0 1 2 3
import org.sosy_lab.sv_benchmarks.Verifier;

public class Door {
    enum State { IDLE, MOVING }

    static class Lift {
        State state = State.IDLE;
        boolean isOpen;
        int floor;

        void on(int event) {
            if (event == 0 && state == State.IDLE) {
                isOpen = true;
            } else if (event == 1) {
                isOpen = false;
            } else if (event == 2 && !isOpen) { // wrong: } else if (event == 2) {
                state = State.MOVING;
                floor++;
            } else if (event == 3) {
                state = State.IDLE;
            }
        }
    }

    public static void main(String[] args) {
        Lift lift = new Lift();
        for (int round = 0; round < 6; round++) {
            lift.on(Verifier.nondetInt());
            assert !(lift.isOpen && lift.state == State.MOVING);
        }
    }
}
