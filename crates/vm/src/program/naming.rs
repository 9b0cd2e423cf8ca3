//! Who may name a class or use a member in Java source, and how is it written there? (JLS §6.6)

use lazuli_classfile::format::attributes::{AttributeData, InnerClassEntry};

use super::Program;
use super::class::{Class, Field, Form, Method, access};
use super::descriptor;
use super::resolve::readable_type;

impl Program {
    /// May source in a package (with slashes) name this type?
    pub fn can_name(&self, descriptor: &str, package: &str) -> bool {
        self.load_descriptor(descriptor).is_ok_and(|class| class.source_name(package).is_some())
    }

    /// May source in a package read and write the field of this class?
    pub fn can_use_field(&self, owner: &Class, field: &Field, package: &str) -> bool {
        is_open_to(field.access, owner.package() == package)
            && field.access & access::SYNTHETIC == 0
            && is_identifier(field.name)
            && owner.source_name(package).is_some()
            && self.can_name(field.descriptor, package)
    }

    /// May source in a package call the method, and name the types of its parameters?
    pub fn can_call(&self, method: &Method, package: &str) -> bool {
        let (parameters, _) = descriptor::method(method.descriptor).unwrap_or_default();
        is_open_to(method.access, method.class().package() == package)
            && method.access & access::SYNTHETIC == 0
            && (method.name == "<init>" || is_identifier(method.name))
            && method.class().source_name(package).is_some()
            && parameters.iter().all(|parameter| self.can_name(parameter, package))
    }
}

impl Class {
    /// The entries for its nested classes, and for itself and those around it if it is nested (JVMS §4.7.6).
    pub fn inner_classes(&self) -> impl Iterator<Item = &'static InnerClassEntry<'static>> {
        self.attributes().flat_map(|attribute| match attribute {
            AttributeData::InnerClasses(entries) => entries.as_slice(),
            _ => &[],
        })
    }

    /// The declaration of a nested class, which has its real access flags.
    pub fn nested_declaration(&self) -> Option<&'static InnerClassEntry<'static>> {
        self.declared_nesting(self.name)
    }

    /// How source in a package (with slashes) names the class: `Outer.Inner`, or `pkg.Outer.Inner` from elsewhere. None if it may not.
    pub fn source_name(&self, package: &str) -> Option<String> {
        match self.form {
            Form::Primitive(kind) => Some(readable_type(&kind.letter().to_string())),
            Form::Array { component } => Some(format!("{}[]", component.source_name(package)?)),
            // The class of a lambda, or one that a compiler made.
            Form::Ordinary if self.access & access::SYNTHETIC != 0 => None,
            Form::Ordinary => {
                let is_near = self.package() == package;
                let mut parts: Vec<&str> = Vec::new();
                let mut name = self.name;
                while let Some(entry) = self.declared_nesting(name) {
                    // A class without these is local or anonymous.
                    let (outer, inner) = (entry.outer_class_info.as_deref()?, entry.inner_name.as_deref()?);
                    // A class that says that it is nested elsewhere would stand in the source for another one. What is checked here
                    // also makes the name shorter with each step, so that classes that claim to be nested in one another do no harm.
                    let is_told_so = name.strip_prefix(outer).and_then(|rest| rest.strip_prefix('$')) == Some(inner);
                    if !is_told_so || !is_open_to(entry.access_flags.bits(), is_near) {
                        return None;
                    }
                    parts.push(inner);
                    name = outer;
                }
                // The access flags of an outer class are its own business; in another package it must be public, as almost all are.
                let is_visible = is_near || !parts.is_empty() || self.access & access::PUBLIC != 0;
                let (found_in, simple) = name.rsplit_once('/').unwrap_or(("", name));
                let is_short = is_near || found_in == "java/lang";
                // A class of the unnamed package cannot be named from another one.
                if !is_visible || (found_in.is_empty() && !is_near) {
                    return None;
                }
                // A class file may name a class as it likes; what is no name in Java must not get into source, where it could mean anything.
                let are_names = parts.iter().chain([&simple]).all(|part| is_type_identifier(part));
                if !are_names || !(is_short || is_package_name(found_in)) {
                    return None;
                }
                let outermost = if is_short { simple.to_string() } else { name.replace('/', ".") };
                parts.push(&outermost);
                parts.reverse();
                Some(parts.join("."))
            }
        }
    }

    /// The package (with slashes) of programs about this class: its own, as far as source may be there.
    pub fn package_of_programs(&self) -> &'static str {
        let package = self.package();
        if self.is_users() && is_package_name(package) { package } else { "" }
    }

    /// Is it a nested class whose objects belong to an object of the class around it?
    pub fn is_inner(&self) -> bool {
        self.nested_declaration().is_some_and(|entry| entry.access_flags.bits() & access::STATIC == 0)
            && !self.is_interface()
    }

    /// Does each of its objects belong to an object of the class around it, which its constructors take first? Local classes may stand in static code.
    pub fn is_member_of_object(&self) -> bool {
        self.is_inner() && self.nested_declaration().is_some_and(|entry| entry.outer_class_info.is_some())
    }

    fn declared_nesting(&self, name: &str) -> Option<&'static InnerClassEntry<'static>> {
        self.inner_classes().find(|entry| entry.inner_class_info == name)
    }
}

/// Is it a name that Java source may have as it is, and that javac reads as that name? (JLS §3.8)
///
/// Class files may have nearly any text where Java has an identifier, such as `a\u003b`, which javac translates before it reads anything
/// else. Characters that javac skips inside of identifiers (`Character.isIdentifierIgnorable`) are no letters here.
pub fn is_identifier(name: &str) -> bool {
    let is_first = |letter: char| letter == '_' || letter == '$' || letter.is_alphabetic();
    let mut letters = name.chars();
    letters.next().is_some_and(is_first)
        && letters.all(|letter| is_first(letter) || letter.is_ascii_digit())
        && !RESERVED.contains(&name)
}

/// May a class be called so? Some words are names elsewhere, but not of types (JLS §3.9).
fn is_type_identifier(name: &str) -> bool {
    is_identifier(name) && !["permits", "record", "sealed", "var", "yield"].contains(&name)
}

/// May source be in this package (with slashes)? The unnamed one is none that could be written, but source may be in it.
pub fn is_package_name(package: &str) -> bool {
    package.is_empty() || package.split('/').all(is_identifier)
}

/// Keywords, and the literals that look like names (JLS §3.9, §3.10).
const RESERVED: [&str; 54] = [
    "_",
    "abstract",
    "assert",
    "boolean",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "class",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extends",
    "false",
    "final",
    "finally",
    "float",
    "for",
    "goto",
    "if",
    "implements",
    "import",
    "instanceof",
    "int",
    "interface",
    "long",
    "native",
    "new",
    "null",
    "package",
    "private",
    "protected",
    "public",
    "return",
    "short",
    "static",
    "strictfp",
    "super",
    "switch",
    "synchronized",
    "this",
    "throw",
    "throws",
    "transient",
    "true",
    "try",
    "void",
    "volatile",
    "while",
];

/// Is something with these flags open to source of the same package, or of another one?
fn is_open_to(flags: u16, is_near: bool) -> bool {
    if is_near { flags & access::PRIVATE == 0 } else { flags & access::PUBLIC != 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_javac_reads_as_one_name_is_a_name() {
        for name in ["a", "_a", "$", "größe", "名", "a1", "record", "Outer$Inner"] {
            assert!(is_identifier(name), "{name}");
        }
        let hostile = [
            "",
            "1a",
            "a b",
            "a\\u003b",
            "a;",
            "a\nb",
            "a\"",
            "a*/",
            "a\u{202e}b",
            "a\u{200b}",
            "a\u{0}",
            "a.b",
            "class",
            "_",
        ];
        for name in hostile {
            assert!(!is_identifier(name), "{name:?}");
        }
        assert!(!is_type_identifier("var") && is_type_identifier("Var"));
        assert!(is_package_name("") && is_package_name("a/b") && !is_package_name("a/../b") && !is_package_name("/a"));
    }
}
