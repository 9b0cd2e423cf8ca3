// A handle that is bound to its receiver, and one whose argument is inserted.
//! values: 0 1 2
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import org.sosy_lab.sv_benchmarks.Verifier;

public class Bound {
    private int total;

    int add(int first, int second) {
        total += first - second;
        return total;
    }

    public static void main(String[] args) throws Throwable {
        Bound bound = new Bound();
        int value = Verifier.nondetInt();
        MethodType type = MethodType.methodType(int.class, int.class, int.class);
        MethodHandle add = MethodHandles.lookup().findVirtual(Bound.class, "add", type).bindTo(bound);
        MethodHandle less = MethodHandles.insertArguments(add, 1, value); // wrong: MethodHandle less = MethodHandles.insertArguments(add, 0, 1);
        assert (int) less.invokeExact(value) == 0 && bound.total == 0;
    }
}
