package lazuli.junit;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.invoke.MethodHandles;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

import org.junit.jupiter.api.Test;

/** Runs a counterexample in this JVM, as an ordinary call that a debugger can follow. */
final class Counterexample {
    /** Without a debugger, a run that does not end is given up after so long. */
    private static final long MOST_MILLIS = 10_000;
    private static final Pattern CLASS = Pattern.compile("(?m)^(?:public )?(?:final )?class (\\w+)");
    private static int number;
    /** One for all: it keeps the jars of the class path open, which takes longer than compiling. */
    private static StandardJavaFileManager files;

    private final String source;

    Counterexample(String source) {
        this.source = source;
    }

    /** The statements that make the input and call the method. */
    String statements(String entry) {
        List<String> lines = new ArrayList<>();
        boolean isInside = false;
        for (String line : source.lines().toList()) {
            if (isInside && line.equals("    }")) {
                break;
            }
            if (isInside) {
                lines.add(line.replaceFirst("^ {8}", "").replace(entry + ".", ""));
            }
            isInside |= line.endsWith("throws Throwable {");
        }
        return String.join("\n", lines).strip();
    }

    /** The throwable with which the run ends; nothing if it returns. Classes are defined beside a class of the same package. */
    Throwable run(Class<?> beside, String entryName, byte[] entry, List<Path> classPath) throws IOException {
        Path folder = Files.createTempDirectory("lazuli");
        try {
            if (entry != null) {
                Path file = folder.resolve(beside.getPackageName().replace('.', '/')).resolve(entryName + ".class");
                Files.createDirectories(file.getParent());
                Files.write(file, entry);
            }
            return run(beside, classPath, folder);
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                all.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        }
    }

    private Throwable run(Class<?> beside, List<Path> classPath, Path folder) throws IOException {
        Matcher named = CLASS.matcher(source);
        if (!named.find()) {
            throw new NotCheckedException("the test of the counterexample has no class");
        }
        // A class can be defined once, and a test class may run twice in one JVM.
        String name = named.group(1) + "_" + nextNumber();
        String text = source.replaceAll("\\b" + named.group(1) + "\\b", name);
        Path file = folder.resolve(name + ".java");
        Files.writeString(file, text);
        StringBuilder path = new StringBuilder(folder + File.pathSeparator + System.getProperty("java.class.path"));
        classPath.forEach(one -> path.append(File.pathSeparator).append(one));
        StringWriter told = new StringWriter();
        List<String> words = List.of("-g", "-proc:none", "-nowarn", "-d", folder.toString(), "-cp", path.toString());
        if (!compiles(words, file, told)) {
            throw new NotCheckedException("the counterexample cannot be compiled:\n" + told);
        }
        Throwable thrown = outcome(defined(beside, folder, name));
        return thrown instanceof ThrownInCheck ? thrown.getCause() : thrown;
    }

    private static synchronized boolean compiles(List<String> words, Path file, StringWriter told) {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null) {
            throw new NotCheckedException("the counterexample cannot be run without a compiler; run the tests on a JDK.");
        }
        if (files == null) {
            files = compiler.getStandardFileManager(null, null, null);
        }
        return compiler.getTask(told, files, null, words, null, files.getJavaFileObjects(file)).call();
    }

    private static synchronized int nextNumber() {
        return ++number;
    }

    private static Class<?> defined(Class<?> beside, Path folder, String name) throws IOException {
        List<byte[]> waiting = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.filter(path -> path.toString().endsWith(".class")).sorted().toList()) {
                waiting.add(Files.readAllBytes(file));
            }
        }
        Class<?> test = null;
        try {
            MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(beside, MethodHandles.lookup());
            // A class whose superclass is among those that wait is defined after it.
            for (int rounds = waiting.size(); !waiting.isEmpty() && rounds > 0; rounds--) {
                List<byte[]> left = new ArrayList<>();
                for (byte[] bytes : waiting) {
                    try {
                        Class<?> made = lookup.defineClass(bytes);
                        test = made.getSimpleName().equals(name) ? made : test;
                    } catch (NoClassDefFoundError later) {
                        left.add(bytes);
                    } catch (LinkageError known) {
                        // The entry class of an earlier run is the same.
                    }
                }
                waiting = left;
            }
        } catch (IllegalAccessException problem) {
            throw new NotCheckedException("the counterexample cannot be run beside " + beside.getName()
                    + "; if that is in a module, open its package to lazuli.junit.", problem);
        }
        if (test == null) {
            throw new NotCheckedException("the counterexample cannot be loaded beside " + beside.getName());
        }
        return test;
    }

    private static Throwable outcome(Class<?> test) {
        Throwable[] thrown = new Throwable[1];
        Runnable run = () -> thrown[0] = called(test);
        if (hasDebugger()) {
            run.run();
            return thrown[0];
        }
        Thread thread = new Thread(run, "counterexample");
        thread.setDaemon(true);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
        thread.start();
        try {
            thread.join(MOST_MILLIS);
        } catch (InterruptedException problem) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            IllegalStateException endless = new IllegalStateException("the run of the counterexample does not end");
            endless.setStackTrace(thread.getStackTrace());
            return endless;
        }
        return thrown[0];
    }

    private static Throwable called(Class<?> test) {
        try {
            Constructor<?> constructor = test.getDeclaredConstructor();
            constructor.setAccessible(true);
            for (Method method : test.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    method.setAccessible(true);
                    method.invoke(constructor.newInstance());
                }
            }
            return null;
        } catch (InvocationTargetException end) {
            return end.getCause();
        } catch (ReflectiveOperationException problem) {
            return problem;
        }
    }

    private static boolean hasDebugger() {
        return ManagementFactory.getRuntimeMXBean().getInputArguments().stream().anyMatch(word -> word.contains("jdwp"));
    }
}
