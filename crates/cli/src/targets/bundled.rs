//! Which contracts come with Lazuli? Those of types of the JDK whose implementations are often not there.
//!
//! They replace calls only. What a class of the user's owes is said by the user's own specifications, which win here, too.

/// A file of contracts: the class, with slashes, and the text.
pub(crate) type BundledFile = (&'static str, &'static str);

macro_rules! bundled {
    ($($class:literal),* $(,)?) => {
        &[$(($class, include_str!(concat!("../../specs/", $class, ".jml")))),*]
    };
}

/// All of them, by package and name.
pub(crate) const FILES: &[BundledFile] = bundled![
    "java/lang/AutoCloseable",
    "java/lang/CharSequence",
    "java/lang/Comparable",
    "java/lang/Iterable",
    "java/lang/Object",
    "java/lang/Runnable",
    "java/util/Collection",
    "java/util/Comparator",
    "java/util/Iterator",
    "java/util/Map",
    "java/util/function/BiConsumer",
    "java/util/function/BiFunction",
    "java/util/function/BiPredicate",
    "java/util/function/BooleanSupplier",
    "java/util/function/Consumer",
    "java/util/function/Function",
    "java/util/function/IntBinaryOperator",
    "java/util/function/IntConsumer",
    "java/util/function/IntFunction",
    "java/util/function/IntPredicate",
    "java/util/function/IntSupplier",
    "java/util/function/IntUnaryOperator",
    "java/util/function/Predicate",
    "java/util/function/Supplier",
    "java/util/function/ToIntFunction",
];

/// The text about a class.
pub(crate) fn text_about(class: &str) -> Option<&'static str> {
    FILES.iter().find(|(name, _)| *name == class).map(|(_, text)| *text)
}
