//! May a field change after the constructor of its object has set it?

use super::class::{Class, Field, access};
use super::{Code, Op, Program};

impl Program {
    /// May code that is not there make the field of an object change? Not if it is final; nor if it is private, and the code around it, which alone can name it, assigns to it in
    /// no other place than its constructors.
    pub fn may_be_reassigned(&self, owner: &'static Class, field: &'static Field) -> bool {
        if field.access & access::FINAL != 0 {
            return false;
        }
        // A volatile field may be changed by an updater that is found by reflection.
        if field.access & access::PRIVATE == 0 || field.access & access::VOLATILE != 0 {
            return true;
        }
        let known = || self.reassigned.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(is_reassigned) = known().get(&(owner.id, field.slot)) {
            return *is_reassigned;
        }
        let is_reassigned = self.is_assigned_outside_constructors(owner, field);
        known().insert((owner.id, field.slot), is_reassigned);
        is_reassigned
    }

    fn is_assigned_outside_constructors(&self, owner: &'static Class, field: &Field) -> bool {
        fn outermost(class: &Class) -> &str {
            class.name.split('$').next().unwrap_or(class.name)
        }
        let nest = self.users().iter().filter(|class| outermost(class) == outermost(owner));
        let mut methods = nest.flat_map(|class| class.methods.iter().map(move |method| (class, method)));
        methods.any(|(class, method)| {
            if method.is_abstract() || method.access & access::NATIVE != 0 {
                return false;
            }
            let Ok(code) = self.code(method) else { return true };
            let is_own_constructor =
                method.name == "<init>" && class.id == owner.id && !sees_others(code, method.descriptor, owner);
            let assigns = |op: &Op| match op.unfused() {
                Op::PutField(site) => {
                    let site = &code.fields[site as usize];
                    site.name == field.name && site.class == owner.name
                }
                _ => false,
            };
            !is_own_constructor && code.ops.iter().any(assigns)
        })
    }
}

/// Can the code of a constructor get at another object of its class than the one that it makes?
fn sees_others(code: &Code, descriptor: &str, owner: &Class) -> bool {
    let own = owner.descriptor();
    let gives = |op: &Op| match op.unfused() {
        Op::GetField(site) | Op::GetStatic(site) => code.fields[site as usize].descriptor == own,
        Op::InvokeVirtual(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site) | Op::InvokeInterface(site) => {
            code.calls[site as usize].descriptor.ends_with(&format!("){own}"))
        }
        Op::CheckCast(site) => code.classes[site as usize].name == owner.name,
        Op::New(site) => code.classes[site as usize].name == owner.name,
        Op::ArrayLoad | Op::InvokeDynamic(_) => true,
        _ => false,
    };
    descriptor.contains(&own) || code.ops.iter().any(gives)
}
