//! How is a replay written: a plain program that makes an input, calls the target, and says what happened?

use lazuli_engine::program::{Method, Program};
use lazuli_engine::rehearse::Rehearsed;
use lazuli_engine::value::Kind;

use super::body::{Body, Needs};

/// A program without any library. What happened goes to the file that the system property names, or to standard output.
pub fn replay(program: &Program, package: &str, target: &'static Method, rehearsed: &Rehearsed, name: &str) -> String {
    let mut body = Body::new(program, package, target, &rehearsed.plan);
    let call = body.call();
    let gives = target.result != Kind::Void;
    let kind = body.result_type();
    let mut page = String::new();
    if !package.is_empty() {
        page.push_str(&format!("package {};\n\n", package.replace('/', ".")));
    }
    page.push_str("/** Makes an input, calls a method on it, and says what happened. Run it with java -ea. */\n");
    page.push_str("@SuppressWarnings({\"unchecked\", \"rawtypes\", \"deprecation\", \"removal\"})\n");
    page.push_str(&format!("public class {name} {{\n"));
    page.push_str("    public static void main(String[] none) throws Throwable {\n");
    page.push_str("        endLater();\n        say(\"begun\");\n");
    for line in &body.lines {
        page.push_str(&format!("        {line}\n"));
    }
    page.push_str("        say(\"made\");\n");
    if gives {
        page.push_str(&format!("        {kind} result;\n"));
    }
    page.push_str("        try {\n");
    let assigned = if gives { "result = " } else { "" };
    page.push_str(&format!("            {assigned}{call};\n"));
    page.push_str("        } catch (Throwable thrown) {\n");
    page.push_str("            say(\"threw \" + told(thrown));\n");
    for duty in rehearsed.duties.iter().filter(|duty| !duty.is_post) {
        let judgement = body.judgement(duty.method, false, None);
        page.push_str(&format!("            judge(\"{}\", () -> {judgement});\n", duty.method.name));
    }
    page.push_str("            return;\n        }\n");
    page.push_str("        say(\"returned\");\n");
    if gives {
        page.push_str(&format!("        {kind} given = result;\n"));
    }
    for duty in &rehearsed.duties {
        let judgement = body.judgement(duty.method, duty.is_post, gives.then_some("given"));
        page.push_str(&format!("        judge(\"{}\", () -> {judgement});\n", duty.method.name));
    }
    page.push_str("    }\n");
    page.push_str(REPORTING);
    page.push_str(&helpers(body.needs));
    page.push_str("}\n");
    page
}

/// The small methods that reach what source may not.
pub fn helpers(needs: Needs) -> String {
    let parts =
        [(needs.allocate, ALLOCATE), (needs.set, SET), (needs.get, GET), (needs.call, CALL), (needs.filled, FILLED)];
    parts.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, text)| text).collect()
}

const REPORTING: &str = r#"
    interface Judgement {
        boolean holds() throws Throwable;
    }

    private static void judge(String name, Judgement judgement) throws Throwable {
        try {
            say(name + " " + judgement.holds());
        } catch (Throwable thrown) {
            say(name + " threw " + told(thrown));
        }
    }

    private static String told(Throwable thrown) {
        StackTraceElement[] trace = thrown.getStackTrace();
        return thrown.getClass().getName() + " at "
                + (trace.length == 0 ? "?" : trace[0].getClassName() + "." + trace[0].getMethodName() + ":" + trace[0].getLineNumber());
    }

    private static void say(String line) throws Exception {
        String file = System.getProperty("lazuli.replay");
        if (file == null) {
            System.out.println(line);
            return;
        }
        try (java.io.FileWriter writer = new java.io.FileWriter(file, true)) {
            writer.write(line + "\n");
        }
    }

    /** Nobody waits for longer. */
    private static void endLater() {
        Thread guard = new Thread(() -> {
            try {
                Thread.sleep(15_000);
            } catch (InterruptedException interrupted) {
                return;
            }
            Runtime.getRuntime().halt(99);
        });
        guard.setDaemon(true);
        guard.start();
    }
"#;

const ALLOCATE: &str = r#"
    /** An object of which no constructor ran. */
    private static Object allocate(Class<?> type) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        java.lang.reflect.Field instance = unsafe.getDeclaredField("theUnsafe");
        instance.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(instance.get(null), type);
    }
"#;

const SET: &str = r#"
    private static void set(Class<?> owner, Object object, String name, Object value) throws Exception {
        java.lang.reflect.Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        field.set(object, value);
    }
"#;

const GET: &str = r#"
    private static Object get(Class<?> owner, Object object, String name) throws Exception {
        java.lang.reflect.Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(object);
    }
"#;

const CALL: &str = r#"
    private static Object call(Class<?> owner, Object object, String name, Class<?>[] types, Object... arguments)
            throws Exception {
        try {
            java.lang.reflect.Method method = owner.getDeclaredMethod(name, types);
            method.setAccessible(true);
            return method.invoke(object, arguments);
        } catch (java.lang.reflect.InvocationTargetException wrapped) {
            return rethrown(wrapped.getCause());
        }
    }

    private static <E extends Throwable> Object rethrown(Throwable thrown) throws E {
        throw (E) thrown;
    }
"#;

const FILLED: &str = r#"
    private static Object filled(Object array, Object... elements) {
        System.arraycopy(elements, 0, array, 0, elements.length);
        return array;
    }
"#;
