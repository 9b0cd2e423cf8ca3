package lazuli.junit;

import java.lang.reflect.Method;
import java.util.List;
import java.util.function.Predicate;

import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.engine.EngineDiscoveryRequest;
import org.junit.platform.engine.EngineExecutionListener;
import org.junit.platform.engine.ExecutionRequest;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestEngine;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.UniqueId;
import org.junit.platform.engine.discovery.ClassSelector;
import org.junit.platform.engine.support.descriptor.AbstractTestDescriptor;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.EngineDescriptor;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.engine.support.discovery.EngineDiscoveryRequestResolver;
import org.junit.platform.engine.support.discovery.SelectorResolver;
import org.opentest4j.TestAbortedException;

/** Finds classes with {@link CheckClass}, and reports a test for each method that they have checked. */
public final class CheckEngine implements TestEngine {
    private static final Predicate<Class<?>> IS_CHECK = type -> AnnotationSupport.isAnnotated(type, CheckClass.class);

    @Override
    public String getId() {
        return "lazuli";
    }

    @Override
    public TestDescriptor discover(EngineDiscoveryRequest request, UniqueId id) {
        EngineDescriptor engine = new EngineDescriptor(id, "Lazuli");
        EngineDiscoveryRequestResolver.<EngineDescriptor>builder()
                .addClassContainerSelectorResolver(IS_CHECK)
                .addSelectorResolver(new ClassResolver())
                .build()
                .resolve(request, engine);
        return engine;
    }

    @Override
    public void execute(ExecutionRequest request) {
        TestDescriptor engine = request.getRootTestDescriptor();
        EngineExecutionListener listener = request.getEngineExecutionListener();
        listener.executionStarted(engine);
        for (TestDescriptor child : List.copyOf(engine.getChildren())) {
            listener.executionStarted(child);
            listener.executionFinished(child, checked((ClassDescriptor) child, listener));
        }
        listener.executionFinished(engine, TestExecutionResult.successful());
    }

    private static TestExecutionResult checked(ClassDescriptor container, EngineExecutionListener listener) {
        CheckClass check = AnnotationSupport.findAnnotation(container.tests, CheckClass.class).orElseThrow();
        try {
            var classPath = LazuliRun.classPath();
            for (Verdict verdict : LazuliRun.check(classPath, List.of(check.value().getName()), CheckOptions.of(check).words(1))) {
                MethodDescriptor method = new MethodDescriptor(container, check.value(), verdict);
                container.addChild(method);
                listener.dynamicTestRegistered(method);
                listener.executionStarted(method);
                listener.executionFinished(method, result(() -> Judgement.pass(
                        verdict, check.incomplete(), check.value(), "", null, classPath)));
            }
            return TestExecutionResult.successful();
        } catch (NotCheckedException problem) {
            return TestExecutionResult.failed(problem);
        }
    }

    private static TestExecutionResult result(Runnable judgement) {
        try {
            judgement.run();
            return TestExecutionResult.successful();
        } catch (TestAbortedException aborted) {
            return TestExecutionResult.aborted(aborted);
        } catch (RuntimeException | AssertionError failed) {
            return TestExecutionResult.failed(failed);
        }
    }

    /** A class with {@link CheckClass}. */
    private static final class ClassDescriptor extends AbstractTestDescriptor {
        private final Class<?> tests;

        ClassDescriptor(UniqueId id, Class<?> tests) {
            super(id, tests.getSimpleName(), ClassSource.from(tests));
            this.tests = tests;
        }

        @Override
        public Type getType() {
            return Type.CONTAINER;
        }

        @Override
        public boolean mayRegisterTests() {
            return true;
        }
    }

    /** A method that is checked. */
    private static final class MethodDescriptor extends AbstractTestDescriptor {
        /** With the method that is checked as its source: build tools name tests by it, and editors show it. */
        MethodDescriptor(ClassDescriptor container, Class<?> checked, Verdict verdict) {
            super(container.getUniqueId().append("method", verdict.title()), verdict.title(), source(checked, verdict.target()));
        }

        /** Of a target such as {@code shop.Stack.push(I)V}. */
        private static TestSource source(Class<?> checked, String target) {
            int open = target.indexOf('(');
            // A class as a whole, which cannot be checked.
            String signature = open < 0 ? "" : target.substring(target.lastIndexOf('.', open) + 1, target.indexOf(')', open) + 1);
            for (Class<?> type = checked; type != null; type = type.getSuperclass()) {
                for (Method method : type.getDeclaredMethods()) {
                    if (ClassChecks.signature(method).equals(signature)) {
                        return MethodSource.from(checked, method);
                    }
                }
            }
            return ClassSource.from(checked);
        }

        @Override
        public Type getType() {
            return Type.TEST;
        }
    }

    /** Finds the class of a selector. */
    private static final class ClassResolver implements SelectorResolver {
        @Override
        public Resolution resolve(ClassSelector selector, Context context) {
            Class<?> tests = selector.getJavaClass();
            if (!IS_CHECK.test(tests)) {
                return Resolution.unresolved();
            }
            return context.addToParent(parent -> java.util.Optional.of(
                            new ClassDescriptor(parent.getUniqueId().append("class", tests.getName()), tests)))
                    .map(descriptor -> Resolution.match(Match.exact(descriptor)))
                    .orElse(Resolution.unresolved());
        }
    }
}
