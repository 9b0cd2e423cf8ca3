//! In which ways may a question about an input be answered, if every reference is decided as soon as it is read?

use lazuli_logic::Terms;

use super::{
    Bounds, Objects, Reference, ReferenceOrigin, Restriction, may_become, may_hold, may_hold_null, may_hold_read,
    never_null, objects,
};
use crate::outcome::{Answer, LeftOut, MOST_ELEMENTS, Place, Question};
use crate::program::{Class, Program};
use crate::state::State;
use crate::value::UnknownId;

/// Everything that the answers depend on besides the state.
pub struct Cx<'a> {
    /// The classes that objects may have.
    pub program: &'a Program,
    /// The table in which negated conditions are built.
    pub terms: &'a mut Terms,
    /// The scope of the inputs.
    pub bounds: &'a Bounds,
}

/// The ways in which a question may be answered.
#[derive(Default)]
pub struct Alternatives {
    /// The answers; together they cover all inputs within the bounds.
    pub answers: Vec<Answer>,
    /// The restrictions that left an answer out, or kept one small.
    pub beyond: Vec<Restriction>,
    /// A type of which no object is known, so that only null is left: nothing can be said of the others.
    pub void: Option<&'static Class>,
}

/// Every answer that decides the question now: lazy initialization. The invariant's own questions are answered so under all techniques.
pub fn alternatives(cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
    match question {
        Question::Read { place, declared } => {
            let depth = state.symbols.input(place.object).map_or(0, |owner| owner.depth + 1);
            let guarantee = never_null(cx.program, cx.bounds, state, *place);
            let may_be_null = may_hold_null(state, *place) && guarantee.is_none();
            let generic = state.generic_at(cx.program, *place);
            let generic = generic.as_deref();
            // An object that a call made refers to what the call could get at.
            let call = state.symbols.written_by_call(place.object);
            let origin = Some(ReferenceOrigin::Held(*place));
            let reference = Reference { declared, generic, may_be_null, depth, is_callers: false, call, origin };
            let mut found = held(objects_of(cx, state, reference), state, *place);
            found.beyond.extend(guarantee);
            found
        }
        Question::Deref(id) => {
            let unknown = state.symbols.unknown(*id);
            let found = objects_of(cx, state, undecided(state, *id));
            match unknown.place {
                Some(place) => held(found, state, place),
                None => found,
            }
        }
        other => plain_answers(cx, state, other),
    }
}

/// Drops the objects that the place cannot hold.
fn held(mut found: Alternatives, state: &State, place: Place) -> Alternatives {
    found.answers.retain(|answer| !matches!(answer, Answer::Alias(object) if !may_hold(state, place, *object)));
    found
}

/// The answers to a question that do not depend on the technique.
fn plain_answers(cx: &mut Cx, state: &State, question: &Question) -> Alternatives {
    let mut beyond = Vec::new();
    let answers = match question {
        Question::Branch(condition) => {
            let negation = cx.terms.not(*condition);
            vec![Answer::Assume(*condition), Answer::Assume(negation)]
        }
        Question::Cases(cases) => cases.iter().map(|case| Answer::Assume(*case)).collect(),
        Question::Length { length, is_nested } => {
            let most = i32::try_from(cx.bounds.length()).unwrap_or(MOST_ELEMENTS).min(MOST_ELEMENTS);
            if cx.terms.range(*length).1 > most as i64 {
                let most = most as usize;
                beyond.push(if *is_nested { Restriction::Rows { most } } else { Restriction::ArrayLength { most } });
            }
            let mut is_long = |elements| {
                let number = cx.terms.int(elements);
                Answer::Assume(cx.terms.equal(*length, number))
            };
            (0..=most).map(&mut is_long).collect()
        }
        Question::Null(id) => {
            let found = objects_of(cx, state, undecided(state, *id));
            if found.answers.iter().all(|answer| matches!(answer, Answer::Null)) {
                return Alternatives { answers: vec![Answer::Null], ..found };
            }
            vec![Answer::Null, Answer::NotNull]
        }
        Question::Class { object, parts, left_out } => {
            match left_out {
                LeftOut::Nothing => {}
                LeftOut::Elsewhere => beyond.push(Restriction::ClassPath),
                LeftOut::Represented { declared, by } => {
                    beyond.extend(by.iter().map(|class| Restriction::represented(declared, class)))
                }
            }
            let was = state.heap.class(*object);
            // An exception that code threw which is not there is no input, and of any class.
            let is_made = |part| state.symbols.input(*object).is_some() && cx.bounds.is_made_by_calls(part);
            let is_fitting = |part: &'static Class| {
                may_become(cx.program, state, *object, part)
                    && state
                        .symbols
                        .input(*object)
                        .is_none_or(|input| may_hold_read(cx.program, state, input, part, None))
            };
            let may_be = |part: &&&'static Class| is_fitting(part) && !is_made(part);
            let parts: Vec<&'static Class> = parts.iter().filter(may_be).copied().collect();
            beyond.extend(parts.iter().filter_map(|part| Restriction::length(cx.program, cx.bounds, was, part)));
            parts.iter().map(|part| Answer::Narrow(part)).collect()
        }
        Question::Schedule { threads, .. } => threads.iter().map(|number| Answer::Run(*number)).collect(),
        Question::Choose(ways) => (0..*ways).map(Answer::Choose).collect(),
        Question::Read { .. } | Question::Deref(_) => Vec::new(),
    };
    Alternatives { answers, beyond, void: None }
}

fn undecided(state: &State, id: UnknownId) -> Reference<'_> {
    let unknown = state.symbols.unknown(id);
    // More may be known since about the object that holds it.
    let call = match unknown.place {
        Some(place) => state.symbols.written_by_call(place.object),
        None => unknown.call,
    };
    Reference { origin: Some(ReferenceOrigin::Undecided(id)), call, ..Reference::from(unknown) }
}

/// The objects that a reference may denote.
fn objects_of(cx: &Cx, state: &State, reference: Reference) -> Alternatives {
    let Objects { answers, restrictions, is_void } = objects(cx.program, cx.bounds, state, &reference);
    Alternatives { answers, beyond: restrictions, void: is_void.then_some(reference.declared) }
}
