package lazuli.junit;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/**
 * Writes the class whose static methods are what Lazuli checks: each makes the test instance, calls what JUnit calls before a test, and then the test method. It is written
 * without a compiler, which would take longer than most checks.
 */
final class EntryClass {
    private static final String ASSUMPTION = "org/opentest4j/TestAbortedException";
    private static final String FAILURE = "lazuli/junit/ThrownInCheck";
    private static final int JAVA_17 = 61;
    private static final int PUBLIC = 1;
    private static final int STATIC = 8;
    private static final int FINAL_AND_SUPER = 0x30;

    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final ByteArrayOutputStream constants = new ByteArrayOutputStream();
    private final String name;
    private final Class<?> tests;

    private EntryClass(String name, Class<?> tests) {
        this.name = name;
        this.tests = tests;
    }

    /** The class file for some test methods of a class. The name has slashes. */
    static byte[] bytes(String name, Class<?> tests, List<Method> methods) {
        try {
            return new EntryClass(name, tests).written(methods);
        } catch (IOException problem) {
            throw new UncheckedIOException(problem);
        }
    }

    private byte[] written(List<Method> methods) throws IOException {
        ByteArrayOutputStream rest = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(rest);
        out.writeShort(PUBLIC | FINAL_AND_SUPER);
        out.writeShort(classNamed(name));
        out.writeShort(classNamed("java/lang/Object"));
        out.writeShort(0);
        out.writeShort(0);
        out.writeShort(methods.size());
        for (Method method : methods) {
            write(method, out);
        }
        out.writeShort(0);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        DataOutputStream head = new DataOutputStream(file);
        head.writeInt(0xCAFEBABE);
        head.writeShort(0);
        head.writeShort(JAVA_17);
        head.writeShort(indices.size() + 1);
        constants.writeTo(head);
        rest.writeTo(head);
        return file.toByteArray();
    }

    private void write(Method method, DataOutputStream out) throws IOException {
        StringBuilder descriptor = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes()) {
            descriptor.append(type.descriptorString());
        }
        out.writeShort(PUBLIC | STATIC);
        out.writeShort(utf8(method.getName()));
        out.writeShort(utf8(descriptor + ")V"));
        List<byte[]> attributes = new ArrayList<>(List.of(code(method), exceptions(), names(method), annotations(method)));
        String signature = signature(method);
        if (signature != null) {
            ByteArrayOutputStream index = new ByteArrayOutputStream();
            new DataOutputStream(index).writeShort(utf8(signature));
            attributes.add(attribute("Signature", index));
        }
        out.writeShort(attributes.size());
        for (byte[] attribute : attributes) {
            out.write(attribute);
        }
    }

    private byte[] code(Method method) throws IOException {
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        DataOutputStream code = new DataOutputStream(body);
        instance(tests, code);
        int local = 0;
        for (Class<?> type : method.getParameterTypes()) {
            boolean isWide = type == long.class || type == double.class;
            code.writeByte(load(type));
            code.writeByte(local);
            local += isWide ? 2 : 1;
        }
        code.writeByte(0xB6);
        code.writeShort(method(tests, method.getName(), descriptor(method)));
        Class<?> result = method.getReturnType();
        if (result == long.class || result == double.class) {
            code.writeByte(0x58);
        } else if (result != void.class) {
            code.writeByte(0x57);
        }
        code.writeByte(0xB1);
        // A failed assumption goes on as it is; everything else is a failure.
        int aborted = body.size();
        code.writeByte(0xBF);
        int thrown = body.size();
        code.writeByte(0xBB);
        code.writeShort(classNamed(FAILURE));
        code.writeByte(0x5A);
        code.writeByte(0x5F);
        code.writeByte(0xB7);
        code.writeShort(method(FAILURE, "<init>", "(Ljava/lang/Throwable;)V"));
        code.writeByte(0xBF);
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(contents);
        // For each class around, `new`, `dup` and what its methods get; then the arguments.
        out.writeShort(4 + 3 * depth(tests) + local);
        out.writeShort(local);
        out.writeInt(body.size());
        body.writeTo(out);
        out.writeShort(2);
        for (int handler : new int[] {aborted, thrown}) {
            out.writeShort(0);
            out.writeShort(aborted);
            out.writeShort(handler);
            out.writeShort(handler == aborted ? classNamed(ASSUMPTION) : 0);
        }
        out.writeShort(1);
        out.write(frames(method, aborted, thrown));
        return attribute("Code", contents);
    }

    /** Both handlers have the arguments as local variables, and the exception on the stack. */
    private byte[] frames(Method method, int aborted, int thrown) throws IOException {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(contents);
        out.writeShort(2);
        for (int handler : new int[] {aborted, thrown}) {
            out.writeByte(255);
            out.writeShort(handler == aborted ? aborted : thrown - aborted - 1);
            out.writeShort(method.getParameterCount());
            for (Class<?> type : method.getParameterTypes()) {
                if (!type.isPrimitive()) {
                    out.writeByte(7);
                    String named = type.isArray() ? type.descriptorString() : type.getName();
                    out.writeShort(classNamed(named.replace('.', '/')));
                } else {
                    out.writeByte(type == long.class ? 4 : type == double.class ? 3 : type == float.class ? 2 : 1);
                }
            }
            out.writeShort(1);
            out.writeByte(7);
            out.writeShort(classNamed(handler == aborted ? ASSUMPTION : "java/lang/Throwable"));
        }
        return attribute("StackMapTable", contents);
    }

    /** Leaves a test instance on the stack that is ready for a test. */
    private void instance(Class<?> type, DataOutputStream code) throws IOException {
        for (Method before : beforeAll(type)) {
            code.writeByte(0xB8);
            code.writeShort(method(before.getDeclaringClass(), before.getName(), "()V"));
        }
        boolean isInner = type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
        Class<?> around = type.getDeclaringClass();
        requireConstructor(type, isInner ? new Class<?>[] {around} : new Class<?>[0]);
        code.writeByte(0xBB);
        code.writeShort(classNamed(type.getName().replace('.', '/')));
        code.writeByte(0x59);
        if (isInner) {
            instance(around, code);
        }
        code.writeByte(0xB7);
        code.writeShort(method(type, "<init>", isInner ? "(" + around.descriptorString() + ")V" : "()V"));
        for (Method before : beforeEach(type)) {
            code.writeByte(0x59);
            code.writeByte(0xB6);
            code.writeShort(method(type, before.getName(), "()V"));
        }
    }

    private static void requireConstructor(Class<?> type, Class<?>[] parameters) {
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(parameters);
            if (!Modifier.isPrivate(constructor.getModifiers()) && !Modifier.isPrivate(type.getModifiers())) {
                return;
            }
        } catch (NoSuchMethodException problem) {
            // The same message.
        }
        throw new NotCheckedException("@Check needs a test class that is not private, with a constructor without parameters that is not private: "
                + type.getName());
    }

    /** The methods of a class and its superclasses, those of the latter first. An overridden one is called once. */
    private static List<Method> beforeEach(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            List<Method> own = new ArrayList<>();
            for (Method method : above.getDeclaredMethods()) {
                boolean isKnown = found.stream().anyMatch(known -> known.getName().equals(method.getName()));
                if (method.isAnnotationPresent(BeforeEach.class) && !isKnown) {
                    own.add(withoutParameters(method));
                }
            }
            found.addAll(0, own);
        }
        return found;
    }

    private static List<Method> beforeAll(Class<?> type) {
        List<Method> found = new ArrayList<>();
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                if (method.isAnnotationPresent(BeforeAll.class) && Modifier.isStatic(method.getModifiers())) {
                    found.add(0, withoutParameters(method));
                }
            }
        }
        return found;
    }

    private static Method withoutParameters(Method method) {
        if (method.getParameterCount() > 0) {
            throw new NotCheckedException("@Check cannot pass arguments to " + method + "; move what needs them into another class.");
        }
        if (method.getReturnType() != void.class || Modifier.isPrivate(method.getModifiers())) {
            throw new NotCheckedException("a method that runs before tests returns nothing and is not private: " + method);
        }
        return method;
    }

    private static int depth(Class<?> type) {
        Class<?> around = type.getDeclaringClass();
        return around == null || Modifier.isStatic(type.getModifiers()) ? 1 : 1 + depth(around);
    }

    private static int load(Class<?> type) {
        if (!type.isPrimitive()) {
            return 0x19;
        }
        if (type == long.class) {
            return 0x16;
        }
        if (type == float.class) {
            return 0x17;
        }
        return type == double.class ? 0x18 : 0x15;
    }

    private byte[] exceptions() throws IOException {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(contents);
        out.writeShort(1);
        out.writeShort(classNamed("java/lang/Throwable"));
        return attribute("Exceptions", contents);
    }

    private byte[] names(Method method) throws IOException {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(contents);
        out.writeByte(method.getParameterCount());
        for (Parameter parameter : method.getParameters()) {
            out.writeShort(utf8(parameter.getName()));
            out.writeShort(0);
        }
        return attribute("MethodParameters", contents);
    }

    private byte[] annotations(Method method) throws IOException {
        ByteArrayOutputStream contents = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(contents);
        out.writeByte(method.getParameterCount());
        for (Parameter parameter : method.getParameters()) {
            List<String> types = new ArrayList<>();
            for (Annotation annotation : parameter.getAnnotations()) {
                boolean isValid = annotation.annotationType() == Valid.class;
                types.add(isValid ? "Llazuli/junit/NonNull;" : annotation.annotationType().descriptorString());
            }
            out.writeShort(types.size());
            for (String type : types) {
                out.writeShort(utf8(type));
                out.writeShort(0);
            }
        }
        return attribute("RuntimeInvisibleParameterAnnotations", contents);
    }

    /** With the type arguments of the parameters, which say what collections hold; nothing if there are none. */
    private static String signature(Method method) {
        StringBuilder written = new StringBuilder("(");
        boolean isGeneric = false;
        for (Type type : method.getGenericParameterTypes()) {
            isGeneric |= !(type instanceof Class);
            written.append(signature(type));
        }
        return isGeneric ? written + ")V" : null;
    }

    private static String signature(Type type) {
        if (type instanceof Class<?> plain) {
            return plain.descriptorString();
        }
        if (type instanceof GenericArrayType array) {
            return "[" + signature(array.getGenericComponentType());
        }
        if (type instanceof ParameterizedType generic) {
            StringBuilder arguments = new StringBuilder();
            for (Type argument : generic.getActualTypeArguments()) {
                if (argument instanceof WildcardType wild) {
                    boolean isBelow = wild.getLowerBounds().length > 0;
                    arguments.append(isBelow ? "-" + signature(wild.getLowerBounds()[0]) : "+" + signature(wild.getUpperBounds()[0]));
                } else {
                    arguments.append(signature(argument));
                }
            }
            String raw = ((Class<?>) generic.getRawType()).descriptorString();
            return raw.substring(0, raw.length() - 1) + "<" + arguments + ">;";
        }
        // A type variable of the test class or method stands for anything.
        return "Ljava/lang/Object;";
    }

    private static String descriptor(Method method) {
        StringBuilder written = new StringBuilder("(");
        for (Class<?> type : method.getParameterTypes()) {
            written.append(type.descriptorString());
        }
        return written.append(')').append(method.getReturnType().descriptorString()).toString();
    }

    private byte[] attribute(String kind, ByteArrayOutputStream contents) throws IOException {
        ByteArrayOutputStream attribute = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(attribute);
        out.writeShort(utf8(kind));
        out.writeInt(contents.size());
        contents.writeTo(out);
        return attribute.toByteArray();
    }

    private int utf8(String text) throws IOException {
        Integer known = indices.get("u" + text);
        if (known != null) {
            return known;
        }
        DataOutputStream out = new DataOutputStream(constants);
        out.writeByte(1);
        out.writeUTF(text);
        return added("u" + text);
    }

    private int classNamed(String internal) throws IOException {
        return pair(7, "c" + internal, utf8(internal), -1);
    }

    private int method(Class<?> owner, String called, String descriptor) throws IOException {
        return method(owner.getName().replace('.', '/'), called, descriptor);
    }

    private int method(String owner, String called, String descriptor) throws IOException {
        int type = classNamed(owner);
        int signature = pair(12, "n" + called + descriptor, utf8(called), utf8(descriptor));
        return pair(10, "m" + type + " " + signature, type, signature);
    }

    private int pair(int tag, String key, int first, int second) throws IOException {
        Integer known = indices.get(key);
        if (known != null) {
            return known;
        }
        DataOutputStream out = new DataOutputStream(constants);
        out.writeByte(tag);
        out.writeShort(first);
        if (second >= 0) {
            out.writeShort(second);
        }
        return added(key);
    }

    private int added(String key) {
        indices.put(key, indices.size() + 1);
        return indices.size();
    }
}
