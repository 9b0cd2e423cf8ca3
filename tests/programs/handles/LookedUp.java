// A method handle that is looked up by name and type.
//! values: 0 1 2 -3
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.sosy_lab.sv_benchmarks.Verifier;

public class LookedUp {
    static int twice(int value) {
        return value * 2;
    }

    static int squared(int value) {
        return value * value;
    }

    public static void main(String[] args) throws Throwable {
        int value = Verifier.nondetInt();
        Verifier.assume(value >= -100 && value <= 100);
        MethodType type = MethodType.methodType(int.class, int.class);
        String name = "twice"; // wrong: String name = "squared";
        MethodHandle handle = MethodHandles.lookup().findStatic(LookedUp.class, name, type);
        int result = (int) handle.invokeExact(value);
        assert result == value + value;
    }
}
