//! How is a method of a contract called that subclasses override?
//!
//! An invariant runs on an object of which the class may not be decided. Glue that calls it virtually leaves the choice to the
//! interpreter, or to the circuit, as for every other call of the program.

use super::class::{Method, access};
use super::synthetic::{Assembler, SyntheticClass, SyntheticMethod};
use super::{Program, descriptor};

impl Program {
    /// A static method that calls this one, without parameters of its own, on the object that it takes. None if no class of the class
    /// path overrides it.
    pub fn dispatcher(&self, method: &'static Method) -> Option<&'static Method> {
        if method.is_static() || method.access & (access::PRIVATE | access::FINAL) != 0 {
            return None;
        }
        let class = method.class();
        let overrides =
            |below: &&&'static super::Class| self.select(below, method).is_some_and(|found| found.id != method.id);
        self.users_below(class).iter().find(overrides)?;
        let mut dispatchers = self.dispatchers.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = dispatchers.get(&method.id) {
            return Some(known);
        }
        let (_, result) = descriptor::method(method.descriptor)?;
        let mut code = Assembler::default();
        code.load(0).call_virtual(method).return_kind(method.result);
        let glue = self.define_synthetic(SyntheticClass {
            name: self.fresh_name(class, "dispatch"),
            host: class,
            interfaces: Vec::new(),
            fields: Vec::new(),
            methods: vec![SyntheticMethod {
                name: method.name,
                descriptor: format!("({}){result}", class.descriptor()),
                access: access::STATIC,
                code: code.finish(1, 1),
            }],
        });
        let dispatcher = glue.methods[0];
        dispatchers.insert(method.id, dispatcher);
        Some(dispatcher)
    }
}
