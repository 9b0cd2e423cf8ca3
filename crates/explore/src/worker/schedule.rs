//! How does a report tell what the threads of a path did, and where they stand?

use lazuli_spec::SourceLine;
use lazuli_vm::ambient::Assumption;
use lazuli_vm::frame::Frame;
use lazuli_vm::interp::ScheduledStep;
use lazuli_vm::outcome::{Answer, Question};
use lazuli_vm::program::{Method, Op};
use lazuli_vm::reason::Reason;
use lazuli_vm::state::State;
use lazuli_vm::threads::{Event, ObjectPart, ThreadNumber, ThreadOperation, Threads};
use lazuli_vm::universe::Restriction;
use lazuli_vm::value::{Kind, ObjId, Value};

use crate::path::Path;
use crate::report::picture::Artist;
use crate::report::summary::{Cause, rank_of};
use crate::report::{
    Ending, FindingKind, Schedule, ScheduleStep, StandingThread, StepAction, Trace, Violation, WaitReason,
};
use crate::worker::Worker;
use crate::worker::confirm::place;

/// The value that was last written to each place.
#[derive(Default)]
struct SeenValues(Vec<((ObjId, ObjectPart), String)>);

/// Places of a stack that a report shows.
const SHOWN_FRAMES: usize = 8;

impl Worker<'_> {
    /// The order of what the threads did; none if there was one only.
    pub(crate) fn schedule(&self, path: &Path) -> Option<Schedule> {
        let threads = path.threads.as_ref()?;
        let mut steps: Vec<ScheduleStep> = Vec::new();
        // An access with which none of another thread conflicts would only be in the way of readers.
        let matters = |event: &Event| {
            (event.access().is_none() && !matches!(event.operation, ThreadOperation::Monitored(_)))
                || threads.events.iter().any(|other| {
                    other.thread != event.thread
                        && threads.conflict((other.thread, &other.operation), (event.thread, &event.operation))
                })
        };
        // Records of how calls ended are no part of the program.
        let record = self.config.concurrent.as_ref().map(|used| used.record.id);
        let is_glue =
            |event: &Event| event.access().is_some_and(|(object, ..)| Some(path.heap.class(object).id) == record);
        let mut values = SeenValues::default();
        for event in &threads.events {
            let value = self.value_of(path, event, &mut values);
            if !matters(event) || is_glue(event) {
                continue;
            }
            let place = event.place.filter(|(method, _)| !method.hidden);
            let step = ScheduleStep {
                thread: event.thread as usize,
                action: self.action(path, threads, event),
                at: place.map_or(String::new(), |(method, pc)| self.line_of(method, pc)),
                place: place.and_then(|(method, pc)| self.source_line(method, pc)),
                value,
            };
            // A call of the library is one step for readers, whatever it does.
            let is_same_call = matches!(step.action, StepAction::Calls(_)) && steps.last() == Some(&step);
            if !is_same_call {
                steps.push(step);
            }
        }
        Some(Schedule { threads: threads.all.iter().map(|record| record.name.to_string()).collect(), steps })
    }

    /// The value that an access of the user's code writes, or reads if threads wrote it before.
    fn value_of(&self, path: &Path, event: &Event, seen: &mut SeenValues) -> Option<String> {
        let (object, part, is_write, _) = event.access()?;
        if !is_write {
            return seen.0.iter().find(|(place, _)| *place == (object, part)).map(|(_, value)| value.clone());
        }
        // A value that a method of the library writes is not on top of its stack.
        let (method, pc) = event.site;
        let op = self.vm.program.code(method).ok().map(|code| code.ops[pc as usize].unfused());
        let is_plain = matches!(op, Some(Op::PutField(_) | Op::PutStatic(_) | Op::ArrayStore));
        let value = event.top_value().filter(|_| is_plain && part != ObjectPart::Elements);
        let value = value.and_then(|value| self.value_in_words(path, (object, part), value));
        let overlaps = |other: ObjectPart| other == part || !matches!((part, other), (ObjectPart::Slot(_), _));
        seen.0.retain(|((written, other), _)| *written != object || !overlaps(*other));
        if let Some(value) = &value {
            seen.0.push(((object, part), value.clone()));
        }
        value
    }

    fn value_in_words(&self, path: &Path, (object, part): (ObjId, ObjectPart), value: Value) -> Option<String> {
        let class = path.heap.class(object);
        let kind = match part {
            ObjectPart::Slot(slot) => match self.vm.class_of_mirror(path, object) {
                Some(class) => {
                    let is_it = |field: &&lazuli_vm::program::Field| {
                        field.is_static() && self.vm.program.slot_of(field) == slot
                    };
                    class.fields.iter().find(is_it).map(|field| field.kind)
                }
                None => class.declaration_at(slot).map(|(_, field)| field.kind),
            },
            _ => class.component_kind(),
        };
        match path.symbols.settled(value) {
            Value::Int(number) => match kind {
                Some(Kind::Boolean) => Some((number != 0).to_string()),
                Some(Kind::Char) => char::from_u32(number as u32).map(|character| format!("{character:?}")),
                _ => Some(number.to_string()),
            },
            Value::Long(number) => Some(number.to_string()),
            Value::Float(number) => Some(number.to_string()),
            Value::Double(number) => Some(number.to_string()),
            Value::Ref(None) => Some("null".to_string()),
            Value::Ref(Some(referent)) => Some(self.object_name(path, referent)),
            Value::Term(term, _) => Some(Artist::new(&self.vm, path).expression(term).to_string()),
            _ => None,
        }
    }

    fn action(&self, path: &Path, threads: &Threads, event: &Event) -> StepAction {
        let name = |object: ObjId| self.object_name(path, object);
        let thread = |object: ObjId| match threads.number_of(object) {
            Some(number) => path.thread_name(number),
            None => self.object_name(path, object),
        };
        let numbered = |number: ThreadNumber| path.thread_name(number);
        let part = |object: ObjId, part: ObjectPart| self.part_name(path, object, part);
        let is_users = event.site.0.class().is_users();
        let calls = || {
            let method = event.site.0;
            StepAction::Calls(format!("{}.{}", method.class().java_name(), method.name))
        };
        match &event.operation {
            ThreadOperation::Start(object) => StepAction::Starts(thread(*object)),
            ThreadOperation::End => StepAction::Ends,
            ThreadOperation::Return => StepAction::Returns,
            ThreadOperation::Join { thread: object, .. } => StepAction::Joins(thread(*object)),
            ThreadOperation::Sleep => StepAction::Sleeps,
            ThreadOperation::Wait(object) if is_users => StepAction::Waits(name(*object)),
            ThreadOperation::Resume { object, .. } if is_users => StepAction::Resumes(name(*object)),
            ThreadOperation::Alive(object) => StepAction::AsksAlive(thread(*object)),
            ThreadOperation::Interruption(number) => StepAction::Interrupts(numbered(*number)),
            _ if !is_users => calls(),
            // An event that a property names.
            ThreadOperation::Monitored(_) => calls(),
            ThreadOperation::Read(object, which, _) => StepAction::Reads(part(*object, *which)),
            ThreadOperation::Write(object, which, _) => StepAction::Writes(part(*object, *which)),
            ThreadOperation::Update(object, which, _) => StepAction::Updates(part(*object, *which)),
            ThreadOperation::Touch(objects) => {
                StepAction::Updates(objects.first().map_or(String::new(), |first| name(*first)))
            }
            ThreadOperation::Lock(object) => StepAction::Locks(name(*object)),
            ThreadOperation::Unlock(object) => StepAction::Unlocks(name(*object)),
            ThreadOperation::Wait(object) => StepAction::Waits(name(*object)),
            ThreadOperation::Resume { object, .. } => StepAction::Resumes(name(*object)),
            ThreadOperation::Notify(object) => StepAction::Notifies(name(*object)),
            ThreadOperation::Park { .. } => StepAction::Parks,
            ThreadOperation::Unpark(number) => StepAction::Unparks(numbered(*number)),
            ThreadOperation::Initialise(class) => {
                StepAction::Initialises(self.vm.program.class_at(class.index()).java_name())
            }
        }
    }

    /// The threads that are not done, and what they wait for.
    pub(crate) fn standing(&self, path: &Path) -> Vec<StandingThread> {
        let Some(threads) = &path.threads else { return Vec::new() };
        let waits = |number: ThreadNumber| {
            let record = &threads.all[number as usize];
            let object_name = |object: ObjId| self.object_name(path, object);
            match &record.pending {
                _ if record.spinning.is_some() => WaitReason::Change,
                Some(ThreadOperation::Lock(object)) => WaitReason::Monitor {
                    object: object_name(*object),
                    holder: threads
                        .owner(*object, &path.monitors)
                        .map_or(String::new(), |owner| path.thread_name(owner)),
                },
                Some(ThreadOperation::Resume { object, .. }) => {
                    match record.waiting.is_some_and(|waiting| waiting.is_notified) {
                        true => WaitReason::Monitor {
                            object: object_name(*object),
                            holder: threads
                                .owner(*object, &path.monitors)
                                .map_or(String::new(), |owner| path.thread_name(owner)),
                        },
                        false => WaitReason::Notification { object: object_name(*object) },
                    }
                }
                Some(ThreadOperation::Join { thread, .. }) => WaitReason::End {
                    thread: threads.number_of(*thread).map_or(String::new(), |other| path.thread_name(other)),
                },
                Some(ThreadOperation::Initialise(class)) => {
                    WaitReason::Initialiser { class: self.vm.program.class_at(class.index()).java_name() }
                }
                _ => WaitReason::Permit,
            }
        };
        let mut standing = Vec::new();
        for (number, record) in threads.all.iter().enumerate() {
            let number = number as ThreadNumber;
            if record.has_ended || matches!(record.pending, None | Some(ThreadOperation::Return)) {
                continue;
            }
            let (frames, monitors) = path.stack_of(number);
            if frames.is_empty() {
                continue;
            }
            let shown = frames.iter().rev().filter(|frame| !frame.method.hidden);
            standing.push(StandingThread {
                name: record.name.to_string(),
                waits: waits(number),
                at: users_frame(frames).map_or(String::new(), |frame| self.line_of(frame.method, frame.pc)),
                holds: monitors.iter().map(|held| self.object_name(path, held.object)).collect(),
                stack: shown.take(SHOWN_FRAMES).map(|frame| self.place_in_words(frame.method, frame.pc)).collect(),
            });
        }
        standing
    }

    /// `Counter.java:7`
    pub(super) fn line_of(&self, method: &'static Method, pc: u32) -> String {
        let file = method.class().source_file().unwrap_or("Unknown Source");
        let line = self.vm.program.code(method).ok().and_then(|code| code.line(pc));
        line.map_or(file.to_string(), |line| format!("{file}:{line}"))
    }

    /// `acme.Counter.add(Counter.java:7)`
    fn place_in_words(&self, method: &'static Method, pc: u32) -> String {
        format!("{}.{}({})", method.class().java_name(), method.name, self.line_of(method, pc))
    }

    /// The name of an input, or the class of another object with its number.
    pub(super) fn object_name(&self, path: &Path, object: ObjId) -> String {
        if let Some(input) = path.symbols.input(object) {
            return input.name.to_string();
        }
        if let Some(class) = self.vm.class_of_mirror(path, object) {
            return format!("{}.class", self.vm.program.short_name(class));
        }
        // Objects of a class are numbered by their names in the heap, among those that the threads have to do with.
        let class = path.heap.class(object);
        let mut alike: Vec<ObjId> = path.threads.iter().flat_map(|threads| threads.roots()).collect();
        alike.retain(|other| path.heap.class(*other).id == class.id && *other <= object);
        alike.sort();
        alike.dedup();
        format!("{}#{}", self.vm.program.short_name(class), alike.len().max(1))
    }

    fn part_name(&self, path: &Path, object: ObjId, part: ObjectPart) -> String {
        match part {
            ObjectPart::Slot(slot) => match self.vm.class_of_mirror(path, object) {
                Some(class) => {
                    let is_it = |field: &&lazuli_vm::program::Field| {
                        field.is_static() && self.vm.program.slot_of(field) == slot
                    };
                    let name = class.fields.iter().find(is_it).map_or("?", |field| field.name);
                    format!("{}.{name}", self.vm.program.short_name(class))
                }
                None => {
                    let label = path.heap.class(object).label_at(slot);
                    format!("{}.{}", self.object_name(path, object), label.as_deref().unwrap_or("?"))
                }
            },
            ObjectPart::Element(index) => format!("{}[{index}]", self.object_name(path, object)),
            ObjectPart::Elements => format!("{}[…]", self.object_name(path, object)),
            ObjectPart::All => self.object_name(path, object),
        }
    }
}

impl Worker<'_> {
    /// Tells of data races. Where threads race, what they see is not decided by one order of all writes, which is all that was explored.
    pub(super) fn note_data_races(&mut self, path: &Path, trace: &Trace) {
        let Some(threads) = &path.threads else { return };
        for (first, second) in threads.data_races() {
            let (one, other) = (&threads.events[first], &threads.events[second]);
            let (Some((object, part, is_write, _)), Some((.., also_writes, _))) = (one.access(), other.access()) else {
                continue;
            };
            let variable = self.variable_name(path, object, part);
            let line = |event: &Event| event.place.map_or(String::new(), |(method, pc)| self.line_of(method, pc));
            let (at, also) = (line(one), line(other));
            let kind = variable.clone();
            let rank = rank_of(&path.symbols, trace);
            let mut sites = [at.clone(), also.clone()];
            sites.sort();
            let cause = Cause {
                finding: FindingKind::Race,
                kind: kind.clone(),
                instruction: None,
                at: sites.join(" and "),
                clause: None,
            };
            if !self.summary.count_violation(&cause, &rank) {
                continue;
            }
            match self.config.threads.assumes_consistency {
                true => {
                    self.vm.assumptions.insert(Assumption::Consistency);
                }
                false => self.summary.not_explored(Reason::DataRace { variable }, cause.at.clone(), 1),
            }
            let verb = |writes: bool| if writes { "writes" } else { "reads" };
            let message = format!(
                "{} {} it, {} {} it at {also}, and neither happens before the other",
                path.thread_name(one.thread),
                verb(is_write),
                path.thread_name(other.thread),
                verb(also_writes),
            );
            let place = one.place.and_then(|(method, pc)| self.source_line(method, pc));
            let mut outcome = self.describe(path, Ending::Returned, None, trace.clone());
            outcome.finding = Some(FindingKind::Race);
            let violation = Violation {
                finding: FindingKind::Race,
                kind,
                message,
                at,
                place,
                instruction: None,
                parameter: None,
                outcome,
                clause: None,
                count: 1,
            };
            self.summary.add_violation(rank, violation, cause);
        }
    }

    /// `Counter.count`, `int[]`: the variable without its object.
    fn variable_name(&self, path: &Path, object: ObjId, part: ObjectPart) -> String {
        let class = path.heap.class(object);
        match part {
            ObjectPart::Slot(slot) if self.vm.class_of_mirror(path, object).is_none() => {
                let label = class.label_at(slot).unwrap_or_default();
                let owner = class.declaration_at(slot).map_or(class, |(owner, _)| owner);
                format!("{}.{label}", self.vm.program.short_name(owner))
            }
            ObjectPart::Slot(_) => self.part_name(path, object, part),
            _ => format!("elements of {}", self.vm.program.short_name(class)),
        }
    }

    pub(super) fn source_line(&self, method: &'static Method, pc: u32) -> Option<SourceLine> {
        let line = self.vm.program.code(method).ok()?.line(pc)?;
        Some(place(method.class(), line))
    }

    /// A path that has changed threads often enough goes on with the thread that runs, if it can.
    pub(super) fn bound_preemptions(&mut self, path: &Path, question: &Question, answers: &mut Vec<Answer>) {
        let (Question::Schedule { is_wake: false, .. }, Some(most)) = (question, self.config.threads.preemptions)
        else {
            return;
        };
        let Some(threads) = &path.threads else { return };
        let last = threads.events.last().map(|event| event.thread);
        let goes_on = |answer: &Answer| matches!(answer, Answer::Run(number) if Some(*number) == last);
        // The thread that ran last is the first of the answers, so that their numbers stay the same.
        if threads.preemptions >= most && answers.first().is_some_and(goes_on) && answers.len() > 1 {
            answers.truncate(1);
            self.summary.restricted(&Restriction::Preemptions { most: most as usize });
        }
    }
}

impl Path {
    /// Where a thread of a deadlock stands in the user's code: one that waits for more than the end of another, if there is one.
    pub(crate) fn blocked_at(&self) -> Option<(&'static Method, u32)> {
        let threads = self.threads.as_ref()?;
        let stands = |number: &ThreadNumber| {
            let record = &threads.all[*number as usize];
            !record.has_ended && !matches!(record.pending, None | Some(ThreadOperation::Return))
        };
        let mut numbers: Vec<ThreadNumber> = (0..threads.all.len() as ThreadNumber).filter(stands).collect();
        numbers
            .sort_by_key(|number| matches!(threads.all[*number as usize].pending, Some(ThreadOperation::Join { .. })));
        numbers.into_iter().find_map(|number| {
            let frame = users_frame(self.stack_of(number).0)?;
            Some((frame.method, frame.pc))
        })
    }
}

fn users_frame(frames: &[Frame]) -> Option<&Frame> {
    frames.iter().rev().find(|frame| frame.method.class().is_users() && !frame.method.hidden)
}

/// The instructions at which the threads of a state stand that are not done.
pub(super) fn stands(state: &State) -> Vec<(ThreadNumber, u32, u32)> {
    let Some(threads) = &state.threads else { return Vec::new() };
    let numbers = (0..threads.all.len() as ThreadNumber).filter(|number| !threads.all[*number as usize].has_ended);
    let place = |number: ThreadNumber| {
        let frame = state.stack_of(number).0.last()?;
        Some((number, frame.method.id.index(), frame.pc))
    };
    numbers.filter_map(place).collect()
}

/// The operations of a path in their order, for a run that shall do the same.
pub(super) fn steps_of(state: &State) -> Vec<ScheduledStep> {
    let events = state.threads.iter().flat_map(|threads| &threads.events);
    events.map(|event| (event.thread, event.site)).collect()
}
