// A method that is called by its name.
//! values: 0 1 2
import java.lang.reflect.Method;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Called {
    static Integer twice(int value) {
        return value * 2;
    }

    static Integer next(int value) {
        return value + 1;
    }

    public static void main(String[] args) {
        int value = Verifier.nondetInt();
        try {
            Method method = Called.class.getDeclaredMethod("twice", int.class); // wrong: Method method = Called.class.getDeclaredMethod("next", int.class);
            assert method.invoke(null, value).equals(value * 2);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
