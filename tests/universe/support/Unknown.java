import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/**
 * An object of a class that is not on the class path of the fixture. It can be stored, compared and passed on. Calling it is
 * unknown code: such a run says nothing, and so counts neither as right nor as wrong.
 */
final class Unknown implements InvocationHandler {
    /** Was one of them called in this run? */
    static boolean wasCalled;

    private static final class Called extends Error {
        Called() {
            super("unknown code was called", null, false, false);
        }
    }

    /** One that implements an interface, or nothing if the place asks for nothing. */
    static Object of(Class<?> type) {
        return type == Object.class
                ? new Unknown()
                : Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, new Unknown());
    }

    static boolean is(Object object) {
        return object instanceof Unknown || Proxy.isProxyClass(object.getClass());
    }

    private static Called called() {
        wasCalled = true;
        return new Called();
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) {
        throw called();
    }

    @Override
    public boolean equals(Object other) {
        throw called();
    }

    @Override
    public int hashCode() {
        throw called();
    }

    @Override
    public String toString() {
        throw called();
    }
}
