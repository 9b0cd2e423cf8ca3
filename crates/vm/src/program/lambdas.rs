//! Behind which interfaces of the class path do its own lambdas stand?
//!
//! A lambda has no class file, so that no list of classes has it. Where an interface has lambdas and classes that implement it, the classes alone do not
//! show how its objects behave.

use lazuli_classfile::lambda_types;

use super::open::Possible;
use super::{Class, Program};

impl Program {
    /// May an object of these classes be one of a lambda or a method reference of the class path?
    pub fn may_be_lambda(&self, possible: &Possible) -> bool {
        let fits = |interface: &&'static Class| {
            let mut above = possible.also.iter().chain([&possible.bound]);
            above.all(|above| interface.is_subtype_of(above))
                && !possible.not.iter().any(|not| interface.is_subtype_of(not))
        };
        possible.others && possible.bound.is_interface() && self.lambda_interfaces().iter().any(fits)
    }

    /// The interfaces of the class path that its lambdas implement.
    fn lambda_interfaces(&self) -> &[&'static Class] {
        self.lambdas.get_or_init(|| {
            let names = self.users().iter().filter_map(|class| class.bytes).flat_map(lambda_types);
            let mut found: Vec<&'static Class> = names.filter_map(|name| self.load(&name).ok()).collect();
            found.retain(|class| class.is_users());
            found.sort_by_key(|class| class.name);
            found.dedup_by_key(|class| class.id);
            found
        })
    }
}
