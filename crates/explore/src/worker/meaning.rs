//! What does an exception mean to the author of the target: a defect, a rejection, or a null argument?
//!
//! The data flow of the example's run decides ([`Flow`]). Exceptions that the virtual machine or the library raises are defects, unless the
//! null that they are about is an argument of the target as it came, or was handed over by the code around: to a call that made the input, or inside of an array or collection. An exception that the user's code makes and throws is a *rejection*,
//! as long as it says no to something that was there at entry. Who says no is the *speaker*: the innermost call that is no helper of its
//! caller. What it says no to is the condition that was decided last before the exception was made.
//!
//! - The speaker is the target: it rejects its input. Only a condition that depends on constants of the target alone, handed to a helper,
//!   is a defect: `push(-1)`.
//! - The speaker is another operation, such as `ledger.post(amount)`: that is a rejection if everything that the condition depends on is an
//!   argument of the target or the contents of the heap at entry, unchanged. If the target, or what it called before, has computed
//!   a part of it (`ledger.post(-1)`, `ledger.post(amount - fee)`, `range.next()` after `range.next()`), the target has provoked the exception: a defect.
//!
//! `docs/src/explanation/verdicts.md` tells users the same.

use std::collections::HashSet;

use lazuli_vm::interp::{Activation, Flow, Origin, OriginId, ThrowContext, Vm};
use lazuli_vm::program::{Class, Method, Op, Program, access, descriptor};
use lazuli_vm::state::State;
use lazuli_vm::value::{Kind, ObjId};

use crate::report::FindingKind;

/// The meaning of an exception.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Meaning {
    /// A defect, a rejection or a null argument.
    pub kind: FindingKind,
    /// The argument of the target that is null, the receiver included in the count. None where null was handed to an earlier call, or lies inside of an argument.
    pub null_argument: Option<u32>,
    /// Does every such exception from this place mean the same, whatever the input is?
    pub is_everywhere: bool,
}

impl Meaning {
    /// Of everything about which nothing better is known.
    pub(super) const DEFECT: Meaning = Meaning { kind: FindingKind::Defect, null_argument: None, is_everywhere: true };
}

/// Judges the exception that ended a run.
pub(super) fn meaning(vm: &Vm, flow: &Flow, target: &'static Method, state: &State, exception: ObjId) -> Meaning {
    let class = state.heap.class(exception);
    let Some(thrown) = flow.thrown(exception) else { return Meaning::DEFECT };
    let is_a = |name: &str| class.chain().any(|class| class.name == name);
    let is_unchecked = is_a("java/lang/RuntimeException") || is_a("java/lang/Error");
    // An initialiser that fails says nothing about arguments, and a method rejects arguments only by exceptions that its callers may expect.
    if is_a("java/lang/AssertionError") || is_a("java/lang/ExceptionInInitializerError") || !is_unchecked {
        return Meaning::DEFECT;
    }
    let judge = Judge { program: &vm.program, flow, thrown };
    if is_a("java/lang/NullPointerException")
        && let Some(argument) = judge.null_argument(target)
    {
        let null_argument = match argument {
            NullSource::Parameter(number) => Some(number),
            NullSource::HandedOver => None,
        };
        return Meaning { kind: FindingKind::NullArgument, null_argument, is_everywhere: false };
    }
    if is_a("java/lang/ClassCastException") && judge.is_incomparable() {
        return Meaning { kind: FindingKind::Rejection, null_argument: None, is_everywhere: false };
    }
    match judge.is_rejection() {
        // The code of the target itself throws: no value matters to that.
        true => Meaning { kind: FindingKind::Rejection, null_argument: None, is_everywhere: thrown.calls.len() == 1 },
        false => Meaning::DEFECT,
    }
}

struct Judge<'a> {
    program: &'a Program,
    flow: &'a Flow,
    thrown: &'a ThrowContext,
}

/// The moments from which the operands of a condition come.
#[derive(Clone, Copy, Default)]
struct Dependencies {
    /// On something that was there at entry, as it was.
    has_entry: bool,
    /// On something that was made before the call, and after the entry.
    has_produced: bool,
}

impl Dependencies {
    fn is_empty(self) -> bool {
        !self.has_entry && !self.has_produced
    }
}

/// Where a null comes from that the code around is responsible for.
#[derive(Clone, Copy)]
enum NullSource {
    /// An argument of the target.
    Parameter(u32),
    /// An argument of an earlier call, or a part of an argument.
    HandedOver,
}

impl Judge<'_> {
    /// The null of the code around that the exception is about, if it is about one.
    fn null_argument(&self, target: &'static Method) -> Option<NullSource> {
        let calls = &self.thrown.calls;
        let nulls: Vec<OriginId> = match self.thrown.is_explicit {
            false => self.thrown.nulls.to_vec(),
            // The library looks at what it is given, and says so.
            true if !is_users(calls.last()?.method) && !self.is_deliberate_check() => {
                let innermost = calls.last()?.number;
                let guards = &self.flow.guards()[..self.thrown.guards];
                guards.iter().rev().find(|guard| guard.activation == innermost)?.operands.to_vec()
            }
            true => return None,
        };
        nulls.into_iter().find_map(|origin| match self.flow.origin(origin) {
            Origin::Parameter(0) if !target.is_static() => None,
            Origin::Parameter(number) => Some(NullSource::Parameter(*number)),
            Origin::HandedNull => Some(NullSource::HandedOver),
            _ => None,
        })
    }

    /// Did `compareTo` get an object of another class, which the caller had handed over? The bridge method that javac makes for `Comparable<T>` casts its argument;
    /// code that compares two of its arguments with each other says no to such a pair.
    fn is_incomparable(&self) -> bool {
        let Some(innermost) = self.thrown.calls.last() else { return false };
        let is_bridge = innermost.method.access & access::SYNTHETIC != 0 && innermost.method.name == "compareTo";
        is_bridge
            && !self.thrown.is_explicit
            && innermost.arguments.iter().all(|origin| self.is_as_at_entry(Some(origin)))
    }

    fn is_rejection(&self) -> bool {
        let calls = &self.thrown.calls;
        let Some(innermost) = calls.last() else { return false };
        if !self.thrown.is_explicit || (!is_users(innermost.method) && !self.is_deliberate_check()) {
            return false;
        }
        let mut speaker = calls.len() - 1;
        // The innermost of the target's own helpers that is more than a check.
        let mut helper = None;
        while speaker > 0 && self.is_helper(speaker) {
            if is_users(calls[speaker].method) && !self.is_check(calls[speaker].method, 0) {
                helper.get_or_insert(speaker);
            }
            speaker -= 1;
        }
        if speaker > 0 {
            return match self.deciding(speaker, calls[speaker].born) {
                Some((sources, _)) => !sources.has_produced,
                // It always throws: the target should not have called it, unless the class of an input says so.
                None => !calls[speaker].method.is_static() && self.is_as_at_entry(calls[speaker].arguments.first()),
            };
        }
        let Some(helper) = helper else { return true };
        match self.deciding(helper, calls[helper].born) {
            Some((sources, operands)) => !sources.has_produced || self.sources(&operands, 0).has_entry,
            None => true,
        }
    }

    fn is_as_at_entry(&self, origin: Option<&OriginId>) -> bool {
        origin.is_some_and(|origin| {
            matches!(self.flow.origin(*origin), Origin::Entry | Origin::Parameter(_) | Origin::HandedNull)
        })
    }

    /// The condition that was decided last before the exception was made, in a call or within it, and that depends on anything.
    /// Calls that are still active come first: what was asked to make the message says nothing.
    fn deciding(&self, call: usize, born: OriginId) -> Option<(Dependencies, Vec<OriginId>)> {
        let calls = &self.thrown.calls;
        let active: HashSet<u32> = calls[call..].iter().map(|call| call.number).collect();
        let guards = &self.flow.guards()[calls[call].first_guard.min(self.thrown.guards)..self.thrown.guards];
        let depends = |operands: &[OriginId]| {
            let sources = self.sources(operands, born);
            (!sources.is_empty()).then(|| (sources, operands.to_vec()))
        };
        let is_active = |number: u32| active.contains(&number);
        let first = guards.iter().rev().filter(|guard| is_active(guard.activation));
        let others = guards.iter().rev().filter(|guard| !is_active(guard.activation));
        first.chain(others).find_map(|guard| depends(&guard.operands))
    }

    /// Collects the dependencies of operands by a walk over the data flow, seen from a call before which there were `born` origins.
    fn sources(&self, operands: &[OriginId], born: OriginId) -> Dependencies {
        let mut sources = Dependencies::default();
        let (mut seen, mut waiting) = (HashSet::new(), operands.to_vec());
        while let Some(origin) = waiting.pop() {
            if !seen.insert(origin) {
                continue;
            }
            match self.flow.origin(origin) {
                Origin::Entry | Origin::Parameter(_) | Origin::HandedNull => sources.has_entry = true,
                Origin::Constant | Origin::Computed(_) if origin < born => sources.has_produced = true,
                Origin::Constant => {}
                Origin::Computed(of) => waiting.extend(of.iter().copied()),
            }
        }
        sources
    }

    /// Is the innermost call of the library one by which the user's code checks something, such as `Objects.requireNonNull`?
    fn is_deliberate_check(&self) -> bool {
        let calls = &self.thrown.calls;
        let Some(user) = calls.iter().rposition(|call| is_users(call.method)) else { return false };
        calls.get(user + 1).is_some_and(|call| is_check_of_library(call.method) && !call.is_compilers)
    }

    /// Does a call only serve its caller?
    fn is_helper(&self, at: usize) -> bool {
        let Activation { method, .. } = &self.thrown.calls[at];
        if !is_users(method) || method.access & access::SYNTHETIC != 0 {
            return true;
        }
        let Some(caller) = self.thrown.calls[..at].iter().rev().find(|call| is_users(call.method)) else {
            return false;
        };
        let (own, calling) = (method.class(), caller.method.class());
        let is_hidden = method.access & access::PUBLIC == 0 && own.id == calling.id
            || method.is_private() && outermost(own) == outermost(calling);
        let is_own = method.is_static() || calling.is_subtype_of(own);
        method.name != "<init>" && (is_hidden || (is_own && self.is_check(method, 0)))
    }

    /// Does a method do nothing but look at its arguments, and throw? It changes nothing, and has no result but an argument.
    fn is_check(&self, method: &'static Method, depth: usize) -> bool {
        let Some((parameters, result)) = descriptor::method(method.descriptor) else { return false };
        let is_mute = method.result == Kind::Void || parameters.contains(&result);
        let Ok(code) = self.program.code(method) else { return false };
        let is_harmless = |op: &Op| match op.unfused() {
            Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore => false,
            Op::InvokeVirtual(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site) | Op::InvokeInterface(site) => {
                let call = &code.calls[site as usize];
                match call.resolved.get() {
                    // It was not executed: what it would do says nothing about this exception, but about the method.
                    None => is_question(call.class, call.name),
                    Some(called) if !is_users(called) => is_question(call.class, call.name),
                    Some(called) => is_exception(called.class()) || (depth < 3 && self.is_check(called, depth + 1)),
                }
            }
            _ => true,
        };
        is_mute && method.name != "<init>" && code.ops.iter().all(is_harmless)
    }
}

/// The user's own code, and not the class by which it speaks to Lazuli.
fn is_users(method: &Method) -> bool {
    method.class().is_users() && method.class().name != "lazuli/Lazuli"
}

fn is_exception(class: &'static Class) -> bool {
    class.chain().any(|class| class.name == "java/lang/Throwable")
}

fn is_check_of_library(method: &Method) -> bool {
    method.class().name == "java/util/Objects"
        && (method.name.starts_with("require") || method.name.starts_with("check"))
}

/// A call of the library, or one that was never executed, that changes nothing: by its name, because it only decides who speaks.
fn is_question(class: &str, name: &str) -> bool {
    let is_throwable = name == "<init>" && (class.ends_with("Exception") || class.ends_with("Error"));
    let is_plain = class.starts_with("java/lang/") || class == "java/util/Objects";
    let asks =
        ["isEmpty", "size", "contains", "containsKey", "length", "get", "equals", "hashCode", "hasNext", "isPresent"];
    is_throwable || is_plain || asks.contains(&name)
}

/// `Outer` of `Outer$Inner`.
fn outermost(class: &Class) -> &str {
    class.name.split('$').next().unwrap_or(class.name)
}
