//! How do the methods of a class share the states that sequences of calls reach?

use std::sync::Arc;

use lazuli_reach::workshop::Workshop;
use lazuli_spec::parameter_classes;
use lazuli_vm::interp::Vm;
use lazuli_vm::program::{ClassId, Method, MethodId, Program, element_of};
use lazuli_vm::state::{Initialisation, State};

use crate::Config;
use crate::worker::pool::StatePool;

/// The states that calls lead to, for methods that are explored one after the other with the same configuration. Those of the last class are retained,
/// for each scope.
#[derive(Default)]
pub struct Pools {
    /// With the methods whose bodies the states came from, and the classes that were asked for the fields that they name.
    retained: Vec<(PoolKey, RetainedPool, Vec<&'static Method>, Vec<&'static str>)>,
}

/// A pool with the interpreter that its terms belong to.
pub(crate) struct RetainedPool {
    pub vm: Vm,
    /// The state in which no call was made.
    pub start: State,
    pub pool: StatePool,
}

/// Everything on which the states depend.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct PoolKey {
    target: ClassId,
    receiver: ClassId,
    classes: Vec<ClassId>,
    members: Vec<MethodId>,
    sinks: Vec<ClassId>,
    bounds: String,
    technique: String,
}

impl PoolKey {
    pub(crate) fn of(method: &'static Method, config: &Config, workshop: &Workshop) -> PoolKey {
        let mut classes: Vec<ClassId> = workshop.classes.iter().map(|class| class.id).collect();
        let mut members: Vec<MethodId> =
            workshop.constructors.iter().chain(&workshop.statics).map(|member| member.id).collect();
        classes.sort();
        members.sort();
        PoolKey {
            target: method.class().id,
            receiver: config.contract.receiver_of(method).id,
            classes,
            members,
            sinks: workshop.sinks.iter().map(|sink| sink.id).collect(),
            bounds: format!("{:?}", config.bounds),
            technique: config.technique.to_string(),
        }
    }
}

impl Pools {
    /// Takes the pool for a method out, if there is one.
    pub(crate) fn take(
        &mut self,
        key: &PoolKey,
        program: &Arc<Program>,
        method: &'static Method,
    ) -> Option<RetainedPool> {
        // Methods of one class come one after the other; what another one left takes memory only.
        self.retained.retain(|(known, retained, ..)| {
            known.receiver == key.receiver && Arc::ptr_eq(&retained.vm.program, program)
        });
        let at =
            self.retained.iter().position(|(known, retained, ..)| known == key && retained.is_ready_for(method))?;
        let (_, retained, used, asked) = self.retained.swap_remove(at);
        program.uses_again(&used);
        for class in asked.into_iter().filter_map(|name| program.load(name).ok()) {
            program.field_owners(class);
        }
        Some(retained)
    }

    /// Keeps a pool for the next method.
    pub(crate) fn put(&mut self, key: PoolKey, retained: RetainedPool) {
        let (used, asked) = (retained.vm.program.used(), retained.vm.program.asked_for_owners());
        self.retained.push((key, retained, used, asked));
    }
}

impl RetainedPool {
    /// Are the classes initialised of which the method may get objects?
    fn is_ready_for(&self, method: &'static Method) -> bool {
        let parameters = parameter_classes(&self.vm.program, method).unwrap_or_default();
        let is_done = |id| self.start.classes.slot(id).initialisation == Initialisation::Done;
        parameters
            .into_iter()
            .map(element_of)
            .all(|declared| !declared.is_users() || declared.is_interface() || is_done(declared.id))
    }
}
