//! How is something that is no method of a class explored as if it were one?

use std::sync::OnceLock;

use super::class::{Class, Method, MethodId};
use super::code::Op;
use super::synthetic::Assembler;
use super::{Program, access, descriptor};

impl Program {
    /// A method that no class declares: it has a receiver, parameters and a name, and stands for what the explorer does with them. Its body
    /// is empty. None if the descriptor is none.
    pub fn describe_method(
        &self,
        class: &'static Class,
        name: &str,
        described: &str,
        parameters: Vec<String>,
    ) -> Option<&'static Method> {
        let described = self.intern_name(described);
        let (kinds, result) = descriptor::kinds(described)?;
        let mut body = Assembler::default();
        body.op(Op::Return);
        let locals = kinds.len() + 1;
        let mut method = Some(Method {
            id: MethodId(u32::MAX),
            name: self.intern_name(name),
            descriptor: described,
            // Subclasses neither override nor hide it.
            access: access::PRIVATE | access::SYNTHETIC,
            arguments: locals as u32,
            parameters: kinds,
            result,
            vindex: None,
            hidden: true,
            class: OnceLock::from(class),
            code: OnceLock::from(body.finish(locals, 1)),
            used: Default::default(),
            native: None,
            symbolic: None,
            watched: None,
            guide: None,
            names: Some(parameters.into()),
        });
        let at = self.methods.push_with(|index| {
            let method = Method { id: MethodId(index as u32), ..method.take().expect("called once") };
            Box::leak(Box::new(method))
        });
        Some(self.methods[at])
    }
}
