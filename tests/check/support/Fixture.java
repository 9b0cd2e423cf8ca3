import java.io.IOException;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A target with its bounds, as the comment at the top of its source file says. */
final class Fixture {
    final Method target;
    /** At most so many input objects of one class. */
    final int scope;
    /** At most so many input objects in all. */
    final int objects;
    /** The longest array. */
    final int longest;
    final Domain domain;
    /** Static fields that are inputs. */
    final List<Field> statics = new ArrayList<>();
    /** Static fields that every run finds as the class initialiser left them. */
    final List<Field> initialised = new ArrayList<>();
    /** Classes of the file that can have instances. */
    final List<Class<?>> classes = new ArrayList<>();

    private final List<String> header;

    Fixture(Path source, Path directory) throws Exception {
        header = header(source);
        scope = Integer.parseInt(directive("scope", "3"));
        objects = Integer.parseInt(directive("objects", "1000"));
        longest = Integer.parseInt(directive("k", Integer.toString(scope)));
        domain = new Domain(directive("domain", ""), longest);
        ClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, Fixture.class.getClassLoader());
        loader.setDefaultAssertionStatus(true);
        String path = directive("target", "");
        int dot = path.lastIndexOf('.');
        target = method(loader.loadClass(path.substring(0, dot)), path.substring(dot + 1));
        target.setAccessible(true);
        List<String> inputs = Arrays.asList(directive("statics", "").split("\\s+"));
        String[] files = directory.toFile().list();
        Arrays.sort(files);
        for (String file : files) {
            Class<?> loaded = Class.forName(file.substring(0, file.length() - ".class".length()), true, loader);
            boolean isPlain = !loaded.isInterface() && !loaded.isEnum() && !loaded.isAnonymousClass();
            if (isPlain && !Modifier.isAbstract(loaded.getModifiers())) {
                classes.add(loaded);
            }
            for (Field field : loaded.getDeclaredFields()) {
                int modifiers = field.getModifiers();
                if (Modifier.isStatic(modifiers) && !Modifier.isFinal(modifiers)) {
                    field.setAccessible(true);
                    (inputs.contains(field.getName()) ? statics : initialised).add(field);
                }
            }
        }
    }

    private static Method method(Class<?> declaring, String name) {
        Method found = null;
        for (Method method : declaring.getDeclaredMethods()) {
            if (method.getName().equals(name) && found != null) {
                throw new IllegalArgumentException(declaring + " has two methods " + name);
            }
            found = method.getName().equals(name) ? method : found;
        }
        if (found == null) {
            throw new IllegalArgumentException(declaring + " has no method " + name);
        }
        return found;
    }

    private static List<String> header(Path source) throws IOException {
        List<String> lines = new ArrayList<>();
        for (String line : Files.readAllLines(source)) {
            if (!line.startsWith("//")) {
                break;
            }
            lines.add(line.substring(2).strip());
        }
        return lines;
    }

    private String directive(String name, String otherwise) {
        for (String line : header) {
            if (line.startsWith(name + ":")) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return otherwise;
    }

    boolean hasReceiver() {
        return !Modifier.isStatic(target.getModifiers());
    }

    /** Instance fields, those of superclasses first. */
    static List<Field> fields(Class<?> type) {
        List<Field> all = new ArrayList<>();
        if (type.getSuperclass() != null && type.getClassLoader() instanceof URLClassLoader) {
            all.addAll(fields(type.getSuperclass()));
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    all.add(field);
                }
            }
        }
        return all;
    }
}
