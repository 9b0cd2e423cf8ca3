//! Which types do declarations give to the elements of their collections? (JVMS §4.7.9.1)
//!
//! Code is compiled to erased types, and `List<Line>` is a `List` there. The class file keeps what the source said beside that.

use std::rc::Rc;

use lazuli_classfile::format::attributes::AttributeData;

use super::class::{Class, Field, Method, access};
use super::{Program, descriptor};

/// A type with its arguments, as a field or a parameter declares it: `Map<String, List<Integer>>`.
#[derive(Clone)]
pub struct GenericType {
    /// The erased type.
    pub class: &'static Class,
    /// Its arguments; of an array, the type of its elements.
    pub arguments: Vec<GenericType>,
    /// Is it this type and no other? Wildcards and type variables stand for subtypes too.
    pub is_exact: bool,
    /// Does a type variable stand for it here? The erased type of the place is a wider one then.
    pub is_argument: bool,
    /// The further bounds of a type variable: of `T extends Number & Comparable<T>`, the type `Comparable<T>`.
    pub also: Vec<GenericType>,
}

impl GenericType {
    /// A type that stands for all below it, and has no arguments.
    pub fn any(class: &'static Class) -> GenericType {
        GenericType { class, arguments: Vec::new(), is_exact: false, is_argument: false, also: Vec::new() }
    }

    /// Does it tell more of an object than its erased type does?
    pub fn is_telling(&self) -> bool {
        !self.arguments.is_empty() || !self.also.is_empty()
    }

    /// The erased type of a place of this type, or what a type variable stands for there. An array of elements of a type variable is made as one of its
    /// bound, and stays one.
    pub fn narrowed(&self, erased: &'static Class) -> &'static Class {
        let is_narrower = self.is_argument && !erased.is_array() && self.class.is_subtype_of(erased);
        if is_narrower { self.class } else { erased }
    }

    /// Is everything of the one type also of the other? An object that was made as a `List<Integer>` is also a `List<? extends Number>`.
    pub fn is_within(&self, other: &GenericType) -> bool {
        let is_same = self.class.id == other.class.id;
        let fits = if other.is_exact { is_same } else { self.class.is_subtype_of(other.class) };
        let arguments = || self.arguments.iter().zip(&other.arguments).all(|(own, other)| own.is_within(other));
        // A raw type, or a subtype with other parameters, says nothing about arguments.
        fits && (other.arguments.is_empty() || self.arguments.len() != other.arguments.len() || arguments())
    }
}

/// Type variables of a method or a class, each with the texts of its bounds, one behind the other.
pub(super) type TypeVariables = Vec<(String, String)>;

const OBJECT: &str = "Ljava/lang/Object;";

/// Bounds that refer to other variables are followed so far.
pub(super) const MOST_BOUNDS: usize = 3;

impl Program {
    /// The declared type of a field, if it has arguments.
    pub fn generic_of(&self, owner: &'static Class, field: &Field) -> Option<Rc<GenericType>> {
        let text = field_signature(owner, field)?;
        SignatureReader::new(self, &text, self.class_variables(owner)).read().map(Rc::new)
    }

    /// The declared type of a static field, if it has arguments.
    pub fn generic_static(&self, owner: &'static Class, name: &str) -> Option<Rc<GenericType>> {
        let field = owner.fields.iter().find(|field| field.is_static() && field.name == name)?;
        self.generic_of(owner, field)
    }

    /// The declared types of the parameters, those that have arguments.
    pub fn generic_parameters(&self, method: &'static Method) -> Vec<Option<Rc<GenericType>>> {
        self.generic_parameters_of(method, None)
    }

    /// The same for a receiver at a place of this type: what `saveAll(List<T>)` of a `Repository<Item>` takes is a `List<Item>`.
    pub fn generic_parameters_of(
        &self,
        method: &'static Method,
        receiver: Option<&GenericType>,
    ) -> Vec<Option<Rc<GenericType>>> {
        let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
        let nothing = || vec![None; parameters.len()];
        let Some(text) = signature_in(method.attributes()) else { return nothing() };
        let (own, rest) = formals(&text);
        let own_names: Vec<String> = own.iter().map(|(name, _)| name.clone()).collect();
        let mut variables = own;
        variables.extend(self.class_variables(method.class()));
        let Some(rest) = rest.strip_prefix('(') else { return nothing() };
        let given = receiver.and_then(|receiver| self.seen_as(receiver, method.class())).unwrap_or_default();
        let names = self.class_variables(method.class()).into_iter().map(|(name, _)| name);
        // A variable of the method hides one of the class.
        let is_own = |name: &String| own_names.contains(name);
        let given = names.zip(given).filter(|(name, _)| !is_own(name)).collect();
        let mut reader = SignatureReader::new(self, rest, variables).with(given);
        let mut found = Vec::new();
        while !reader.rest.starts_with(')') {
            match reader.next() {
                Some(generic) => found.push(generic.map(Rc::new)),
                None => return nothing(),
            }
        }
        // The hidden parameters of some constructors are not in their signatures.
        if found.len() == parameters.len() { found } else { nothing() }
    }

    /// The type of a method's result, if its declaration tells more than its descriptor: of `Supplier.get` of a `Supplier<String>`, that is `String`.
    pub fn generic_result(&self, method: &'static Method, receiver: Option<&GenericType>) -> Option<GenericType> {
        let text = signature_in(method.attributes())?;
        let (own, rest) = formals(&text);
        let (_, result) = rest.split_once(')')?;
        let of_class = self.class_variables(method.class());
        if let Some((variable, _)) = result.strip_prefix('T').and_then(|name| name.split_once(';')) {
            if own.iter().any(|(name, _)| name == variable) {
                return None;
            }
            let at = of_class.iter().position(|(name, _)| name == variable)?;
            let receiver = receiver.filter(|receiver| receiver.class.id == method.class().id)?;
            let found = receiver.arguments.get(at).filter(|_| receiver.arguments.len() == of_class.len())?;
            return Some(found.clone());
        }
        let mut variables = own;
        variables.extend(of_class);
        SignatureReader::new(self, result, variables).read()
    }

    /// Is the declared type of the result a type variable?
    pub fn returns_type_variable(&self, method: &'static Method) -> bool {
        let text = signature_in(method.attributes());
        text.is_some_and(|text| text.split_once(')').is_some_and(|(_, result)| result.starts_with('T')))
    }

    /// The type variables that code of a class sees: its own, then those of the classes whose inner class it is. A class that is local to a method sees more,
    /// which are not followed: they stand for any object.
    pub(super) fn class_variables(&self, class: &'static Class) -> TypeVariables {
        let mut found = signature_in(class.attributes()).map_or_else(Vec::new, |text| formals(&text).0);
        found.extend(self.outer_of(class).map_or_else(Vec::new, |outer| self.class_variables(outer)));
        found
    }

    /// The class to an object of which each object of an inner class belongs. Its name is shorter, whatever the class file claims.
    fn outer_of(&self, class: &'static Class) -> Option<&'static Class> {
        let own = class.nested_declaration().filter(|own| own.access_flags.bits() & STANDS_ALONE == 0)?;
        let outer = own.outer_class_info.as_deref().filter(|outer| outer.len() < class.name.len())?;
        self.load(outer).ok()
    }
}

/// Flags of nested classes whose objects belong to none of the class around them.
const STANDS_ALONE: u16 = access::STATIC | access::INTERFACE | access::ENUM;

/// The text of the type of a field that its descriptor does not tell in full.
pub(super) fn field_signature(owner: &'static Class, field: &Field) -> Option<String> {
    let position = owner.fields.iter().position(|known| std::ptr::eq(known, field))?;
    let info = owner.file?.fields.get(position)?;
    signature_in(info.attributes.iter().map(|attribute| &attribute.data))
}

pub(super) fn signature_in<'a>(mut attributes: impl Iterator<Item = &'a AttributeData<'a>>) -> Option<String> {
    attributes.find_map(|attribute| match attribute {
        AttributeData::Signature(signature) => Some(signature.to_string()),
        _ => None,
    })
}

/// Splits `<T:Ljava/lang/Number;U::Ljava/lang/Comparable<TU;>;>` from what follows.
pub(super) fn formals(text: &str) -> (TypeVariables, &str) {
    let Some(mut rest) = text.strip_prefix('<') else { return (Vec::new(), text) };
    let mut found = Vec::new();
    while let Some((name, bounds)) = rest.split_once(':').filter(|_| !rest.starts_with('>')) {
        let mut known = String::new();
        rest = bounds;
        loop {
            let length = length_of(rest).filter(|_| !rest.starts_with([':', '>']));
            if let Some(length) = length {
                known.push_str(&rest[..length]);
                rest = &rest[length..];
            }
            match rest.strip_prefix(':') {
                Some(next) => rest = next,
                None => break,
            }
        }
        if known.is_empty() {
            known.push_str(OBJECT);
        }
        found.push((name.to_string(), known));
    }
    (found, rest.strip_prefix('>').unwrap_or(rest))
}

/// How long the type is with which a text begins.
pub(super) fn length_of(text: &str) -> Option<usize> {
    let dimensions = text.bytes().take_while(|byte| *byte == b'[').count();
    match text.as_bytes().get(dimensions)? {
        b'T' => text.find(';').map(|end| end + 1),
        b'L' => {
            let mut depth = 0;
            text.bytes().enumerate().skip(dimensions).find_map(|(at, byte)| {
                match byte {
                    b'<' => depth += 1,
                    b'>' => depth -= 1,
                    _ => {}
                }
                (byte == b';' && depth == 0).then_some(at + 1)
            })
        }
        _ => Some(dimensions + 1),
    }
}

pub(super) struct SignatureReader<'a> {
    program: &'a Program,
    rest: &'a str,
    variables: TypeVariables,
    /// The types that variables stand for, as far as that is known.
    given: Vec<(String, GenericType)>,
}

impl<'a> SignatureReader<'a> {
    pub(super) fn new(program: &'a Program, rest: &'a str, variables: TypeVariables) -> SignatureReader<'a> {
        SignatureReader { program, rest, variables, given: Vec::new() }
    }

    /// The same where the variables stand for these types.
    pub(super) fn with(self, given: Vec<(String, GenericType)>) -> SignatureReader<'a> {
        SignatureReader { given, ..self }
    }

    /// The next type; `Some(None)` for a primitive one.
    fn next(&mut self) -> Option<Option<GenericType>> {
        if matches!(self.rest.as_bytes().first()?, b'L' | b'T' | b'[') {
            let length = length_of(self.rest)?;
            let (text, rest) = self.rest.split_at_checked(length)?;
            self.rest = rest;
            return Some(self.of(text, MOST_BOUNDS));
        }
        self.rest = self.rest.get(1..)?;
        Some(None)
    }

    pub(super) fn read(&mut self) -> Option<GenericType> {
        self.next().flatten()
    }

    /// The type that a text says. None if it is primitive, or cannot be loaded.
    fn of(&self, text: &str, bounds: usize) -> Option<GenericType> {
        match text.as_bytes().first()? {
            b'T' => {
                let name = text[1..].strip_suffix(';')?;
                if let Some((_, given)) = self.given.iter().find(|(known, _)| known == name) {
                    return Some(GenericType { is_argument: true, ..given.clone() });
                }
                let bound = self.variables.iter().find(|(known, _)| known == name).map(|(_, bound)| bound.as_str());
                self.bound(bound.filter(|_| bounds > 0).unwrap_or(OBJECT), bounds.saturating_sub(1))
            }
            b'[' => {
                let element = self.of(&text[1..], bounds);
                let class = match &element {
                    Some(element) => self.program.array_class(element.class),
                    None => self.program.load_descriptor(text).ok()?,
                };
                let arguments = element.into_iter().collect();
                Some(GenericType { class, arguments, is_exact: true, ..GenericType::any(class) })
            }
            b'L' => {
                let mut name = String::new();
                let mut arguments = Vec::new();
                let mut rest = text[1..].strip_suffix(';')?;
                while let Some(next) = rest.chars().next() {
                    match next {
                        '<' => {
                            let (mut found, behind) = self.arguments(&rest[1..], bounds)?;
                            found.append(&mut arguments);
                            (arguments, rest) = (found, behind);
                        }
                        // An inner class of one that has arguments, which follow its own.
                        '.' => {
                            name.push('$');
                            rest = &rest[1..];
                        }
                        letter => {
                            name.push(letter);
                            rest = &rest[letter.len_utf8()..];
                        }
                    }
                }
                let class = self.program.load(&name).ok()?;
                Some(GenericType { arguments, is_exact: true, ..GenericType::any(class) })
            }
            _ => None,
        }
    }

    /// The type that a variable stands for of which no more is known than the texts of its bounds.
    pub(super) fn bound(&self, texts: &str, bounds: usize) -> Option<GenericType> {
        let (first, mut rest) = texts.split_at_checked(length_of(texts)?)?;
        let mut found = GenericType { is_exact: false, ..self.of(first, bounds)? };
        while let Some((next, behind)) = length_of(rest).and_then(|length| rest.split_at_checked(length)) {
            found.also.extend(self.of(next, bounds));
            rest = behind;
        }
        Some(found)
    }

    /// The arguments up to the closing bracket, and what comes behind it.
    fn arguments<'t>(&self, text: &'t str, bounds: usize) -> Option<(Vec<GenericType>, &'t str)> {
        let object = || GenericType::any(self.program.known().object);
        let mut rest = text;
        let mut found = Vec::new();
        loop {
            match rest.as_bytes().first()? {
                b'>' => return Some((found, &rest[1..])),
                b'*' => {
                    found.push(object());
                    rest = &rest[1..];
                }
                sign => {
                    let is_wild = matches!(sign, b'+' | b'-');
                    let from = is_wild as usize;
                    let length = length_of(&rest[from..])?;
                    let argument = match sign {
                        // A `List<? super Integer>` may hold any object.
                        b'-' => object(),
                        _ => {
                            let argument = self.of(rest.get(from..from + length)?, bounds)?;
                            GenericType { is_exact: argument.is_exact && !is_wild, ..argument }
                        }
                    };
                    found.push(argument);
                    rest = rest.get(from + length..)?;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{formals, length_of};

    #[test]
    fn variables_have_their_bounds() {
        let (found, rest) =
            formals("<T:Ljava/lang/Number;U::Ljava/lang/Comparable<TU;>;V:Ljava/lang/Object;:La/B;>(TT;)V");
        let bounds: Vec<(&str, &str)> = found.iter().map(|(name, bound)| (name.as_str(), bound.as_str())).collect();
        let expected =
            [("T", "Ljava/lang/Number;"), ("U", "Ljava/lang/Comparable<TU;>;"), ("V", "Ljava/lang/Object;La/B;")];
        assert_eq!(bounds, expected);
        assert_eq!(rest, "(TT;)V");
    }

    #[test]
    fn a_type_ends_behind_its_arguments() {
        let text = "[Ljava/util/Map<Ljava/lang/String;Ljava/util/List<TT;>;>;I";
        assert_eq!(length_of(text), Some(text.len() - 1));
        assert_eq!(length_of("I)V"), Some(1));
        assert_eq!(length_of("TT;TU;"), Some(3));
    }
}
