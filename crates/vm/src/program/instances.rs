//! Which types do the fields of an object have whose class has type variables?
//!
//! An object that was found at a place of type `Holder<String>` has strings where `Holder<T>` declares a `T`, and so has an object of a class that
//! extends `Holder<String>`. What is known is seen from the class that declares the field: upwards along the clauses `extends` and
//! `implements` (JLS §4.10.2), and downwards where such a clause hands a variable on.
//!
//! It is the world of programs without unchecked casts: a raw `Holder` could hold anything.

use std::rc::Rc;

use lazuli_classfile::format::ClassFile;

use super::Program;
use super::class::Class;
use super::generic::{GenericType, MOST_BOUNDS, SignatureReader, field_signature, formals, length_of, signature_in};
use super::open::Possible;

/// Class files may claim that types extend each other in circles of ever longer arguments.
const MOST_LEVELS: usize = 32;

impl Program {
    /// The type of the field at a slot of an object of this class that was found as one of a type with arguments, if more is known of it than
    /// its descriptor tells.
    pub fn field_type(&self, class: &'static Class, slot: u32, found: Option<&GenericType>) -> Option<Rc<GenericType>> {
        let (owner, field) = class.declaration_at(slot)?;
        let text = field_signature(owner, field)?;
        let variables = self.class_variables(owner);
        if variables.is_empty() || !text.contains('T') {
            return self.generic_of(owner, field);
        }
        let read = |given: Option<Vec<GenericType>>| {
            let given = given.unwrap_or_default();
            let names = variables.iter().map(|(name, _)| name.clone());
            SignatureReader::new(self, &text, variables.clone()).with(names.zip(given).collect()).read()
        };
        // The class may tell more than the place, and the other way round.
        let by_place = read(found.and_then(|found| self.seen_as(found, owner)));
        let by_class = (class.id != owner.id).then(|| read(self.declared_as(class, owner))).flatten();
        let best = match (by_place, by_class) {
            (Some(place), Some(class)) if class.class.is_subtype_of(place.class) => Some(class),
            (place, class) => place.or(class),
        };
        best.map(Rc::new)
    }

    /// May an object of the class be at a place of this type? Of `class Texts extends Holder<String>`, none is a `Holder<Integer>`.
    pub fn may_have_type(&self, class: &'static Class, place: &GenericType) -> bool {
        let is_of = |bound: &GenericType| {
            let narrower = self.split(class, bound.class).yes;
            narrower.is_some_and(|class| self.may_have_type(class, bound))
        };
        if !place.also.iter().all(is_of) {
            return false;
        }
        if place.arguments.is_empty() || class.is_array() || class.is_open() || class.id == place.class.id {
            return true;
        }
        let Some(texts) = self.arguments_above(class, place.class, MOST_LEVELS) else { return true };
        let variables = self.class_variables(class);
        let fits = |(text, wanted): (&String, &GenericType)| {
            // The type that a variable of the class stands for is up to the object.
            is_open_text(text) || {
                let own = SignatureReader::new(self, text, variables.clone()).read();
                own.is_none_or(|own| own.is_within(wanted))
            }
        };
        texts.len() != place.arguments.len() || texts.iter().zip(&place.arguments).all(fits)
    }

    /// The arguments that an object of a type has as one of another class, which is above or below.
    pub(super) fn seen_as(&self, found: &GenericType, class: &'static Class) -> Option<Vec<GenericType>> {
        let own = self.class_variables(found.class);
        if found.arguments.len() != own.len() || own.is_empty() {
            return None;
        }
        if found.class.id == class.id {
            return Some(found.arguments.clone());
        }
        if found.class.is_subtype_of(class) {
            let texts = self.arguments_above(found.class, class, MOST_LEVELS)?;
            let names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
            let given = || names.iter().cloned().zip(found.arguments.iter().cloned()).collect();
            return texts
                .iter()
                .map(|text| SignatureReader::new(self, text, own.clone()).with(given()).read())
                .collect();
        }
        // `Pair<A, B> extends Holder<B>`, found as a `Holder<String>`: B is String, and A is anything.
        let texts = self.arguments_above(class, found.class, MOST_LEVELS)?;
        let variables = self.class_variables(class);
        let stands_for = |(name, bound): &(String, String)| {
            let at = texts.iter().position(|text| text.strip_prefix('T') == Some(&format!("{name};")));
            match at.and_then(|at| found.arguments.get(at)) {
                Some(argument) => Some(argument.clone()),
                None => SignatureReader::new(self, "", variables.clone()).bound(bound, MOST_BOUNDS),
            }
        };
        variables.iter().map(stands_for).collect()
    }

    /// The arguments that every object of a class has as one of a class above.
    fn declared_as(&self, class: &'static Class, above: &'static Class) -> Option<Vec<GenericType>> {
        // An open class has the fields of the one that all its classes share.
        let class = if class.is_open() { class.super_class? } else { class };
        let texts = self.arguments_above(class, above, MOST_LEVELS)?;
        let variables = self.class_variables(class);
        texts.iter().map(|text| SignatureReader::new(self, text, variables.clone()).read()).collect()
    }

    /// The arguments with which a class extends or implements another, directly or not, in terms of its own variables. None if it does so without arguments.
    fn arguments_above(&self, class: &'static Class, above: &'static Class, levels: usize) -> Option<Vec<String>> {
        let levels = levels.checked_sub(1)?;
        if class.id == above.id || !class.is_subtype_of(above) {
            return None;
        }
        let Some(text) = signature_in(class.attributes()) else {
            // No supertype has arguments, but one further up may have some.
            let mut direct = class.super_class.into_iter().chain(class.interfaces.iter().copied());
            return direct.find_map(|next| self.arguments_above(next, above, levels));
        };
        let (_, mut rest) = formals(&text);
        while let Some(length) = length_of(rest).filter(|length| *length <= rest.len() && !rest.is_empty()) {
            let (direct, behind) = rest.split_at(length);
            rest = behind;
            let (name, arguments) = parts_of(direct)?;
            let Ok(next) = self.load(&name) else { continue };
            if next.id == above.id {
                return Some(arguments).filter(|arguments| !arguments.is_empty());
            }
            if let Some(further) = self.arguments_above(next, above, levels) {
                let names: Vec<String> = self.class_variables(next).into_iter().map(|(name, _)| name).collect();
                if names.len() != arguments.len() {
                    // Variables of a raw type stand for anything.
                    return Some(further).filter(|further| !further.iter().any(|text| is_open_text(text)));
                }
                return further.iter().map(|text| substituted(text, &names, &arguments)).collect();
            }
        }
        None
    }

    /// The classes that are left of some at a place of this type. None if there are none.
    pub fn with_arguments(&self, class: &'static Class, place: Option<&GenericType>) -> Option<&'static Class> {
        let Some(place) = place.filter(|place| place.is_telling()) else { return Some(class) };
        let narrowed =
            |class, bound: &GenericType| self.with_arguments(self.split(class, bound.class).yes?, Some(bound));
        let class = place.also.iter().try_fold(class, narrowed)?;
        let Some(possible) = class.possible() else {
            return Some(class).filter(|class| self.may_have_type(class, place));
        };
        let may_be = |known: &&'static Class| self.may_have_type(known, place);
        let known: Vec<&'static Class> = possible.known.iter().copied().filter(may_be).collect();
        match known.len() == possible.known.len() {
            true => Some(class),
            false => self.open_class(Possible { known, ..possible.clone() }),
        }
    }

    /// May an object that was found as of one type with arguments be at a place of another? Without unchecked casts, each object has one list of
    /// arguments: a `Holder<String>` is a `Holder<?>`, but no `Holder<Integer>`.
    pub fn may_be_both(&self, found: &GenericType, place: &GenericType) -> bool {
        let Some(seen) = self.seen_as(found, place.class) else { return true };
        let agrees = |(one, other): (&GenericType, &GenericType)| one.is_within(other) || other.is_within(one);
        seen.len() != place.arguments.len() || seen.iter().zip(&place.arguments).all(agrees)
    }
}

/// Does the type of a field mention a type variable?
pub(super) fn has_variable_fields(file: &ClassFile) -> bool {
    let mut texts =
        file.fields.iter().filter_map(|field| signature_in(field.attributes.iter().map(|attribute| &attribute.data)));
    texts.any(|text| is_open_text(&text))
}

/// The name of a class type, and the texts of its arguments.
fn parts_of(text: &str) -> Option<(String, Vec<String>)> {
    let mut rest = text.strip_prefix('L')?.strip_suffix(';')?;
    let (mut name, mut arguments) = (String::new(), Vec::<String>::new());
    while let Some(next) = rest.chars().next() {
        rest = &rest[next.len_utf8()..];
        match next {
            '<' => {
                let mut own: Vec<String> = Vec::new();
                while !rest.starts_with('>') {
                    let sign = rest.starts_with(['+', '-', '*']) as usize;
                    let length = if rest.starts_with('*') { 0 } else { length_of(rest.get(sign..)?)? };
                    own.push(rest.get(..sign + length)?.to_string());
                    rest = rest.get(sign + length..)?;
                }
                rest = &rest[1..];
                // Those of an inner class come before those of the class around it.
                own.append(&mut arguments);
                arguments = own;
            }
            '.' => name.push('$'),
            letter => name.push(letter),
        }
    }
    Some((name, arguments))
}

/// Does a type mention a type variable?
fn is_open_text(text: &str) -> bool {
    let element = text.trim_start_matches(['[', '+', '-']);
    match element.as_bytes().first() {
        Some(b'T') => true,
        Some(b'L') => parts_of(element).is_some_and(|(_, arguments)| arguments.iter().any(|text| is_open_text(text))),
        _ => false,
    }
}

/// The type with texts in the place of variables.
fn substituted(text: &str, names: &[String], arguments: &[String]) -> Option<String> {
    let element = text.trim_start_matches(['[', '+', '-']);
    let before = &text[..text.len() - element.len()];
    let inner = match element.as_bytes().first() {
        Some(b'T') => {
            let name = element[1..].strip_suffix(';')?;
            arguments.get(names.iter().position(|known| known == name)?)?.clone()
        }
        Some(b'L') => {
            let (name, own) = parts_of(element)?;
            let own: Option<String> = own.iter().map(|text| substituted(text, names, arguments)).collect();
            match own? {
                own if own.is_empty() => format!("L{name};"),
                own => format!("L{name}<{own}>;"),
            }
        }
        _ => element.to_string(),
    };
    Some(format!("{before}{inner}"))
}

#[cfg(test)]
mod tests {
    use super::{is_open_text, parts_of, substituted};

    #[test]
    fn arguments_are_found_in_nested_types() {
        let (name, arguments) = parts_of("La/Outer<TT;>.Inner<+La/B<*>;[I>;").expect("it is a type");
        assert_eq!(name, "a/Outer$Inner");
        assert_eq!(arguments, ["+La/B<*>;", "[I", "TT;"]);
    }

    #[test]
    fn a_name_with_the_letter_of_variables_is_none() {
        assert!(!is_open_text("La/Table<La/Tree;>;"));
        assert!(is_open_text("[La/Table<-TK;>;"));
    }

    #[test]
    fn variables_are_replaced_inside_of_arguments() {
        let (names, arguments) = (["K".to_string()], ["La/B;".to_string()]);
        let replaced = substituted("Lx/Map<TK;+[TK;>;", &names, &arguments);
        assert_eq!(replaced.as_deref(), Some("Lx/Map<La/B;+[La/B;>;"));
    }
}
