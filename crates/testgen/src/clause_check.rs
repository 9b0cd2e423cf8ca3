//! Is a clause of JML violated by the execution of a plan, and can a program see it?
//!
//! A program cannot see all that the interpreter sees of the time before the call: objects that only the JDK refers to, and what objects of the
//! JDK's classes hold. Where a clause could depend on such things, no program is made.

use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_spec::typed::{Typed, TypedNode};
use lazuli_spec::{ClauseMeaning, CompiledClause, EndValues, Obligation, Specification};
use lazuli_vm::heap::{Body, Heap};
use lazuli_vm::interp::Vm;
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, access};
use lazuli_vm::state::{Initialisation, State};
use lazuli_vm::symbols::{Entry, Input};
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::NoPlan;

/// A clause that is violated, and the values that a program needs to evaluate it.
#[derive(Clone, Debug)]
pub struct ViolatedClause {
    /// As the specification has it.
    pub clause: CompiledClause,
    /// The values from before the call that clauses may ask for. None where computing one throws.
    pub olds: Vec<Option<Typed>>,
    /// The classes whose static fields were there before the call and may change.
    pub statics: Vec<&'static Class>,
}

/// The state before the call, as far as clauses refer to it.
pub(crate) struct PreState {
    olds: Vec<Option<Value>>,
    past: Rc<Heap>,
    /// The objects that a program can reach from the arguments and from the static fields of the user's classes.
    visible: BTreeSet<ObjId>,
    statics: Vec<&'static Class>,
}

impl PreState {
    /// Computes the values of `\old` and the visible objects.
    pub(crate) fn new(
        vm: &mut Vm,
        state: &mut State,
        specification: &Specification,
        given: &[Value],
    ) -> Result<PreState, NoPlan> {
        let mut olds = Vec::new();
        for old in &specification.olds {
            let stop = vm.call(state, old, given);
            state.thread = Default::default();
            olds.push(match stop {
                Stop::End(End::Returned(value)) => Some(value),
                Stop::End(End::Threw(_)) => None,
                _ => return Err(NoPlan::OldValue),
            });
        }
        let is_there = |class: &&'static Class| {
            let slot = state.classes.slot(class.id);
            matches!(slot.initialisation, Initialisation::Done) && slot.mirror.is_some()
        };
        let classes: Vec<&'static Class> = vm.program.users().iter().copied().filter(is_there).collect();
        let mirrors = classes.iter().filter_map(|class| state.classes.slot(class.id).mirror);
        let roots = mirrors.map(Value::from).chain(given.iter().copied());
        let visible = reached(vm, &state.heap, roots.collect());
        let may_change = |class: &&'static Class| {
            let mut fields =
                class.fields.iter().filter(|field| field.is_static() && field.access & access::SYNTHETIC == 0);
            fields.any(|field| field.access & access::FINAL == 0 || field.kind == Kind::Reference)
        };
        let statics = classes.into_iter().filter(may_change).collect();
        Ok(PreState { olds, past: Rc::new(state.heap.clone()), visible, statics })
    }

    /// Does the clause hold at this end? The error says why a program could not see it.
    pub(crate) fn holds(
        &self,
        vm: &mut Vm,
        ended: &State,
        end: &End,
        given: &[Value],
        clause: &CompiledClause,
        (specification, obligations): (&Specification, &[Obligation]),
    ) -> Result<bool, NoPlan> {
        self.check_visible(vm, ended, end, given, clause)?;
        let owed = obligations.iter().find(|owed| owed.method.id == clause.method.id);
        let given_then = EndValues { arguments: given, end, olds: &self.olds };
        let arguments = owed.map_or(Vec::new(), |owed| owed.values(&given_then, &specification.olds));
        let mut state = ended.fork();
        state.thread = Default::default();
        state.symbols.past = Some(self.past.clone());
        state.symbols.inputs = Rc::new(self.inputs());
        match vm.call(&mut state, clause.method, &arguments) {
            Stop::End(End::Returned(Value::Int(1))) => Ok(true),
            Stop::End(End::Returned(Value::Int(0)) | End::Threw(_)) => Ok(false),
            _ => Err(NoPlan::ClauseWithoutEnd { kind: clause.kind.to_string(), at: clause.at().to_string() }),
        }
    }

    pub(crate) fn violated(self, clause: &CompiledClause, specification: &Specification) -> ViolatedClause {
        let olds = specification.old_values.iter().zip(&self.olds);
        let olds = olds.map(|(said, value)| value.map(|_| said.clone())).collect();
        ViolatedClause { clause: clause.clone(), olds, statics: self.statics }
    }

    fn check_visible(
        &self,
        vm: &Vm,
        ended: &State,
        end: &End,
        given: &[Value],
        clause: &CompiledClause,
    ) -> Result<(), NoPlan> {
        if let ClauseMeaning::Frame(..) = &*clause.meaning {
            let is_hidden = |object: &&ObjId| {
                let class = self.past.class(**object);
                !class.is_users() && !class.is_array() && class.id != vm.program.known().class.id
            };
            let is_changed = |object: &&ObjId| match (&self.past.get(**object).body, &ended.heap.get(**object).body) {
                (Body::Fields(then), Body::Fields(now)) => then != now,
                _ => true,
            };
            if let Some(object) = self.visible.iter().filter(is_hidden).find(is_changed) {
                let class = self.past.class(*object).java_name();
                return Err(NoPlan::HiddenChange { class });
            }
        }
        if clause.meaning.any(&mut |part| matches!(part.node, TypedNode::Fresh(_) | TypedNode::Past(..))) {
            let outcome = match end {
                End::Returned(value) => Some(*value),
                End::Threw(exception) => Some(Value::from(*exception)),
                _ => None,
            };
            let now = reached(vm, &ended.heap, given.iter().copied().chain(outcome).collect());
            let is_unseen = |object: &&ObjId| self.past.contains(**object) && !self.visible.contains(*object);
            if let Some(object) = now.iter().find(is_unseen) {
                let class = self.past.class(*object).java_name();
                return Err(NoPlan::HiddenObject { class });
            }
        }
        Ok(())
    }

    /// The objects before the call, as the natives of clauses read them.
    fn inputs(&self) -> Vec<Input> {
        let input = |object: &ObjId| {
            let class = self.past.class(*object);
            let entry = match &self.past.get(*object).body {
                Body::Fields(fields) => Entry::Fields(fields.iter().copied().collect()),
                _ => {
                    let length = self.past.length(*object).unwrap_or(0) as i32;
                    let element = |at| Some((Value::Int(at), self.past.element(*object, at)?));
                    Entry::Elements(Rc::new((0..length).filter_map(element).collect()))
                }
            };
            Input { object: *object, name: "".into(), depth: 0, counted: class, generic: None, entry }
        };
        self.visible.iter().filter(|object| self.past.class(**object).name != "java/lang/Class").map(input).collect()
    }
}

/// The objects that can be reached from these. Of the mirror of a class, static fields are followed.
fn reached(vm: &Vm, heap: &Heap, roots: Vec<Value>) -> BTreeSet<ObjId> {
    let known = vm.program.known();
    let mut found: BTreeSet<ObjId> = BTreeSet::new();
    let mut waiting = roots;
    while let Some(value) = waiting.pop() {
        let Value::Ref(Some(object)) = value else { continue };
        let class = heap.class(object);
        let is_machines = matches!(class.name, "java/lang/Thread" | "java/lang/String");
        if is_machines || !found.insert(object) {
            continue;
        }
        match &heap.get(object).body {
            Body::Fields(fields) if class.id == known.class.id => {
                waiting.extend(fields.iter().skip(known.first_static_slot as usize))
            }
            Body::Fields(values) | Body::Refs(values) => waiting.extend(values.iter()),
            _ => {}
        }
    }
    found
}
