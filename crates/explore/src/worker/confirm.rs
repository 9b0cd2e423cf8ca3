//! Is what a path found so?
//!
//! A concrete input that takes the path is made and run, in the same interpreter with nothing unknown: only what ends at the same place, in the
//! same way, is told.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use lazuli_logic::Model;
use lazuli_spec::SourceLine;
use lazuli_valid::{Completion, Tools};
use lazuli_vm::interp::Flow;
use lazuli_vm::outcome::{End, Stop};
use lazuli_vm::program::{Class, Method, Program, parameter_names};
use lazuli_vm::reason::{NoExample, Reason};
use lazuli_vm::value::Value;

use crate::path::{Finished, Path};
use crate::report::picture::Artist;
use crate::report::schedule;
use crate::report::summary::{Cause, rank_of};
use crate::report::*;
use crate::worker::example;
use crate::worker::meaning::{Meaning, meaning};
use crate::worker::parts::PartsResult;
use crate::worker::{FORCED, Worker};
use crate::{Detail, Engine, Inputs};

impl Worker<'_> {
    /// A fault, if running an example confirms it.
    pub(crate) fn violation(&mut self, finished: &Finished, ending: Ending, trace: Trace) {
        let path = &finished.path;
        let (kind, places) = match &ending {
            Ending::Threw { trace, .. } if finished.is_refused() => ("precondition".to_string(), trace.clone()),
            Ending::Threw { class, trace, .. } => {
                (class.rsplit(['.', '$']).next().unwrap_or(class).to_string(), trace.clone())
            }
            Ending::Deadlock { threads } => {
                ("deadlock".to_string(), threads.iter().map(|thread| thread.at.clone()).collect())
            }
            Ending::Broken(breach) => (
                format!("property {}", breach.property),
                breach.word.last().map(|step| step.at.clone()).into_iter().collect(),
            ),
            _ => return,
        };
        let place = self.place_of(finished);
        let at = place.as_ref().map(|place| match place.line {
            0 => place.file.clone(),
            line => format!("{}:{line}", place.file),
        });
        let at = at.or_else(|| places.first().cloned()).unwrap_or_default();
        let rank = rank_of(&path.symbols, &trace);
        let (outcome, meaning) = match self.try_confirm(finished, ending.clone(), trace.clone()) {
            Ok(confirmed) => confirmed,
            Err(why) => {
                // Another path has shown the same defect: nothing is left out of the report.
                if !self.summary.has_defect_at(&kind, &at) {
                    self.unconfirmed(&kind, at, why);
                }
                if self.config.report.detail == Detail::AllPaths {
                    let outcome = self.describe(path, ending, None, trace);
                    self.summary.outcomes.push(outcome);
                }
                return;
            }
        };
        let instruction = self.instruction_of(finished);
        let finding = match meaning.kind {
            FindingKind::NullArgument if self.config.is_strict => FindingKind::Defect,
            kind => kind,
        };
        self.last_meaning = Some(Meaning { kind: finding, ..meaning });
        let outcome = Outcome { finding: Some(finding), ..outcome };
        if self.config.report.detail == Detail::AllPaths {
            self.keep_outcome(outcome.clone());
        }
        let cause =
            Cause { finding, kind: kind.clone(), instruction: instruction.clone(), at: at.clone(), clause: None };
        if self.summary.count_violation(&cause, &rank) {
            let message = match &outcome.ending {
                Ending::Threw { message: Some(message), .. } => message.clone(),
                Ending::Deadlock { threads } => schedule::in_words(threads),
                Ending::Broken(breach) => match &breach.object {
                    Some(object) => format!("{}, of {object}", breach.what),
                    None => breach.what.clone(),
                },
                _ => String::new(),
            };
            let violation = Violation {
                finding,
                kind,
                message,
                at,
                place,
                instruction,
                parameter: meaning.null_argument.and_then(|number| self.parameter(number)),
                outcome,
                clause: None,
                count: 1,
            };
            self.count_found(&violation);
            self.summary.add_violation(rank, violation, cause);
        }
    }

    /// Where in the user's code an exception was thrown.
    fn place_of(&self, finished: &Finished) -> Option<SourceLine> {
        if let Some((method, pc)) = finished.place() {
            let line = self.vm.program.code(method).ok()?.line(pc);
            return Some(place(method.class(), line.unwrap_or(0)));
        }
        let (path, exception) = finished.thrown()?;
        let (class, line) = self.vm.user_place(path, exception)?;
        Some(place(class, line.unwrap_or(0)))
    }

    /// The innermost instruction of the user's code in the stack trace of an exception.
    fn instruction_of(&self, finished: &Finished) -> Option<Instruction> {
        if let Some((method, pc)) = finished.place() {
            let offset = self.vm.program.code(method).ok()?.offsets.get(pc as usize).copied();
            return Some(Instruction {
                class: method.class().java_name(),
                method: format!("{}{}", method.name, method.descriptor),
                offset: offset.unwrap_or(0) as u32,
            });
        }
        let (path, exception) = finished.thrown()?;
        let (method, offset) = self.vm.user_instruction(path, exception)?;
        Some(Instruction {
            class: method.class().java_name(),
            method: format!("{}{}", method.name, method.descriptor),
            offset: offset.unwrap_or(0) as u32,
        })
    }

    /// The name of an argument of the target; the receiver is number 0.
    fn parameter(&self, number: u32) -> Option<String> {
        let first = !self.method.is_static() as usize;
        parameter_names(self.method).into_iter().nth((number as usize).checked_sub(first)?)
    }

    /// Runs an example of a path; the outcome has its lines and its message. If it throws, the run also says what that means.
    fn try_confirm(&mut self, finished: &Finished, ending: Ending, trace: Trace) -> Result<(Outcome, Meaning), Reason> {
        let Finished { path, end } = finished;
        let (model, mut concrete) = self.example_of(path)?;
        let picture = concrete.picture.clone();
        let mut case = concrete.case(&self.vm, self.method, None);
        let method = match &self.config.concurrent {
            Some(plan) => concrete.driver(&self.vm, plan),
            None => self.method,
        };
        // A whole program rejects no input: there is no caller that could have known better. Nor does a method that says that it returns.
        let contract = &self.config.contract;
        let always_returns = contract.specification.as_ref().is_some_and(|specification| specification.always_returns);
        let is_judged = matches!(ending, Ending::Threw { is_allowed: false, .. })
            && !finished.is_refused()
            && self.config.program.is_none()
            && !contract.is_relied_on
            && !always_returns;
        let (vm, most_steps) = (&mut self.vm, self.config.report.steps);
        vm.flow = is_judged.then(|| Box::new(Flow::new(method.arguments).with_handed_nulls(&concrete.handed_nulls)));
        let run = match catch_unwind(AssertUnwindSafe(|| example::run(vm, concrete, method, most_steps))) {
            Ok(run) => run,
            Err(_) => {
                (self.vm.example, self.vm.is_concrete, self.vm.flow) = (None, false, None);
                return Err(NoExample::Panics.into());
            }
        };
        let flow = self.vm.flow.take();
        example::agrees(&self.vm, finished, &model, &run)?;
        let meaning = match (&run.stop, flow) {
            (Stop::End(End::Threw(exception)), Some(flow)) => meaning(&self.vm, &flow, method, &run.state, *exception),
            _ => Meaning::DEFECT,
        };
        // The message of the example was not known to the path.
        let ending = match (ending, &run.stop) {
            (Ending::Threw { class, message, trace, is_allowed }, Stop::End(End::Threw(exception))) => {
                let told = example::message(&mut self.vm, &run.state, *exception);
                Ending::Threw { class, message: told.or(message), trace, is_allowed }
            }
            (ending, _) => ending,
        };
        let mut outcome = self.describe(path, ending, Some(end), trace);
        outcome.example = Some(picture);
        outcome.after = Some(example::after(&self.vm, &run, method));
        outcome.steps = example::steps(&self.vm, &run);
        case.ended = example::ended(&self.vm, &run.state, &run.stop);
        case.coverage = run.coverage;
        case.asked_at = run.asked;
        // No program makes the calls of several threads again, and none sees that a property is broken.
        outcome.case = (self.config.concurrent.is_none() && !matches!(end, End::Broken(_))).then_some(case);
        if self.config.report.lines {
            outcome.lines = places(&run.lines);
        }
        Ok((outcome, meaning))
    }

    /// A concrete input that takes the path, valid if there is an invariant.
    pub(crate) fn example_of(&mut self, path: &Path) -> Result<(Rc<Model>, example::Concrete), Reason> {
        // Of a model of a circuit everything is known: other models of the path may have other records.
        let refused = |by_invariant| match self.config.engine {
            Engine::Paths => NoExample::NoValidInput,
            Engine::Sat if by_invariant => NoExample::InvalidPart,
            Engine::Sat => NoExample::RefusedRecord,
        };
        let narrowed = match self.possible_parts(path) {
            PartsResult::Possible => None,
            PartsResult::Narrowed(narrowed) => Some(narrowed),
            PartsResult::Refused { by_invariant } => return Err(refused(by_invariant).into()),
        };
        let completed = match self.completed(narrowed.as_deref().unwrap_or(path))? {
            Some(completed) => completed,
            None => return Err(NoExample::NoValidInput.into()),
        };
        let completed = match self.possible_parts(&completed) {
            PartsResult::Possible => completed,
            PartsResult::Narrowed(narrowed) => *narrowed,
            // Another valid input of the path may have other parts.
            PartsResult::Refused { by_invariant: true } => return Err(NoExample::InvalidPart.into()),
            PartsResult::Refused { .. } => return Err(NoExample::RefusedRecord.into()),
        };
        let model = example::readable_model(&mut self.vm, &mut self.chain, &completed, &self.solver_limits)
            .ok_or(NoExample::NoValues)?;
        let concrete = example::build(&mut self.vm, &self.start, &completed, &model, self.method, &self.bounds.made)?;
        // A completed input has no threads of its own.
        let concrete = concrete.scheduled_as(path);
        for invariant in &self.contract.invariants {
            if !concrete.satisfies(&mut self.vm, invariant) {
                return Err(NoExample::BreaksInvariant.into());
            }
        }
        // An object that a field refers to is valid too. The path did not ask for that: what is found on an invalid one is no fault.
        if self.config.inputs != Inputs::Fields && !concrete.has_valid_parts(&mut self.vm, &self.config.contract) {
            return Err(NoExample::InvalidPart.into());
        }
        if self.contract.pre.iter().any(|pre| !concrete.satisfies_condition(&mut self.vm, pre, self.method)) {
            return Err(NoExample::BreaksPrecondition.into());
        }
        Ok((model, concrete))
    }

    /// The input of a path, completed to a valid one. None if there is none.
    pub(crate) fn completed(&mut self, path: &Path) -> Result<Option<Path>, Reason> {
        if self.completer.invariants().is_empty() {
            return Ok(Some(path.fork()));
        }
        let (vm, chain) = (&mut self.vm, &mut self.chain);
        let (bounds, limits) = (&self.bounds, &self.solver_limits);
        let (warnings, sat_calls) = (&mut self.summary.warnings, &mut self.summary.sat_calls);
        let mut beyond = BTreeSet::new();
        let mut tools = Tools { vm, chain, bounds, limits, beyond: &mut beyond, warnings, sat_calls };
        match self.completer.complete(&mut tools, path) {
            Completion::Valid(valid) => Ok(Some(path.with_state(*valid))),
            // There is none within the bounds, which the verdict must name.
            Completion::None => {
                beyond.iter().for_each(|what| self.summary.restricted(what));
                Ok(None)
            }
            Completion::Unknown(why) => Err(why),
        }
    }

    /// An alarm that no example confirms: a false one if no valid input takes the path, else something that is not known.
    pub(crate) fn unconfirmed(&mut self, kind: &str, at: String, why: Reason) {
        let kind = kind.to_string();
        if why != Reason::NoExample(NoExample::NoValidInput) {
            self.summary.not_explored(Reason::Unconfirmed { kind, why: Box::new(why) }, at, 1);
        } else if self.recipes.is_empty() {
            self.summary.unconfirmed(Reason::FalseAlarm { kind }, at);
        } else {
            let methods = self.recipes.iter().flat_map(|recipe| &recipe.methods);
            let by = methods.map(|made| made.name.to_string()).collect();
            self.summary.not_explored(Reason::InvalidMade { by }, at, 1);
        }
    }

    /// The same for a path that is no fault: one that cannot be confirmed is described all the same, and said so.
    pub(crate) fn confirmed(&mut self, finished: &Finished, ending: Ending, trace: Trace) -> Outcome {
        let is_end = matches!(ending, Ending::Returned | Ending::Threw { .. } | Ending::Exited(_));
        if is_end {
            match self.try_confirm(finished, ending.clone(), trace.clone()) {
                Ok((outcome, _)) => return outcome,
                // The path is followed in vain: the technique does not look at all that the invariant says.
                Err(Reason::NoExample(NoExample::NoValidInput)) => {}
                Err(why) => {
                    let at = self.method.full_name();
                    self.summary.not_explored(Reason::Unexampled(Box::new(why)), at, 1);
                }
            }
        }
        self.describe(&finished.path, ending, Some(&finished.end), trace)
    }

    pub(crate) fn describe(&self, path: &Path, ending: Ending, end: Option<&End>, trace: Trace) -> Outcome {
        let artist = || Artist::new(&self.vm, path);
        let writer = artist();
        let condition = path.symbols.condition.conjuncts.iter().map(|term| writer.expression(*term)).collect();
        let result = match end {
            Some(End::Returned(value)) if *value != Value::Top => Some((*value, self.method.result)),
            _ => None,
        };
        let (output, result) = artist().output(result);
        Outcome {
            trace: trace.into_iter().map(|choice| choice & !FORCED).collect(),
            ending,
            condition,
            input: artist().made_by(path.sequence.as_deref()).input(),
            output,
            result,
            lines: Vec::new(),
            example: None,
            steps: Vec::new(),
            after: None,
            case: None,
            finding: None,
            schedule: self.schedule(path),
            concurrent: None,
        }
    }
}

/// Lines for readers.
pub(crate) fn places(lines: &[(&'static Class, u16)]) -> Vec<SourceLine> {
    lines.iter().map(|(class, line)| place(class, *line)).collect()
}

pub(crate) fn place(class: &'static Class, line: u16) -> SourceLine {
    let package = class.name.rsplit_once('/').map_or("", |(package, _)| package).replace('/', ".");
    SourceLine { package, file: class.source_file().unwrap_or(class.name).to_string(), line }
}

/// The first line of a method's code.
pub(crate) fn beginning(program: &Program, method: &'static Method) -> Option<SourceLine> {
    let line = program.code(method).ok()?.line(0)?;
    Some(place(method.class(), line))
}
