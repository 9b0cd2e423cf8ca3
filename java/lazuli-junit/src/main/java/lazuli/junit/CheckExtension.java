package lazuli.junit;

import java.lang.reflect.Array;
import java.lang.reflect.Method;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Has Lazuli check a method in place of calling it. */
final class CheckExtension implements InvocationInterceptor, ParameterResolver {
    private static final ExtensionContext.Namespace CHECKS = ExtensionContext.Namespace.create(CheckExtension.class);

    @Override
    public void interceptTestMethod(
            Invocation<Void> invocation, ReflectiveInvocationContext<Method> called, ExtensionContext context) throws Throwable {
        Method method = called.getExecutable();
        Check check = AnnotationSupport.findAnnotation(method, Check.class).orElse(null);
        if (check == null) {
            invocation.proceed();
            return;
        }
        invocation.skip();
        Class<?> tests = context.getRequiredTestClass();
        ClassChecks checks = context.getRoot().getStore(CHECKS).getOrComputeIfAbsent(tests, ClassChecks::new, ClassChecks.class);
        checks.check(method, check);
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return AnnotationSupport.isAnnotated(parameter.getDeclaringExecutable(), Check.class);
    }

    /** JUnit wants arguments before it asks who calls the method. They are not used. */
    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type.isPrimitive() ? Array.get(Array.newInstance(type, 1), 0) : null;
    }
}
