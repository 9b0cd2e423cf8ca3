//! Which classes beside a class make or change its objects in ways that the code around has not?
//!
//! Nested classes are one nest: each may use the private members of all others (JVMS §5.4.4). Example: a tool `Cart.Auditor` whose methods write
//! the private field `Cart.total`.

use lazuli_vm::program::{Class, Code, Method, Op, Program, access, descriptor};

/// Is one class nested in the other, or both in the same one?
pub(crate) fn is_near(one: &Class, other: &Class) -> bool {
    let outermost = |class: &Class| class.name.split('$').next().unwrap_or_default().to_string();
    one.id != other.id && outermost(one) == outermost(other)
}

/// The other classes of the nest whose code uses a private member of the class, or makes its objects if the class cannot be named elsewhere: a factory of objects of
/// an anonymous class.
pub(crate) fn intruders(program: &Program, class: &'static Class) -> Vec<&'static Class> {
    let near = program.users().iter().copied().filter(|other| is_near(class, other));
    let is_hidden = class.source_name(class.package()).is_none();
    let intrudes = |code: &Code| is_hidden && makes(code, class) || uses_private(program, code, class);
    near.filter(|other| codes(program, other).any(intrudes)).collect()
}

/// Does a method of the class return an object of the other one?
pub(crate) fn builds(program: &Program, class: &'static Class, built: &'static Class) -> bool {
    class.methods.iter().any(|method| {
        let (_, result) = descriptor::method(method.descriptor).unwrap_or_default();
        program.can_call(method, class.package())
            && program.load_descriptor(result).is_ok_and(|result| result.id == built.id)
    })
}

pub(crate) fn codes(program: &Program, class: &'static Class) -> impl Iterator<Item = &'static Code> {
    let has_code = |method: &&'static Method| !method.is_abstract() && method.access & access::NATIVE == 0;
    class.methods.iter().copied().filter(has_code).filter_map(|method| program.code(method).ok())
}

fn makes(code: &Code, class: &'static Class) -> bool {
    code.ops.iter().any(|op| matches!(op, Op::New(at) if code.classes[*at as usize].name == class.name))
}

fn uses_private(program: &Program, code: &Code, class: &'static Class) -> bool {
    let is_field = |name: &str, kind: &str| {
        let mut fields = class.fields.iter();
        fields.any(|field| field.name == name && field.descriptor == kind && field.access & access::PRIVATE != 0)
    };
    // Compilers before Java 11 write accessors, synthetic methods that are not private, for the classes of a nest.
    let is_method = |name: &str, kind: &str| {
        let found = class.own_method(name, kind);
        found.is_some_and(|method| method.access & (access::PRIVATE | access::SYNTHETIC) != 0)
    };
    let names_class = |name: &str| program.load(name).is_ok_and(|named| named.is_subtype_of(class));
    code.fields.iter().any(|site| is_field(site.name, site.descriptor) && names_class(site.class))
        || code.calls.iter().any(|site| is_method(site.name, site.descriptor) && names_class(site.class))
}
