import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which types do the fields of an object have whose class has type variables? In a program without raw types and unchecked casts, an object has one list of type arguments, and
 * holds what they say. Known from reflection alone.
 */
final class Generics {
    private Generics() {}

    /** A class with arguments, and the type whose inner class it is, if any. */
    record Applied(Class<?> raw, List<Type> arguments, Type owner) implements ParameterizedType {
        @Override
        public Type[] getActualTypeArguments() {
            return arguments.toArray(Type[]::new);
        }

        @Override
        public Type getRawType() {
            return raw;
        }

        @Override
        public Type getOwnerType() {
            return owner;
        }
    }

    record ArrayOf(Type component) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return component;
        }
    }

    /** The type of a field of an object of this class that was found at a place of this type. */
    static Type fieldType(Type declared, Class<?> made, Type place) {
        if (declared instanceof Class<?>) {
            return declared;
        }
        Map<TypeVariable<?>, Type> known = new HashMap<>();
        addUpwards(made, known);
        addPlace(made, place, known);
        return resolved(declared, known);
    }

    /** What the variables stand for of the classes that the type of a place names, of those above, and of the class of the object, where it hands them on. */
    private static void addPlace(Class<?> made, Type place, Map<TypeVariable<?>, Type> known) {
        if (!(place instanceof ParameterizedType with)) {
            return;
        }
        addArguments(with, known);
        Class<?> raw = (Class<?>) with.getRawType();
        Map<TypeVariable<?>, Type> above = new HashMap<>();
        addUpwards(made, above);
        TypeVariable<?>[] variables = raw.getTypeParameters();
        for (int i = 0; i < variables.length && raw != made; i++) {
            if (above.get(variables[i]) instanceof TypeVariable<?> handedOn && !known.containsKey(handedOn)) {
                known.put(handedOn, with.getActualTypeArguments()[i]);
            }
        }
        addUpwards(made, known);
        addUpwards(raw, known);
    }

    private static void addArguments(ParameterizedType with, Map<TypeVariable<?>, Type> known) {
        TypeVariable<?>[] variables = ((Class<?>) with.getRawType()).getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            known.put(variables[i], with.getActualTypeArguments()[i]);
        }
        if (with.getOwnerType() instanceof ParameterizedType owner) {
            addArguments(owner, known);
        }
    }

    /** What the variables of superclasses and interfaces stand for, in terms of those that are known. */
    private static void addUpwards(Class<?> type, Map<TypeVariable<?>, Type> known) {
        List<Type> above = new ArrayList<>(Arrays.asList(type.getGenericInterfaces()));
        if (type.getGenericSuperclass() != null) {
            above.add(type.getGenericSuperclass());
        }
        for (Type direct : above) {
            if (direct instanceof ParameterizedType with) {
                addArguments((ParameterizedType) resolved(with, known), known);
            }
            addUpwards(Library.erased(direct), known);
        }
    }

    private static Type resolved(Type type, Map<TypeVariable<?>, Type> known) {
        if (type instanceof TypeVariable<?>) {
            return known.getOrDefault(type, type);
        }
        if (type instanceof GenericArrayType array) {
            return new ArrayOf(resolved(array.getGenericComponentType(), known));
        }
        if (type instanceof ParameterizedType with) {
            List<Type> arguments = new ArrayList<>();
            for (Type argument : with.getActualTypeArguments()) {
                arguments.add(resolved(argument, known));
            }
            Type owner = with.getOwnerType();
            return new Applied((Class<?>) with.getRawType(), arguments, owner == null ? null : resolved(owner, known));
        }
        return type;
    }

    /** May an object of this class be at a place of this type? */
    static boolean fits(Class<?> made, Type place) {
        if (place instanceof TypeVariable<?> variable) {
            for (Type bound : variable.getBounds()) {
                if (!Library.erased(bound).isAssignableFrom(made) || !fits(made, bound)) {
                    return false;
                }
            }
            return true;
        }
        if (!(place instanceof ParameterizedType with) || Library.has(Library.erased(place))) {
            return true;
        }
        Map<TypeVariable<?>, Type> known = new HashMap<>();
        addUpwards(made, known);
        TypeVariable<?>[] variables = ((Class<?>) with.getRawType()).getTypeParameters();
        for (int i = 0; i < variables.length; i++) {
            Type own = known.get(variables[i]);
            if (own != null && !agree(own, with.getActualTypeArguments()[i])) {
                return false;
            }
        }
        return true;
    }

    /** May one object of this class have been found at places of both types? */
    static boolean fitBoth(Class<?> made, Type one, Type other) {
        if (made.isArray() || !(one instanceof ParameterizedType) || !(other instanceof ParameterizedType)) {
            return true;
        }
        Map<TypeVariable<?>, Type> first = new HashMap<>();
        Map<TypeVariable<?>, Type> second = new HashMap<>();
        addPlace(made, one, first);
        addPlace(made, other, second);
        for (Map.Entry<TypeVariable<?>, Type> entry : first.entrySet()) {
            Type also = second.get(entry.getKey());
            if (also != null && !agree(entry.getValue(), also)) {
                return false;
            }
        }
        return true;
    }

    /** Can both stand for the same type? */
    private static boolean agree(Type one, Type other) {
        Class<?> first = Library.erased(one);
        Class<?> second = Library.erased(other);
        boolean firstIsOpen = isOpen(one);
        boolean secondIsOpen = isOpen(other);
        if (firstIsOpen || secondIsOpen) {
            return secondIsOpen && second.isAssignableFrom(first) || firstIsOpen && first.isAssignableFrom(second);
        }
        if (first != second) {
            return false;
        }
        if (!(one instanceof ParameterizedType a) || !(other instanceof ParameterizedType b)) {
            return true;
        }
        for (int i = 0; i < a.getActualTypeArguments().length; i++) {
            if (!agree(a.getActualTypeArguments()[i], b.getActualTypeArguments()[i])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isOpen(Type type) {
        return type instanceof WildcardType || type instanceof TypeVariable<?>;
    }
}
