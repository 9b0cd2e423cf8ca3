// Checks a call through an interface with a default method.
// target: InterfaceCall.apply
// scope: 1
// domain: int 0..2
public class InterfaceCall {
    interface Operation {
        int on(int value);

        default int twice(int value) {
            return on(on(value));
        }
    }

    static class Add implements Operation {
        int amount;

        @Override
        public int on(int value) {
            return value + amount;
        }
    }

    static class Double implements Operation {
        @Override
        public int on(int value) {
            return 2 * value;
        }

        @Override
        public int twice(int value) {
            return 4 * value;
        }
    }

    static int apply(Operation operation, int value) {
        return operation.twice(value) > 3 ? 1 : operation.on(value);
    }
}
