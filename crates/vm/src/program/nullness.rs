//! Which arguments does the source of a method say are never null?
//!
//! `@NonNull`, `@Nonnull` and `@NotNull` of any package, as annotations of a parameter or of its type, and JSpecify's `@NullMarked` on the method, a
//! class around it, or its package, where only `@Nullable` types take null. Class files keep such annotations, also those that programs do
//! not see at run time. The JVM checks none of them: a caller may pass null all the same, so that each is an assumption.

use lazuli_classfile::format::attributes::{
    Annotation, AnnotationElementValue, AttributeData, TypeAnnotationTarget, TypeAnnotationTargetPathKind,
};

use super::Program;
use super::class::{Class, Method};
use crate::value::Kind;

const NOT_NULL: [&str; 3] = ["NonNull", "Nonnull", "NotNull"];
const NULLABLE: [&str; 2] = ["Nullable", "CheckForNull"];
const MARKED: &str = "NullMarked";
const UNMARKED: &str = "NullUnmarked";

/// For each parameter the annotation by which it is never null, such as `NonNull`; none for those that may be.
pub fn never_null(program: &Program, method: &'static Method) -> Vec<Option<&'static str>> {
    let count = method.parameters.len();
    if !method.class().is_users() {
        return vec![None; count];
    }
    let annotations = of_parameters(method, count);
    let is_marked = is_null_marked(program, method);
    let variables = if is_marked { type_variables(method, count) } else { Vec::new() };
    let is_reference = |at: usize| method.parameters[at] == Kind::Reference;
    let says = |at: usize| {
        let names = &annotations[at];
        let one_of =
            |known: &[&'static str]| known.iter().copied().find(|known| names.iter().any(|name| name == known));
        match (one_of(&NOT_NULL), one_of(&NULLABLE)) {
            (Some(name), _) => Some(name),
            // A type variable may stand for a type that has null.
            (None, None) if is_marked && !variables[at] => Some(MARKED),
            _ => None,
        }
    };
    (0..count).map(|at| if is_reference(at) { says(at) } else { None }).collect()
}

/// The simple names of the annotations of each parameter and of its type.
fn of_parameters(method: &'static Method, count: usize) -> Vec<Vec<String>> {
    let mut found: Vec<Vec<String>> = vec![Vec::new(); count];
    for attribute in method.attributes() {
        match attribute {
            AttributeData::RuntimeVisibleParameterAnnotations(table)
            | AttributeData::RuntimeInvisibleParameterAnnotations(table) => {
                // The parameters that a compiler puts in front, such as the outer object, are not in the table.
                let hidden = count.saturating_sub(table.len());
                for (names, parameter) in found.iter_mut().skip(hidden).zip(table) {
                    names.extend(parameter.annotations.iter().filter_map(meant));
                }
            }
            AttributeData::RuntimeVisibleTypeAnnotations(table)
            | AttributeData::RuntimeInvisibleTypeAnnotations(table) => {
                for annotation in table {
                    let TypeAnnotationTarget::FormalParameter { index } = annotation.target_type else { continue };
                    // `@NonNull String[]` speaks of the elements, `Map<@NonNull String, Integer>` of the keys.
                    let is_whole = |kind| matches!(kind, &TypeAnnotationTargetPathKind::DeeperNested);
                    if annotation.target_path.iter().all(|entry| is_whole(&entry.path_kind))
                        && let Some(names) = found.get_mut(index as usize)
                    {
                        names.extend(meant(&annotation.annotation));
                    }
                }
            }
            _ => {}
        }
    }
    found
}

/// The simple name of an annotation; none of one that takes itself back, as `@Nonnull(when = MAYBE)` does.
fn meant(annotation: &Annotation) -> Option<String> {
    let is_maybe = annotation.elements.iter().any(|element| match &element.value {
        AnnotationElementValue::EnumConstant { const_name, .. } => element.name == "when" && const_name != "ALWAYS",
        _ => false,
    });
    (!is_maybe).then(|| simple(annotation))
}

/// The simple name of an annotation.
pub(super) fn simple(annotation: &Annotation) -> String {
    let descriptor = annotation.type_descriptor.to_string();
    let name = descriptor.trim_end_matches(';').rsplit(['/', '$']).next().unwrap_or_default();
    name.trim_start_matches('L').to_string()
}

/// Does the innermost mark around a method say that types have no null unless they say so?
fn is_null_marked(program: &Program, method: &'static Method) -> bool {
    let of_method = mark(method.attributes());
    let class = method.class();
    // `Outer$Inner`, then `Outer`, then the package.
    let classes = std::iter::successors(Some(class.name), |name| {
        let end = name.rfind('$').filter(|end| !name[..*end].ends_with('/') && *end > 0)?;
        Some(&name[..end])
    });
    let package = match class.package() {
        "" => None,
        package => Some(format!("{package}/package-info")),
    };
    let loaded = |name: &str| if name == class.name { Some(class) } else { program.load(name).ok() };
    let of_class = |found: &'static Class| mark(found.attributes());
    of_method
        .or_else(|| classes.filter_map(loaded).find_map(of_class))
        .or_else(|| package.as_deref().and_then(loaded).and_then(of_class))
        .unwrap_or(false)
}

fn mark(attributes: impl Iterator<Item = &'static AttributeData<'static>>) -> Option<bool> {
    let names = attributes.flat_map(|attribute| match attribute {
        AttributeData::RuntimeVisibleAnnotations(table) | AttributeData::RuntimeInvisibleAnnotations(table) => {
            table.iter().map(simple).collect()
        }
        _ => Vec::new(),
    });
    names.into_iter().find_map(|name| match name.as_str() {
        MARKED => Some(true),
        UNMARKED => Some(false),
        _ => None,
    })
}

/// For each parameter whether its type is a type variable, or may be one as far as is known.
fn type_variables(method: &'static Method, count: usize) -> Vec<bool> {
    let written = method.attributes().find_map(|attribute| match attribute {
        AttributeData::Signature(text) => Some(text.to_string()),
        _ => None,
    });
    // Only methods whose types are generic have a signature.
    let Some(written) = written else { return vec![false; count] };
    let Some((_, inner)) = written.split_once('(') else { return vec![true; count] };
    let mut found = Vec::new();
    let mut rest = inner;
    while !rest.is_empty() && !rest.starts_with(')') {
        found.push(rest.starts_with('T'));
        let Some(length) = type_length(rest) else { return vec![true; count] };
        rest = &rest[length..];
    }
    let hidden = count.saturating_sub(found.len());
    std::iter::repeat_n(false, hidden).chain(found).take(count).collect()
}

/// How many characters the first type of a generic signature takes (JVMS §4.7.9.1).
fn type_length(text: &str) -> Option<usize> {
    let arrays = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(arrays)? {
        b'L' | b'T' => {
            let mut depth = 0;
            for (at, byte) in text.bytes().enumerate().skip(arrays) {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    b';' if depth == 0 => return Some(at + 1),
                    _ => {}
                }
            }
            None
        }
        _ => Some(arrays + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_a_generic_signature_are_told_apart() {
        let text = "Ljava/util/Map<TK;Ljava/util/List<[I>;>;TT;[[TV;IJ[Ljava/lang/String;";
        let mut rest = text;
        let mut types = Vec::new();
        while !rest.is_empty() {
            let (first, others) = rest.split_at(type_length(rest).expect(rest));
            types.push(first);
            rest = others;
        }
        let expected = ["Ljava/util/Map<TK;Ljava/util/List<[I>;>;", "TT;", "[[TV;", "I", "J", "[Ljava/lang/String;"];
        assert_eq!(types, expected);
        assert_eq!(type_length("Ljava/util/List<TT;"), None);
    }
}
