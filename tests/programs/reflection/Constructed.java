// An object that a constructor makes which is found by its types, and an exception that it wraps.
//! values: -1 0 1 3
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Constructed {
    static class Positive {
        final int value;

        Positive(int value) {
            if (value <= 0) {
                throw new IllegalArgumentException();
            }
            this.value = value;
        }
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        int value = Verifier.nondetInt();
        Constructor<Positive> constructor = Positive.class.getDeclaredConstructor(int.class);
        try {
            Positive made = constructor.newInstance(value);
            assert made.value == value && value > 0; // wrong: assert made.value == value && value > 1;
        } catch (InvocationTargetException failed) {
            assert failed.getCause() instanceof IllegalArgumentException && value <= 0;
        }
    }
}
