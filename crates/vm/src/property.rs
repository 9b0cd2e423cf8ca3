//! What must never happen over time, and how far has a path come towards it?
//!
//! A [`Property`] is a finite automaton over *events*: calls, returns, exceptions, writes of fields, monitors that are entered and left, ends. A path
//! that leads it into an error is a violation (the temporal specifications of Khurshid, Păsăreanu and Visser, TACAS 2003, section 1). The automaton is
//! deterministic: of the moves of a state, the first that matches an event counts, and an event that none matches leaves it where it is.
//!
//! There may be an automaton for each object that events are about, for each thread, or for each pair of these. One that is in its first state
//! is not kept: that is where an object stands of which no event was seen. So a state of the interpreter keeps few of them, and two states in which
//! all automata stand alike are alike.

use std::fmt;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::frame::HeldMonitor;
use crate::heap::Heap;
use crate::program::{Class, ClassId, Method, access};
use crate::threads::ThreadNumber;
use crate::value::ObjId;

/// The most patterns of one property: sets of them are bits of a word.
pub const MOST_PATTERNS: usize = 64;

/// The bridge methods that javac adds for generic types have this flag (JVMS §4.6); of fields it means volatile.
const BRIDGE: u16 = access::VOLATILE;

/// The kind of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EventKind {
    /// A method is entered.
    Call,
    /// A method is left with or without a result.
    Return,
    /// A method is left by an exception.
    Throw,
    /// A `putfield` or `putstatic` instruction has written a field.
    Write,
    /// The monitor of an object is entered that the thread did not hold.
    Lock,
    /// The monitor of an object is left for good, or for the time of a wait.
    Unlock,
    /// The thread ends; of automata that are no thread's, the run ends.
    End,
}

/// The events that a move of an automaton is about.
#[derive(Clone, Debug)]
pub struct EventPattern {
    /// Their kind.
    pub kind: EventKind,
    /// The thing that they are about.
    pub subject: EventSubject,
    /// Only while the thread holds the monitor of an object of this class.
    pub holding: Option<&'static Class>,
}

/// The thing that events are about.
#[derive(Clone, Debug)]
pub enum EventSubject {
    /// These methods of objects of the class, and what overrides them.
    Methods(&'static Class, Vec<NamedMethod>),
    /// A field, by the class that declares it and its slot.
    Field {
        /// The class.
        class: &'static Class,
        /// The slot.
        slot: u32,
        /// Is it one of the class itself?
        is_static: bool,
    },
    /// The monitor of an object of the class.
    Monitor(&'static Class),
    /// Nothing: an end.
    Nothing,
}

/// A method by name and number of parameters: generic types give one method several descriptors.
#[derive(Clone, Debug)]
pub struct NamedMethod {
    /// The name; `<init>` for constructors.
    pub name: &'static str,
    /// The number of parameters.
    pub parameters: usize,
    /// The class that declares it, of a method that none overrides: static, private, or a constructor.
    pub exactly: Option<ClassId>,
}

/// A property that must hold at all times.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name that the user gave it.
    pub name: String,
    /// Is there an automaton for each object?
    pub by_object: bool,
    /// Is there an automaton for each thread?
    pub by_thread: bool,
    /// The patterns of all moves.
    pub patterns: Vec<EventPattern>,
    /// The states; the first is the one in which an automaton begins.
    pub states: Vec<AutomatonState>,
}

/// A state of an automaton.
#[derive(Clone, Debug)]
pub struct AutomatonState {
    /// The name that the user gave it.
    pub name: String,
    /// The ways out, of which the first that matches is taken.
    pub moves: Vec<AutomatonMove>,
}

/// A way out of a state.
#[derive(Clone, Debug)]
pub struct AutomatonMove {
    /// The pattern, by its number.
    pub pattern: usize,
    /// Where it leads.
    pub target: MoveTarget,
}

/// Where a move leads.
#[derive(Clone, Debug)]
pub enum MoveTarget {
    /// To a state, by its number.
    State(usize),
    /// To an error, with the user's words for it.
    Error(String),
}

/// All properties of a request. They are told apart by the text that they were read from.
pub struct Properties {
    /// The properties.
    pub all: Vec<Property>,
    /// The text.
    pub text: String,
}

impl fmt::Debug for Properties {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.text.fmt(formatter)
    }
}

/// Is an event about what a pattern names?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EventMatch {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// The class of an object decides that, and is not known.
    Undecided,
}

impl Property {
    /// Is there one automaton for several threads?
    pub fn is_shared(&self) -> bool {
        !self.by_thread
    }
}

impl EventSubject {
    /// Is a method that runs on an object of the class one of these?
    pub fn matches_method(&self, method: &Method, receiver: Option<&'static Class>) -> EventMatch {
        let EventSubject::Methods(class, methods) = self else { return EventMatch::No };
        if is_bridge(method) {
            return EventMatch::No;
        }
        let is_named = |named: &NamedMethod| {
            named.name == method.name
                && named.parameters == method.parameters.len()
                && named.exactly.is_none_or(|declaring| declaring == method.class().id)
        };
        let Some(named) = methods.iter().find(|named| is_named(named)) else { return EventMatch::No };
        match receiver {
            _ if named.exactly.is_some() || method.class().is_subtype_of(class) => EventMatch::Yes,
            Some(receiver) => is_of(receiver, class),
            None => EventMatch::No,
        }
    }
}

/// Is it a method that javac adds for a generic type, which calls the one that the source has?
pub fn is_bridge(method: &Method) -> bool {
    method.access & BRIDGE != 0 && !method.is_static()
}

/// Is an object of this class, which may be open, one of another class?
pub fn is_of(own: &'static Class, class: &'static Class) -> EventMatch {
    if own.is_subtype_of(class) {
        return EventMatch::Yes;
    }
    match own.possible() {
        Some(possible) if possible.others || possible.known.iter().any(|known| known.is_subtype_of(class)) => {
            EventMatch::Undecided
        }
        _ => EventMatch::No,
    }
}

/// An event that a property names.
#[derive(Clone, Debug)]
pub struct MonitoredEvent {
    /// Its kind.
    pub kind: EventKind,
    /// The method, field or class: `Door.open`.
    pub subject: Rc<str>,
    /// The object that it is about.
    pub object: Option<ObjId>,
    /// The innermost line of the user's code.
    pub place: Option<(&'static Method, u32)>,
    /// The properties that name it, with the set of the patterns that match.
    pub matched: SmallVec<[(u16, u64); 2]>,
    /// Is the class of an object not known that decides whether it matches?
    pub is_undecided: bool,
}

/// An automaton that is not in its first state.
#[derive(Clone, Debug)]
pub struct AutomatonStanding {
    /// The property, by its number.
    pub property: u16,
    /// The object that it is about.
    pub object: Option<ObjId>,
    /// The thread that it is about.
    pub thread: Option<ThreadNumber>,
    /// Its state, by its number.
    pub state: usize,
    /// The events that led there from the first state.
    word: Rc<EventWord>,
}

/// An event that led to another state, behind those before it.
#[derive(Debug)]
struct EventWord {
    step: EventStep,
    before: Option<Rc<EventWord>>,
}

/// An event that led an automaton to another state.
#[derive(Clone, Debug)]
pub struct EventStep {
    /// The kind of the event.
    pub kind: EventKind,
    /// The method, field or class.
    pub subject: Rc<str>,
    /// The thread.
    pub thread: ThreadNumber,
    /// The innermost line of the user's code.
    pub place: Option<(&'static Method, u32)>,
    /// The state that it led to; none at the error.
    pub state: Option<usize>,
}

/// A property that a path has broken.
#[derive(Clone, Debug)]
pub struct BrokenProperty {
    /// The property, by its number.
    pub property: usize,
    /// Its name.
    pub name: String,
    /// The user's words for the error.
    pub what: String,
    /// The object that the automaton was about.
    pub object: Option<ObjId>,
    /// The events that led from the first state to the error.
    pub word: Vec<EventStep>,
}

impl BrokenProperty {
    /// Where the last event happened that has a place: the end of a thread has none where the library's code calls the user's.
    pub fn place(&self) -> Option<(&'static Method, u32)> {
        self.word.iter().rev().find_map(|step| step.place)
    }
}

/// Two ends are alike if the same events led to the same error.
impl PartialEq for BrokenProperty {
    fn eq(&self, other: &BrokenProperty) -> bool {
        let place = |step: &EventStep| step.place.map(|(method, pc)| (method.id, pc));
        let is_alike = |(one, two): (&EventStep, &EventStep)| {
            (one.kind, &one.subject, place(one)) == (two.kind, &two.subject, place(two))
        };
        (self.property, &self.what, self.word.len()) == (other.property, &other.what, other.word.len())
            && self.word.iter().zip(&other.word).all(is_alike)
    }
}

/// How far a path has come towards the errors of all properties.
#[derive(Clone, Debug)]
pub struct PropertyMonitor {
    /// The properties, the same for all paths.
    pub properties: std::sync::Arc<Properties>,
    /// The automata that are not in their first states.
    pub standing: Vec<AutomatonStanding>,
}

impl PropertyMonitor {
    /// All automata are in their first states.
    pub fn new(properties: std::sync::Arc<Properties>) -> PropertyMonitor {
        PropertyMonitor { properties, standing: Vec::new() }
    }

    /// The objects that automata are about: their ends must still be seen.
    pub fn objects(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.standing.iter().filter_map(|standing| standing.object)
    }

    /// The end of a thread, or of the run, as far as some property names it.
    pub fn end(&self, is_of_thread: bool) -> Option<MonitoredEvent> {
        let mut matched = SmallVec::new();
        for (number, property) in self.properties.all.iter().enumerate() {
            let ends = property.patterns.iter().enumerate().filter(|(_, pattern)| pattern.kind == EventKind::End);
            let bits = ends.fold(0, |bits: u64, (at, _)| bits | 1 << at);
            if bits != 0 && property.by_thread == is_of_thread {
                matched.push((number as u16, bits));
            }
        }
        (!matched.is_empty()).then(|| MonitoredEvent {
            kind: EventKind::End,
            subject: Rc::from(""),
            object: None,
            place: None,
            matched,
            is_undecided: false,
        })
    }

    /// The patterns that match an event. `matches` decides about the subject, and the monitors that the thread holds about the rest.
    pub fn matched(
        &self,
        kind: EventKind,
        matches: impl Fn(&EventSubject) -> EventMatch,
        (heap, held): (&Heap, &[HeldMonitor]),
        own: Option<ObjId>,
    ) -> (SmallVec<[(u16, u64); 2]>, bool) {
        let (mut matched, mut is_undecided) = (SmallVec::new(), false);
        for (number, property) in self.properties.all.iter().enumerate() {
            let mut bits = 0;
            for (at, pattern) in property.patterns.iter().enumerate().filter(|(_, pattern)| pattern.kind == kind) {
                let subject = matches(&pattern.subject);
                if subject == EventMatch::No {
                    continue;
                }
                let guard = pattern.holding.map_or(EventMatch::Yes, |class| {
                    let others = held.iter().filter(|held| Some(held.object) != own);
                    let answers: Vec<EventMatch> = others.map(|held| is_of(heap.class(held.object), class)).collect();
                    match () {
                        () if answers.contains(&EventMatch::Yes) => EventMatch::Yes,
                        () if answers.contains(&EventMatch::Undecided) => EventMatch::Undecided,
                        () => EventMatch::No,
                    }
                });
                match (subject, guard) {
                    (_, EventMatch::No) => {}
                    (EventMatch::Yes, EventMatch::Yes) => bits |= 1 << at,
                    _ => is_undecided = true,
                }
            }
            if bits != 0 {
                matched.push((number as u16, bits));
            }
        }
        (matched, is_undecided)
    }

    /// The automata that the events of several threads may move, and that this one does.
    pub fn shared(&self, event: &MonitoredEvent) -> Vec<(u16, Option<ObjId>)> {
        let property = |number: u16| &self.properties.all[number as usize];
        let shared = event.matched.iter().filter(|(number, _)| property(*number).is_shared());
        shared.map(|(number, _)| (*number, event.object.filter(|_| property(*number).by_object))).collect()
    }

    /// Lets the automata follow an event. Tells whether one of them has moved, and the first error.
    pub fn follow(&mut self, event: &MonitoredEvent, thread: ThreadNumber) -> (bool, Option<BrokenProperty>) {
        let mut has_moved = false;
        for &(number, bits) in &event.matched {
            let property = &self.properties.all[number as usize];
            let thread_of = property.by_thread.then_some(thread);
            let is_meant = |standing: &AutomatonStanding| {
                let is_object =
                    event.kind == EventKind::End || standing.object == event.object.filter(|_| property.by_object);
                standing.property == number && standing.thread == thread_of && is_object
            };
            let mut meant: Vec<Option<usize>> =
                (0..self.standing.len()).filter(|at| is_meant(&self.standing[*at])).map(Some).collect();
            // An end is one of all objects; those that are in their first states are not kept, and have no moves at an end.
            if meant.is_empty() {
                meant.push(None);
            }
            for at in meant.into_iter().rev() {
                let standing = at.map(|at| &self.standing[at]);
                let state = standing.map_or(0, |standing| standing.state);
                let is_taken = |taken: &&AutomatonMove| bits >> taken.pattern & 1 != 0;
                let Some(taken) = property.states[state].moves.iter().find(is_taken) else { continue };
                let target = match &taken.target {
                    MoveTarget::State(target) if *target == state => continue,
                    MoveTarget::State(target) => Some(*target),
                    MoveTarget::Error(_) => None,
                };
                let before = standing.map(|standing| standing.word.clone());
                let object = standing.map_or(event.object.filter(|_| property.by_object), |standing| standing.object);
                let (kind, subject, place) = (event.kind, event.subject.clone(), event.place);
                let word = EventWord { step: EventStep { kind, subject, thread, place, state: target }, before };
                if let MoveTarget::Error(what) = &taken.target {
                    let (name, what) = (property.name.clone(), what.clone());
                    let broken = BrokenProperty { property: number as usize, name, what, object, word: word.steps() };
                    return (true, Some(broken));
                }
                has_moved = true;
                match (at, target) {
                    (Some(at), Some(0)) => drop(self.standing.remove(at)),
                    (Some(at), Some(state)) => {
                        (self.standing[at].state, self.standing[at].word) = (state, Rc::new(word));
                    }
                    (None, Some(state)) => self.standing.push(AutomatonStanding {
                        property: number,
                        object,
                        thread: thread_of,
                        state,
                        word: Rc::new(word),
                    }),
                    (_, None) => {}
                }
            }
        }
        (has_moved, None)
    }
}

/// Link by link: a long word would overflow the stack.
impl Drop for EventWord {
    fn drop(&mut self) {
        let mut before = self.before.take();
        while let Some(mut word) = before.and_then(|word| Rc::try_unwrap(word).ok()) {
            before = word.before.take();
        }
    }
}

impl EventWord {
    /// The events in their order.
    fn steps(&self) -> Vec<EventStep> {
        let mut steps = vec![self.step.clone()];
        let mut before = self.before.as_deref();
        while let Some(word) = before {
            steps.push(word.step.clone());
            before = word.before.as_deref();
        }
        steps.reverse();
        steps
    }
}

/// The events of a thread that its automata have not seen yet, and how far it has come with leaving its bottom frame.
#[derive(Clone, Debug, Default)]
pub struct ThreadWatch {
    /// In their order.
    pub events: Vec<MonitoredEvent>,
    /// Is the event of leaving the bottom frame among those, or seen?
    pub has_left: bool,
    /// Is the end of the thread among those, or seen?
    pub has_ended: bool,
    /// The exception with which the bottom frame is left once all events are seen.
    pub leaving: Option<ObjId>,
}

impl ThreadWatch {
    /// The objects that it speaks of.
    pub fn objects(&self) -> impl Iterator<Item = ObjId> + '_ {
        self.events.iter().filter_map(|event| event.object).chain(self.leaving)
    }
}
