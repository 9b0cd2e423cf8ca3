//! Which components may a record have?
//!
//! Only its constructors make a record, and all of them call the canonical one. What that does not let through is in no record: `record Range(int lo, int
//! hi) { Range { if (lo > hi) throw … } }` has no ranges with `lo > hi`. Running the constructor on the components of an input tells so, but
//! only where the constructor stores what it is given (a record whose constructor doubles a number has numbers that it would double again),
//! and looks at nothing that may have changed since.

use super::{Class, Field, Method, Op, Program};

/// The class that all records extend.
const RECORD: &str = "java/lang/Record";

/// Classes whose objects never change.
const IMMUTABLE: [&str; 9] = [
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Character",
    "java/lang/Double",
    "java/lang/Float",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Short",
    "java/lang/String",
];

/// Does a method take only numbers and objects that never change? `String.valueOf(Object)` does not.
fn takes_fixed(descriptor: &str) -> bool {
    let parameters = descriptor.trim_start_matches('(').split(')').next().unwrap_or_default();
    let mut names = parameters.split(';').filter_map(|part| part.split_once('L')).map(|(_, name)| name);
    !parameters.contains('[') && names.all(|name| IMMUTABLE.contains(&name))
}

impl Class {
    /// The fields of a record's components, in order; none if the class is no record.
    pub fn components(&self) -> Option<Vec<&Field>> {
        let is_record = self.super_class.is_some_and(|above| above.name == RECORD);
        is_record.then(|| self.fields.iter().filter(|field| !field.is_static()).collect())
    }
}

impl Program {
    /// The canonical constructor of a record, if a record has exactly the components for which it returns.
    pub fn deciding_constructor(&self, class: &'static Class) -> Option<&'static Method> {
        let components = class.components()?;
        let descriptor: String = components.iter().map(|field| field.descriptor).collect();
        let constructor = class.own_method("<init>", &format!("({descriptor})V"))?;
        let code = self.code(constructor).ok()?;
        let is_parameter = |register: u16| register as usize <= components.len();
        let is_fixed = |descriptor: &str| {
            let name = descriptor.strip_prefix('L').and_then(|name| name.strip_suffix(';'));
            name.map_or(!descriptor.starts_with('['), |name| IMMUTABLE.contains(&name))
        };
        let are_fixed = components.iter().all(|field| is_fixed(field.descriptor));
        let mut stored = vec![0; components.len()];
        let ops: Vec<Op> = code.ops.iter().map(|op| op.unfused()).collect();
        for (at, op) in ops.iter().enumerate() {
            let is_allowed = match op {
                Op::Store(register) | Op::Iinc(register, _) => !is_parameter(*register),
                Op::PutField(site) => {
                    let site = &code.fields[*site as usize];
                    let number = components.iter().position(|field| field.name == site.name)?;
                    stored[number] += 1;
                    let before = &ops[at.saturating_sub(2)..at];
                    matches!(before, [Op::Load(0), Op::Load(given)] if *given as usize == number + 1)
                }
                Op::InvokeSpecial(site) | Op::InvokeStatic(site) | Op::InvokeVirtual(site) => {
                    let site = &code.calls[*site as usize];
                    let is_exception = site.name == "<init>" && {
                        let above = self.load(site.class).ok()?;
                        above.chain().any(|above| above.name == "java/lang/Throwable")
                    };
                    site.class == RECORD
                        || is_exception
                        || site.class == "java/lang/Math"
                        || site.class == "java/util/Objects" && site.name.starts_with("requireNonNull")
                        || IMMUTABLE.contains(&site.class) && (are_fixed || takes_fixed(site.descriptor))
                }
                // The length of an array never changes; its elements may have. Texts of objects may depend on what they hold now.
                Op::InvokeDynamic(site) => are_fixed && code.dynamics[*site as usize].name == "makeConcatWithConstants",
                Op::InvokeInterface(_)
                | Op::GetStatic(_)
                | Op::PutStatic(_)
                | Op::GetField(_)
                | Op::ArrayLoad
                | Op::ArrayStore
                | Op::MonitorEnter
                | Op::MonitorExit
                | Op::Jsr(_)
                | Op::Ret(_) => false,
                _ => true,
            };
            if !is_allowed {
                return None;
            }
        }
        // A handler could turn what was thrown into something else.
        let decides =
            ops.iter().any(|op| matches!(op, Op::Throw | Op::ArrayLength | Op::InvokeStatic(_) | Op::InvokeVirtual(_)));
        (decides && code.handlers.is_empty() && stored.iter().all(|count| *count == 1)).then_some(constructor)
    }
}
