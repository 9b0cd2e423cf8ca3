//! How is an object of the library made in the middle of an instruction?
//!
//! The code of its recipe runs in a frame above the instruction that asked. When it returns, the reference is decided and the instruction runs
//! again. Nothing else runs between, so that what the code left behind is what was there at entry.

use std::rc::Rc;

use super::Vm;
use crate::frame::{Frame, Purpose};
use crate::heap::Body;
use crate::library::BuiltObject;
use crate::outcome::{End, Stop};
use crate::program::{Class, access};
use crate::state::State;
use crate::symbols::{BuildTarget, Entry, Input, PendingBuild, Unknown};
use crate::value::{Kind, ObjId, Value};

impl Vm {
    /// Begins to make an object with that many elements.
    pub(super) fn begin_build(&mut self, state: &mut State, mut build: PendingBuild, size: usize) {
        let constants = build.recipe.constants_of(build.generic.as_deref());
        let Some(script) = self.program.script(build.recipe, size, constants) else { return };
        let code = self.program.code(script).expect("scripts have code");
        let parameters = build.recipe.parameters(&self.program, build.generic.as_deref(), size);
        let mut looked_at = parameters.iter().step_by(build.recipe.values_of_element());
        let may_change = looked_at.any(|parameter| !self.is_constant(parameter.declared.class));
        let arguments: Vec<Value> = parameters
            .into_iter()
            .map(|parameter| {
                let name = format!("{}{}", build.name, parameter.label);
                state.symbols.add_unknown(Unknown {
                    name: name.as_str().into(),
                    declared: parameter.declared.class,
                    generic: Some(Rc::new(parameter.declared)),
                    may_be_null: parameter.may_be_null,
                    depth: build.depth + 1,
                    is: None,
                    is_callers: false,
                    place: None,
                    call: None,
                })
            })
            .collect();
        let is_past = state.symbols.passed.is_some_and(|passed| match build.target {
            // An argument of the call that runs, and not a part of one.
            BuildTarget::Unknown(id) => build.depth > 0 || (id.0 as usize) < passed,
            BuildTarget::Place(_) => true,
        });
        build.is_late = build.recipe.looks_at_elements() && may_change && (is_past || !state.is_as_at_entry());
        let base = state.thread.top();
        let end = base + code.registers as usize;
        if state.thread.stack.len() < end {
            state.thread.stack.resize(end.next_power_of_two(), Value::Top);
        }
        state.thread.stack[base..end].fill(Value::Top);
        state.thread.stack[base..base + arguments.len()].copy_from_slice(&arguments);
        state.symbols.pending_builds.push(build);
        state.thread.frames.push(Frame {
            method: script,
            code,
            base: base as u32,
            pc: 0,
            sp: code.locals,
            purpose: Purpose::Make,
            synchronized: None,
        });
    }

    /// The code of a recipe has returned an object: it is an input from now on.
    pub(super) fn finish_build(&mut self, state: &mut State, frame: &Frame, value: Value) -> Result<(), Stop> {
        let (Some(build), Some(object)) = (state.symbols.pending_builds.pop(), value.object()) else {
            return Err(
                End::Malformed { what: "a recipe made nothing".into(), at: self.describe_position(state) }.into()
            );
        };
        let base = frame.base as usize;
        let arguments = state.thread.stack[base..base + frame.method.arguments as usize].into();
        let PendingBuild { target, recipe, name, depth, declared, generic, is_late } = build;
        if is_late {
            return Err(self.unsupported(state, "a collection whose elements may have changed before it was looked at"));
        }
        self.keep_parts(state, object);
        if state.symbols.input(object).is_none() {
            let constants = recipe.constants_of(generic.as_deref());
            let entry = Entry::Built(Rc::new(BuiltObject { recipe, arguments, constants }));
            state.add_input(Input { object, name, depth, counted: declared, generic, entry });
        }
        match target {
            BuildTarget::Unknown(id) => {
                state.symbols.unknown_mut(id).is = Some(Some(object));
                state.symbols.forks.clear();
            }
            BuildTarget::Place(place) => state.set_entry(place, object.into()),
        }
        match state.thread.frames.is_empty() {
            // The question was not that of an instruction.
            true => Err(End::Returned(Value::Top).into()),
            false => Ok(()),
        }
    }

    /// Are all objects of this type always the same to those who look at them?
    fn is_constant(&self, declared: &'static Class) -> bool {
        declared.is_box || declared.id == self.program.known().string.id || declared.access & access::ENUM != 0
    }

    /// Remembers what an object of the library consists of, as it is now: so it was at entry.
    fn keep_parts(&self, state: &mut State, object: ObjId) {
        let mut parts: Vec<ObjId> = vec![object];
        let mut at = 0;
        while let Some(&part) = parts.get(at) {
            at += 1;
            let values: &[Value] = match &state.heap.get(part).body {
                Body::Fields(values) | Body::Refs(values) => values,
                _ => continue,
            };
            for value in values {
                if let Value::Ref(Some(inner)) = state.symbols.settled(*value)
                    && !parts.contains(&inner)
                    && self.is_part(state, inner)
                {
                    parts.push(inner);
                }
            }
        }
        let heap = Rc::new(state.heap.clone());
        let later = Rc::make_mut(&mut state.symbols.later);
        later.retain(|(known, _)| !parts.contains(known));
        later.extend(parts.into_iter().map(|part| (part, heap.clone())));
    }

    /// Is it a private part of an object of the library? Inputs and what was there before all paths are not.
    fn is_part(&self, state: &State, object: ObjId) -> bool {
        let class = state.heap.class(object);
        let known = self.program.known();
        let is_value = class.is_box || class.id == known.string.id || class.id == known.class.id;
        let was_there = state.symbols.origin.as_ref().is_some_and(|origin| origin.contains(object));
        let is_plain = !class.is_users() && class.access & access::ENUM == 0;
        let is_array = class.component_kind() == Some(Kind::Reference);
        (is_array || (is_plain && !class.is_array() && !is_value))
            && !was_there
            && state.symbols.input(object).is_none()
    }
}
