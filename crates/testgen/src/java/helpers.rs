//! Which small methods do programs need to reach what source may not?

use super::body::RequiredHelpers;

/// Those that are needed.
pub(super) fn helpers(needs: RequiredHelpers) -> String {
    let parts = [
        (needs.allocate, ALLOCATE),
        (needs.set, SET),
        (needs.get, GET),
        (needs.call, CALL),
        (needs.filled, FILLED),
        (needs.undefined, UNDEFINED),
        (needs.field, FIELD),
        (needs.reach, REACH),
        (needs.memory, MEMORY),
        (needs.past, PAST),
        (needs.changes, CHANGES),
    ];
    parts.into_iter().filter(|(is_needed, _)| *is_needed).map(|(_, text)| text).collect()
}

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

const UNDEFINED: &str = r#"
    private static Object undefined() {
        throw new IllegalStateException("a value that \\old asks for could not be computed before the call");
    }
"#;

const FIELD: &str = r#"
    private static java.lang.reflect.Field field(Class<?> owner, String name) throws Exception {
        java.lang.reflect.Field field = owner.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }
"#;

const REACH: &str = r#"
    /** The objects of a type that these fields lead to, the first one included. */
    private static java.util.List<Object> reach(Class<?> type, Object start, java.lang.reflect.Field... fields)
            throws Exception {
        java.util.List<Object> found = new java.util.ArrayList<>();
        if (type.isInstance(start)) {
            found.add(start);
        }
        for (int next = 0; next < found.size(); next++) {
            for (java.lang.reflect.Field field : fields) {
                Object value = field.get(found.get(next));
                if (type.isInstance(value) && !has(found, value)) {
                    found.add(value);
                }
            }
        }
        return found;
    }

    private static boolean has(java.util.List<Object> objects, Object wanted) {
        for (Object object : objects) {
            if (object == wanted) {
                return true;
            }
        }
        return false;
    }
"#;

const MEMORY: &str = r#"
    /** What all objects hold that can be reached from these. A class stands for its static fields. */
    private static java.util.Map<Object, java.util.Map<Object, Object>> held(Object... roots) throws Exception {
        java.util.Map<Object, java.util.Map<Object, Object>> held = new java.util.IdentityHashMap<>();
        java.util.Deque<Object> waiting = new java.util.ArrayDeque<>();
        for (Object root : roots) {
            if (root != null) {
                waiting.add(root);
            }
        }
        while (!waiting.isEmpty()) {
            Object object = waiting.poll();
            if (held.containsKey(object)) {
                continue;
            }
            java.util.Map<Object, Object> places = places(object);
            held.put(object, places);
            for (java.util.Map.Entry<Object, Object> place : places.entrySet()) {
                if (place.getValue() != null && isReference(object, place.getKey())) {
                    waiting.add(place.getValue());
                }
            }
        }
        return held;
    }

    /** The fields of an object, or the indices of an array, with what is there. */
    private static java.util.Map<Object, Object> places(Object object) throws Exception {
        java.util.Map<Object, Object> places = new java.util.LinkedHashMap<>();
        if (object.getClass().isArray()) {
            for (int index = 0; index < java.lang.reflect.Array.getLength(object); index++) {
                places.put(index, java.lang.reflect.Array.get(object, index));
            }
            return places;
        }
        boolean isClass = object instanceof Class;
        Class<?> owner = isClass ? (Class<?>) object : object.getClass();
        while (owner != null) {
            for (java.lang.reflect.Field field : owner.getDeclaredFields()) {
                boolean isStatic = java.lang.reflect.Modifier.isStatic(field.getModifiers());
                if (isStatic == isClass && field.trySetAccessible()) {
                    places.put(field, field.get(isClass ? null : object));
                }
            }
            owner = isClass ? null : owner.getSuperclass();
        }
        return places;
    }

    private static boolean isReference(Object object, Object place) {
        Class<?> type = place instanceof java.lang.reflect.Field
                ? ((java.lang.reflect.Field) place).getType() : object.getClass().getComponentType();
        return !type.isPrimitive();
    }

    private static boolean isFresh(java.util.Map<Object, java.util.Map<Object, Object>> before, Object object) {
        return object != null && !before.containsKey(object);
    }
"#;

const PAST: &str = r#"
    /** What a field of an object held before the call. */
    private static Object past(java.util.Map<Object, java.util.Map<Object, Object>> before, Object object,
            java.lang.reflect.Field field) {
        java.util.Map<Object, Object> places = before.get(java.util.Objects.requireNonNull(object));
        if (places == null || !places.containsKey(field)) {
            throw new IllegalStateException("this object was not there before the call");
        }
        return places.get(field);
    }
"#;

const CHANGES: &str = r#"
    /** The places that hold something else than before, but for those that may. */
    private static java.util.List<String> changed(java.util.Map<Object, java.util.Map<Object, Object>> before,
            java.util.function.BiPredicate<Object, Object>... allowed) throws Exception {
        java.util.List<String> changed = new java.util.ArrayList<>();
        for (java.util.Map.Entry<Object, java.util.Map<Object, Object>> entry : before.entrySet()) {
            Object object = entry.getKey();
            java.util.Map<Object, Object> places = places(object);
            for (java.util.Map.Entry<Object, Object> place : entry.getValue().entrySet()) {
                Object was = place.getValue();
                Object is = places.get(place.getKey());
                boolean isSame = isReference(object, place.getKey()) ? was == is : was.equals(is);
                boolean isAllowed = java.util.Arrays.stream(allowed).anyMatch(may -> may.test(object, place.getKey()));
                if (!isSame && !isAllowed) {
                    changed.add(place.getKey() + " of " + object.getClass().getTypeName());
                }
            }
        }
        return changed;
    }

    private static java.util.function.BiPredicate<Object, Object> may(Object object) {
        return (other, place) -> other == object;
    }

    private static java.util.function.BiPredicate<Object, Object> may(Object object, java.lang.reflect.Field field) {
        return (other, place) -> other == object && place.equals(field);
    }

    private static java.util.function.BiPredicate<Object, Object> may(Object object, int low, int high) {
        return (other, place) -> other == object && place instanceof Integer
                && low <= (Integer) place && (Integer) place <= high;
    }
"#;
