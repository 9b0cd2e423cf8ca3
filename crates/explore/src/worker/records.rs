//! Can constructors have made the records of an input?
//!
//! An input gets its fields as they are read, records too; but no program has a record that the canonical constructor refuses. Before a fault
//! is told, the constructors run on the components of its records, with what is unknown of them left unknown, and the fault is told of an
//! input for which they return. Only constructors that decide are run (`Program::deciding_constructor`); others refuse nothing here.

use lazuli_vm::outcome::{End, Place, Question, Stop};
use lazuli_vm::value::Value;

use crate::path::Path;
use crate::worker::Worker;

/// Choices that the constructors of one input may follow.
const MOST_STEPS: usize = 2_000;

/// The answer about an input.
pub(crate) enum Records {
    /// No constructor refuses it, as far as is known.
    Possible,
    /// Constructors let these inputs of the path through.
    Narrowed(Box<Path>),
    /// Whatever its unknown values are, some constructor refuses it.
    Refused,
}

/// The next step with the records of an input.
enum ConstructorStep {
    /// The constructor of one of them has been entered.
    Entered,
    /// A component is not decided.
    Asks(Question),
    /// All of them are there.
    Done,
    /// It cannot be told.
    Unknown,
}

impl Worker<'_> {
    /// Narrows the input of a path to one whose records their constructors make.
    pub(crate) fn possible_records(&mut self, path: &Path) -> Records {
        let is_deciding = |number| self.decides(path, number);
        if !(0..path.symbols.inputs.len()).any(is_deciding) {
            return Records::Possible;
        }
        // Depth first over the choices of all constructors, one record after the other. Invariant: the constructors of the inputs before the
        // number of an entry have returned under its path condition. So the first entry that comes to the end is an input without a refused
        // record; if none does, there is none.
        let mut waiting = vec![(path.with_state(path.at_entry()), 0)];
        let mut steps = 0;
        while let Some((mut path, mut number)) = waiting.pop() {
            steps += 1;
            if steps > MOST_STEPS || self.is_out_of_time() {
                return Records::Possible;
            }
            let stop = match path.thread.frames.is_empty() {
                true => match self.enter_constructor(&mut path, &mut number) {
                    ConstructorStep::Entered => self.run(&mut path),
                    ConstructorStep::Asks(question) => Stop::Ask(question),
                    ConstructorStep::Done => return Records::Narrowed(Box::new(path)),
                    ConstructorStep::Unknown => return Records::Possible,
                },
                false => self.run(&mut path),
            };
            match stop {
                Stop::Ask(question) => {
                    let children = self.children(&path, &question);
                    for child in children.iter().filter(|child| !child.is_excluded).rev() {
                        let mut forked = self.take_child(path.fork(), &question, child, false);
                        match self.admit(&mut forked) {
                            Ok(true) => waiting.push((forked, number)),
                            Ok(false) => {}
                            Err(_) => return Records::Possible,
                        }
                    }
                }
                Stop::End(End::Returned(_)) => {
                    path.thread = Default::default();
                    waiting.push((path, number + 1));
                }
                Stop::End(End::Threw(_) | End::AssumedAway) => {}
                Stop::End(_) => return Records::Possible,
            }
        }
        Records::Refused
    }

    /// Is the input a record that the path looked into, and that its constructor may refuse?
    fn decides(&self, path: &Path, number: usize) -> bool {
        let object = path.symbols.inputs[number].object;
        let class = path.heap.class(object);
        let is_read = || {
            class.components().is_some_and(|components| {
                let mut values = components.iter().map(|field| path.entry_at(Place { object, slot: field.slot }));
                values.any(|value| value.is_some_and(|value| value != Value::Unread))
            })
        };
        !class.is_open() && is_read() && self.vm.program.deciding_constructor(class).is_some()
    }

    /// Enters the constructor of the first record from `number` on.
    fn enter_constructor(&mut self, path: &mut Path, number: &mut usize) -> ConstructorStep {
        while *number < path.symbols.inputs.len() && !self.decides(path, *number) {
            *number += 1;
        }
        let Some(object) = path.symbols.inputs.get(*number).map(|input| input.object) else {
            return ConstructorStep::Done;
        };
        let class = path.heap.class(object);
        let (Some(components), Some(constructor)) = (class.components(), self.vm.program.deciding_constructor(class))
        else {
            return ConstructorStep::Unknown;
        };
        let mut arguments = Vec::with_capacity(components.len() + 1);
        for field in components {
            if let Err(stop) = self.vm.decide_field(path, object, field) {
                return match stop {
                    Stop::Ask(question) => ConstructorStep::Asks(question),
                    Stop::End(_) => ConstructorStep::Unknown,
                };
            }
            arguments.push(path.heap.field(object, field.slot as usize));
        }
        arguments.insert(0, path.heap.allocate(class).into());
        match self.vm.begin_contract(path, constructor, &arguments) {
            Ok(()) => ConstructorStep::Entered,
            Err(_) => ConstructorStep::Unknown,
        }
    }
}
