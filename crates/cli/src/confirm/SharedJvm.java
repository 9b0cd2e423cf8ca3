// How do many replays run in one JVM, each as if it were alone?
package lazuli.confirmation;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;
import java.util.TimeZone;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Waits for requests in a directory. A request names replays; they are compiled together, and run one after the other, each in a class
 * loader of its own. A replay tells its end in a file. This JVM ends as soon as a replay leaves something behind that another one could
 * notice (a thread, a property, a file in the working directory), or does not come to an end: the replays that were not run yet are then
 * given to another JVM.
 *
 * Arguments: the directory, how many milliseconds a replay may take, and the number of the first request. The file `classpath` there has the user's class path, one entry
 * in a line. A line of `N.request` is a class, a source file and the file that the replay writes to, with tabs between them.
 */
final class SharedJvm {
    private static final int POLLING = 2;
    /** How long a thread that was left may take to end. */
    private static final long ENDING = 20;

    private final Path directory;
    private final long most;
    private final List<String> classPath;
    private final JavaCompiler compiler;
    private final StandardJavaFileManager files;

    private SharedJvm(Path directory, long most) throws IOException {
        this.directory = directory;
        this.most = most;
        this.classPath = Files.readAllLines(directory.resolve("classpath"), StandardCharsets.UTF_8);
        this.compiler = ToolProvider.getSystemJavaCompiler();
        this.files = compiler.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    }

    public static void main(String[] arguments) throws Exception {
        SharedJvm jvm = new SharedJvm(Path.of(arguments[0]), Long.parseLong(arguments[1]));
        for (int number = Integer.parseInt(arguments[2]); ; number++) {
            Path request = jvm.directory.resolve(number + ".request");
            while (!Files.exists(request)) {
                Thread.sleep(POLLING);
            }
            jvm.serve(request);
            // A file is there when it is whole.
            Path draft = jvm.directory.resolve(number + ".draft");
            Files.writeString(draft, "done\n");
            Files.move(draft, jvm.directory.resolve(number + ".done"), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private void serve(Path request) throws Exception {
        List<String[]> replays = new ArrayList<>();
        for (String line : Files.readAllLines(request, StandardCharsets.UTF_8)) {
            replays.add(line.split("\t"));
        }
        List<String[]> fresh = new ArrayList<>();
        for (String[] replay : replays) {
            if (!Files.exists(classFile(replay))) {
                fresh.add(replay);
            }
        }
        String complaints = fresh.isEmpty() ? null : compile(fresh);
        if (complaints != null) {
            // One that is wrong must not harm the others.
            for (String[] replay : fresh) {
                String own = fresh.size() == 1 ? complaints : compile(Collections.singletonList(replay));
                if (own != null) {
                    Files.writeString(Path.of(replay[2] + ".rejected"), own);
                    Files.deleteIfExists(classFile(replay));
                }
            }
        }
        for (String[] replay : replays) {
            if (Files.exists(classFile(replay))) {
                run(replay);
            }
        }
    }

    private Path classFile(String[] replay) {
        return directory.resolve(replay[0].replace('.', '/') + ".class");
    }

    /** The complaints of the compiler, or null if there are none. */
    private String compile(List<String[]> replays) {
        List<File> sources = new ArrayList<>();
        for (String[] replay : replays) {
            sources.add(new File(replay[1]));
        }
        Iterable<? extends JavaFileObject> units = files.getJavaFileObjectsFromFiles(sources);
        List<String> options = List.of("-proc:none", "-nowarn", "-Xlint:none", "-implicit:none", "-cp",
                String.join(File.pathSeparator, classPath), "-d", directory.toString());
        StringWriter complaints = new StringWriter();
        boolean isCompiled = compiler.getTask(complaints, files, null, options, null, units).call();
        return isCompiled ? null : complaints.toString();
    }

    private void run(String[] replay) throws Exception {
        Surroundings before = new Surroundings();
        List<URL> urls = new ArrayList<>();
        urls.add(directory.toUri().toURL());
        for (String entry : classPath) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        System.setProperty("lazuli.replay", replay[2]);
        boolean isOver;
        try (URLClassLoader loader = new URLClassLoader(urls.toArray(new URL[0]), ClassLoader.getPlatformClassLoader())) {
            loader.setDefaultAssertionStatus(true);
            // With a stack as large as that of the thread in which a program begins.
            Thread thread = new Thread(() -> replay(loader, replay[0]), "main");
            thread.setContextClassLoader(loader);
            thread.start();
            thread.join(most);
            isOver = !thread.isAlive();
        }
        System.clearProperty("lazuli.replay");
        if (!isOver || !before.isUnchanged()) {
            Runtime.getRuntime().halt(0);
        }
    }

    private static void replay(ClassLoader loader, String name) {
        try {
            Method replay = loader.loadClass(name).getDeclaredMethod("replay");
            replay.setAccessible(true);
            replay.invoke(null);
        } catch (Throwable thrown) {
            // The file of the replay lacks its end, which says enough.
        }
    }

    /** What replays could change of the JVM that they share. */
    private static final class Surroundings {
        // Asking for the time zone sets a property, so that it comes first.
        private final List<Object> others = others();
        private final Properties properties = (Properties) System.getProperties().clone();
        private final Set<Thread> threads = threads();

        boolean isUnchanged() throws InterruptedException {
            return properties.equals(System.getProperties()) && isSame(others, others()) && isEmpty() && hasNoOthers();
        }

        private boolean hasNoOthers() throws InterruptedException {
            for (Thread thread : threads()) {
                if (!threads.contains(thread)) {
                    thread.join(ENDING);
                    if (thread.isAlive()) {
                        return false;
                    }
                }
            }
            return true;
        }

        private static Set<Thread> threads() {
            return Thread.getAllStackTraces().keySet();
        }

        private static List<Object> others() {
            List<Object> others = new ArrayList<>();
            others.add(System.in);
            others.add(System.out);
            others.add(System.err);
            others.add(Thread.getDefaultUncaughtExceptionHandler());
            others.add(Locale.getDefault().toString().intern());
            others.add(TimeZone.getDefault().getID().intern());
            return others;
        }

        private static boolean isSame(List<Object> some, List<Object> others) {
            for (int index = 0; index < some.size(); index++) {
                if (some.get(index) != others.get(index)) {
                    return false;
                }
            }
            return true;
        }

        private static boolean isEmpty() {
            String[] names = new File(".").list();
            return names != null && names.length == 0;
        }
    }
}
