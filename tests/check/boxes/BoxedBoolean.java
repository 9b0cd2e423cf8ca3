// Checks an input that is a boxed boolean: null, true or false.
// target: BoxedBoolean.decide
// scope: 1
public class BoxedBoolean {
    static int decide(Boolean answer) {
        if (answer == null) {
            return -1;
        }
        return answer ? 1 : 0;
    }
}
