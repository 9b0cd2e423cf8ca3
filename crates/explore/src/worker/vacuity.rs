//! Does the verdict say anything? It does not if no valid input was tried, and says less than it seems to if the invariant does not care.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use lazuli_logic::SolverLimits;
use lazuli_valid::{Completer, Completion, Found, Search, Tools};
use lazuli_vm::program::{Class, ClassId, Method, Program};
use lazuli_vm::reason::{NoInput, Reason, Warning};
use lazuli_vm::symbols::Entry;

use crate::path::Path;
use crate::report::summary::Summary;
use crate::worker::Worker;
use crate::{Bounds, Config, Progress};

/// A field: the class that declares it, and its slot.
type FieldKey = (ClassId, u32);

/// How many more objects of each class are tried to find the smallest valid input.
const MORE_OBJECTS: usize = 4;

/// A hint is not worth more time than this.
const HINT_TIME: Duration = Duration::from_millis(500);

/// To find out what an invariant reads, it is run on inputs up to this scope, on so many of them, for so long.
const LOOKED_AT: (usize, u64, Duration) = (3, 300, Duration::from_millis(50));

impl Worker<'_> {
    /// Notes what the end of a path tells: that there is a valid input, and which fields of inputs the method wrote.
    pub(crate) fn note_path(&mut self, ended: &Path) {
        if self.completer.invariants().is_empty() {
            self.summary.has_input = true;
            return;
        }
        if !self.summary.has_input {
            // Techniques that ask for no valid input may follow paths that have none.
            self.summary.has_input = ended.witness.is_some() || matches!(self.completed(ended), Ok(Some(_)));
        }
        for input in ended.symbols.inputs.iter() {
            let Entry::Fields(fields) = &input.entry else { continue };
            let class = ended.heap.class(input.object);
            for slot in 0..class.defaults.len().min(fields.len()) {
                let is = ended.symbols.settled(ended.heap.field(input.object, slot));
                if is != ended.symbols.settled(fields[slot])
                    && let Some((owner, _)) = class.declaration_at(slot as u32)
                {
                    self.summary.written.insert((owner.id, slot as u32));
                }
            }
        }
    }

    /// Notes which fields the invariants read. If the method wrote others, they are run on small inputs once more to make sure.
    pub(crate) fn note_reads(&mut self) {
        if self.contract.invariants.is_empty() || self.summary.written.is_empty() {
            return;
        }
        let is_unread =
            |worker: &Worker| worker.summary.written.iter().any(|place| !worker.vm.contract_reads.contains(place));
        if is_unread(self)
            && let Ok(input) = self.inputs()
        {
            let (scope, most, time) = LOOKED_AT;
            let bounds = Bounds { scope: self.bounds.scope.min(scope), ..self.bounds.clone() };
            let limits = SolverLimits { deadline: Some(Instant::now() + time), ..self.solver_limits.clone() };
            let mut search = Search::new(input.known.state, &self.contract.invariants);
            while search.candidates < most && is_unread(self) {
                let mut tools = Tools {
                    vm: &mut self.vm,
                    chain: &mut self.chain,
                    bounds: &bounds,
                    limits: &limits,
                    beyond: &mut BTreeSet::new(),
                    warnings: &mut BTreeSet::new(),
                    sat_calls: &mut 0,
                };
                let Found::Solution(_) = search.next(&mut tools) else { break };
            }
        }
        self.summary.read.extend(self.vm.contract_reads.drain());
    }

    /// A search for one valid input, with so many more objects of each class than the bounds allow.
    fn find_valid(&mut self, more: usize, deadline: Instant) -> Completion {
        let Ok(input) = self.inputs() else {
            return Completion::Unknown(Reason::NoReceiver { class: self.method.class().java_name() });
        };
        let scope_of = self.bounds.scope_of.iter().map(|(class, scope)| (class.clone(), scope + more)).collect();
        let bounds = Bounds { scope: self.bounds.scope + more, scope_of, ..self.bounds.clone() };
        self.vm.rules.length = bounds.length();
        let mut tools = Tools {
            vm: &mut self.vm,
            chain: &mut self.chain,
            bounds: &bounds,
            limits: &SolverLimits { deadline: Some(deadline), ..self.solver_limits.clone() },
            beyond: &mut BTreeSet::new(),
            warnings: &mut BTreeSet::new(),
            sat_calls: &mut 0,
        };
        Completer::new(&self.contract.invariants, self.config.valid.means).complete(&mut tools, &input)
    }
}

/// Says so if nothing was tried, with what to do about it. A verdict over no input at all is no verdict.
pub(crate) fn explain_nothing(
    program: &Arc<Program>,
    method: &'static Method,
    config: &Config,
    progress: &Progress,
    summary: &mut Summary,
) {
    if (summary.paths > 0 && summary.has_input) || !summary.is_all_explored() {
        return;
    }
    let why = match Worker::boot(program, method, config, progress) {
        Ok(worker) => why_nothing(worker, config, summary),
        Err(_) => NoInput::Unknown,
    };
    summary.not_explored(Reason::NoInput(why), method.full_name(), 1);
}

fn why_nothing(mut worker: Worker, config: &Config, summary: &Summary) -> NoInput {
    let pre = worker.contract.precondition_names();
    let invariant = worker.contract.invariant_text(&config.contract);
    if !worker.recipes.is_empty() && pre.is_none() && summary.paths == 0 {
        return NoInput::NotMade;
    }
    if worker.contract.invariants.is_empty() {
        return match pre {
            Some(precondition) if summary.assumed_away == 0 => NoInput::Precondition(precondition),
            _ => NoInput::AssumedAway,
        };
    }
    let deadline = Instant::now() + HINT_TIME;
    match worker.find_valid(0, deadline) {
        Completion::Valid(_) if summary.assumed_away > 0 => NoInput::AssumedAway,
        Completion::Valid(_) => match pre {
            Some(precondition) => NoInput::PreconditionAndInvariant { precondition, invariant },
            None => NoInput::NoValidPath,
        },
        Completion::Unknown(_) => NoInput::NotFound { invariant },
        Completion::None => {
            let needed =
                (1..=MORE_OBJECTS).find(|more| matches!(worker.find_valid(*more, deadline), Completion::Valid(_)));
            let needs = needed.map(|more| {
                let named = config.bounds.scope_of.iter().map(|(class, scope)| format!(",{class}={}", scope + more));
                format!("{}{}", config.bounds.scope + more, named.collect::<String>())
            });
            NoInput::None { invariant, needs }
        }
    }
}

/// Warns of fields that the method writes and the invariants never read, where they could: whatever is there counts as valid.
pub(crate) fn warn_of_unread(program: &Program, method: &'static Method, config: &Config, summary: &mut Summary) {
    let Ok(contract) = lazuli_spec::Contract::of(program, method, &config.contract) else { return };
    let family = family(program, contract.invariants.iter().map(|invariant| invariant.class(program)).collect());
    let unread = summary.written.difference(&summary.read).filter(|(class, _)| family.contains(class));
    let named = |(class, slot): &FieldKey| {
        let class = program.class(*class);
        Some(format!("{}.{}", program.short_name(class), class.declaration_at(*slot)?.1.name))
    };
    let fields: BTreeSet<String> = unread.filter_map(named).collect();
    if !fields.is_empty() {
        summary.warnings.insert(Warning::NeverReads {
            invariant: contract.invariant_text(&config.contract),
            fields: fields.into_iter().collect(),
            method: method.name.to_string(),
        });
    }
}

/// The classes of the user's that objects of these classes consist of.
fn family(program: &Program, classes: Vec<&'static Class>) -> HashSet<ClassId> {
    let users = program.users();
    let mut found = HashSet::new();
    let mut waiting = classes;
    while let Some(class) = waiting.pop() {
        let element = std::iter::successors(Some(class), |class| class.component()).last().unwrap_or(class);
        if !element.is_users() || !found.insert(element.id) {
            continue;
        }
        waiting.extend(element.chain());
        waiting.extend(users.iter().filter(|other| other.is_subtype_of(element)).copied());
        let fields = element.fields.iter().filter(|field| !field.is_static());
        waiting.extend(fields.filter_map(|field| program.load_descriptor(field.descriptor).ok()));
    }
    found
}

/// A property that names nothing which happens cannot be broken: perhaps a name is not the one that was meant.
pub(crate) fn warn_of_no_event(config: &Config, summary: &mut Summary) {
    let Some(properties) = config.properties.as_ref().filter(|_| summary.paths > 0) else { return };
    for (number, property) in properties.all.iter().enumerate() {
        if !summary.seen_properties.contains(&(number as u16)) {
            summary.warnings.insert(Warning::NoEvent { property: property.name.clone() });
        }
    }
}
