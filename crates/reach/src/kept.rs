//! May a field of an object that calls make hold another object of the library than stands there where fields are read lazily?
//!
//! Where fields are read lazily, an `ArrayList` stands behind `List`. That is all that there is if the class stores `new ArrayList<>()`, or what it was given. Code that
//! stores `List.of()`, `Set.copyOf(all)` or `Collections.unmodifiableMap(map)` keeps an object that refuses changes; `new TreeMap<>(comparator)` has an order of its own.
//! An interface of the library without a recipe stands for code that is not there, of which nothing that goes wrong is a finding; `cursor = songs.listIterator()` keeps an
//! object of the library, which fails if `songs` changes.

use lazuli_vm::library::recipe_of;
use lazuli_vm::program::{Class, Code, Field, Op, Program};
use lazuli_vm::value::Kind;

use crate::nest::{codes, is_near};

/// In place of the class that a recipe makes.
const NONE: &str = "";

/// Does code of these classes store objects of other classes of the library there?
pub fn keeps_others(program: &Program, classes: &[&'static Class]) -> bool {
    classes.iter().copied().filter(|class| class.is_users()).any(|class| {
        let fields = class.fields.iter().filter(|field| !field.is_static() && field.kind == Kind::Reference);
        let mut filled = fields.filter_map(|field| {
            let declared = program.load_descriptor(field.descriptor).ok()?;
            let is_elsewhere = declared.is_interface() && !declared.is_users();
            let made = recipe_of(declared).map(|recipe| recipe.made);
            Some((field, made.or(is_elsewhere.then_some(NONE))?))
        });
        filled.any(|(field, made)| {
            let mut owners =
                program.users().iter().copied().filter(|other| other.id == class.id || is_near(class, other));
            owners.any(|owner| codes(program, owner).any(|code| stores_other(code, class, field, made)))
        })
    })
}

fn stores_other(code: &Code, class: &Class, field: &Field, made: &str) -> bool {
    code.ops.windows(2).any(|pair| {
        let [value, Op::PutField(site)] = pair else { return false };
        let site = &code.fields[*site as usize];
        if site.name != field.name || site.class != class.name {
            return false;
        }
        match value {
            Op::InvokeSpecial(call) | Op::InvokeStatic(call) | Op::InvokeVirtual(call) | Op::InvokeInterface(call) => {
                let call = &code.calls[*call as usize];
                // Another order is that of another collection.
                if call.name == "<init>" && call.class == made {
                    return call.descriptor.contains("Ljava/util/Comparator;");
                }
                call.class.starts_with("java/") && call.class != made && call.name != "requireNonNull"
            }
            _ => false,
        }
    })
}
