package lazuli.junit;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.junit.platform.commons.support.AnnotationSupport;
import org.junit.platform.commons.support.HierarchyTraversalMode;

/** The checks of one test class. Those with the same options are one run of Lazuli, when the first of them is asked for. */
final class ClassChecks {
    /** A class that words no failures, in place of JUnit's; only where the JUnit that is used has it. */
    private static final String SHADOW = "org/junit/jupiter/api/AssertionFailureBuilder.class";

    private static final String FAILURE = "lazuli/junit/ThrownInCheck.class";

    private final Class<?> tests;
    private final Map<CheckOptions, CheckGroup> groups = new HashMap<>();

    /** One run of Lazuli. */
    private record CheckGroup(String entry, byte[] bytes, List<Path> classPath, Map<String, Verdict> verdicts) {}

    ClassChecks(Class<?> tests) {
        this.tests = tests;
    }

    /** Passes if the method holds. */
    synchronized void check(Method method, Check check) {
        CheckOptions options = CheckOptions.of(check);
        CheckGroup group = groups.get(options);
        if (group == null) {
            group = run(options);
            groups.put(options, group);
        }
        Verdict verdict = group.verdicts().get(signature(method));
        if (verdict == null) {
            throw new NotCheckedException("lazuli said nothing about " + method);
        }
        Judgement.pass(verdict, check.incomplete(), tests, group.entry(), group.bytes(), group.classPath());
    }

    private CheckGroup run(CheckOptions options) {
        List<Method> methods = new ArrayList<>();
        for (Method method : AnnotationSupport.findAnnotatedMethods(tests, Check.class, HierarchyTraversalMode.TOP_DOWN)) {
            if (CheckOptions.of(AnnotationSupport.findAnnotation(method, Check.class).orElseThrow()).equals(options)) {
                methods.add(method);
            }
        }
        methods.sort(Comparator.comparing(ClassChecks::signature));
        String packageName = tests.getPackageName();
        String own = packageName.isEmpty() ? tests.getName() : tests.getName().substring(packageName.length() + 1);
        // The same name in each run, so that verdicts can be reused; a number where one class has several options.
        String entry = own.replace('$', '_') + "_Checks" + Integer.toHexString(options.hashCode());
        String internal = packageName.isEmpty() ? entry : packageName.replace('.', '/') + "/" + entry;
        byte[] bytes = EntryClass.bytes(internal, tests, methods);
        try {
            Path folder = Files.createTempDirectory("lazuli");
            try {
                Path file = folder.resolve(internal + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, bytes);
                copy(folder, "/" + FAILURE, FAILURE);
                if (ClassChecks.class.getResource("/" + SHADOW) != null) {
                    copy(folder, "/META-INF/lazuli/shadow/" + SHADOW, SHADOW);
                }
                List<Path> classPath = new ArrayList<>(List.of(folder));
                classPath.addAll(LazuliRun.classPath());
                String target = internal.replace('/', '.');
                Map<String, Verdict> verdicts = new HashMap<>();
                for (Verdict verdict : LazuliRun.check(classPath, List.of(target), options.words(methods.size()))) {
                    String described = verdict.target();
                    // `shop.StackTest_Checks.push(Lshop/Stack;I)V`, without the class and the result.
                    int end = described.indexOf(')');
                    if (end >= 0 && described.startsWith(target + ".")) {
                        verdicts.put(described.substring(target.length() + 1, end + 1), verdict);
                    } else {
                        methods.forEach(method -> verdicts.putIfAbsent(signature(method), verdict));
                    }
                }
                return new CheckGroup(entry, bytes, classPath.subList(1, classPath.size()), verdicts);
            } finally {
                try (Stream<Path> all = Files.walk(folder)) {
                    all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
                }
            }
        } catch (IOException problem) {
            throw new NotCheckedException("the classes of a check cannot be written: " + problem.getMessage(), problem);
        }
    }

    private static void copy(Path folder, String resource, String name) throws IOException {
        try (InputStream contents = ClassChecks.class.getResourceAsStream(resource)) {
            if (contents == null) {
                throw new NotCheckedException("the jar of lazuli-junit lacks " + resource);
            }
            Path file = folder.resolve(name);
            Files.createDirectories(file.getParent());
            Files.copy(contents, file);
        }
    }

    /** `push(Lshop/Stack;I)` */
    static String signature(Method method) {
        StringBuilder written = new StringBuilder(method.getName()).append('(');
        for (Class<?> type : method.getParameterTypes()) {
            written.append(type.descriptorString());
        }
        return written.append(')').toString();
    }
}
