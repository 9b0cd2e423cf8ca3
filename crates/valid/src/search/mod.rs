//! In which order are completions tried? Depth first: null, then what is there, then something new.

mod counting;
pub(crate) mod values;

use std::rc::Rc;

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Constant, Model, Solver, SolverAnswer, Sort, Term};
use lazuli_vm::outcome::{Answer, End, Limit, Question, Stop};
use lazuli_vm::reason::{Reason, Warning};
use lazuli_vm::state::State;
use lazuli_vm::universe::{Alternatives, Cx, alternatives};
use lazuli_vm::value::Value;

use crate::{Guide, Invariant, Tools, receiver};

/// A search that can be asked for one solution after the other.
pub struct Search {
    /// States that wait to be followed, the next one last.
    waiting: Vec<Waiting>,
    invariants: Vec<Invariant>,
    /// Something that could not be decided on the way; without it, an exhausted search proves that there is nothing.
    doubt: Option<Reason>,
    /// Completions that were tried.
    pub candidates: u64,
    /// Choices that were followed.
    pub steps: u64,
    /// A solution that is known, and leads the search.
    guide: Option<Guide>,
    part: Part,
    /// How many subtrees there were to share out.
    shared: u64,
    /// States that came to their end, to make others of.
    #[expect(clippy::vec_box, reason = "they wait in boxes, too, and a state is large to move")]
    spare: Vec<Box<State>>,
}

struct Waiting {
    state: Box<State>,
    /// How many invariants hold.
    stage: usize,
    /// How many questions were answered on the way.
    answered: u32,
}

/// Which part of a search is to be done, where several do one together. Each goes through the first few choices, and follows every so many of
/// the subtrees below them.
#[derive(Clone, Copy)]
pub struct Part {
    /// Which part it is, counted from 0.
    pub index: u64,
    /// The number of parts.
    pub of: u64,
}

impl Part {
    /// The whole search as one part.
    pub const ALL: Part = Part { index: 0, of: 1 };
}

/// Where the shared choices end. There are some thousand subtrees then, so that all have about the same to do.
const SHARED_CHOICES: u32 = 12;

/// The next result of a search.
pub enum Found {
    /// A state in which all invariants returned true.
    Solution(Box<State>),
    /// All completions within the bounds were tried.
    Exhausted,
    /// The search gave up, or something could not be decided.
    Unknown(Reason),
}

/// More states than this are not kept for others.
const SPARE_STATES: usize = 64;

/// Choices that one search may follow before it gives up.
const MOST_STEPS: u64 = 2_000_000;

/// A branch that both ways were possible at so often may belong to a loop that only counts.
const SUSPICIOUS_FORKS: usize = 16;

/// How many choices pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 64;

impl Search {
    /// A search for all completions of an input that satisfy the invariants.
    pub fn new(input: State, invariants: &[Invariant]) -> Search {
        Search {
            waiting: vec![Waiting { state: Box::new(input), stage: 0, answered: 0 }],
            invariants: invariants.to_vec(),
            doubt: None,
            candidates: 0,
            steps: 0,
            guide: None,
            part: Part::ALL,
            shared: 0,
            spare: Vec::new(),
        }
    }

    /// One part of the same search.
    pub fn part(self, part: Part) -> Search {
        Search { part, ..self }
    }

    /// A search that follows a guide and nothing else.
    pub fn guided(mut input: State, invariants: &[Invariant], guide: Guide) -> Search {
        input.symbols.condition.witness = Some(guide.witness());
        Search { guide: Some(guide), ..Search::new(input, invariants) }
    }

    /// The next solution.
    pub fn next(&mut self, tools: &mut Tools) -> Found {
        let found = self.next_within(tools, MOST_STEPS);
        found.unwrap_or(Found::Unknown(Reason::SearchTooLong))
    }

    /// The next solution, however many choices it takes. Only time ends the search.
    pub fn next_in_time(&mut self, tools: &mut Tools) -> Found {
        loop {
            if let Some(found) = self.next_within(tools, MOST_STEPS) {
                return found;
            }
        }
    }

    /// The next solution; none if it takes more than so many choices. The search may go on then.
    pub fn next_within(&mut self, tools: &mut Tools, most: u64) -> Option<Found> {
        // Invariant, without a guide and for the whole search: every valid completion that was not returned yet lies below a state
        // in `waiting`, or `doubt` says why it may be missing. So an empty list without doubt proves that there is no further one.
        //
        // The invariant itself says which field comes next (Korat, ISSTA 2002, section 3): a read of an undecided place stops the
        // interpreter, and places that it does not read are never branched on. Korat runs the predicate anew for each candidate; here
        // the state forks at the read and goes on from there. Example: `repOK` walks `first`, `next`, …. `first` is read: null
        // (returns, the first candidate), or a new node A. `A.next` is read: null, A (a cycle, on which `repOK` returns false), or a
        // new node B, and so on up to the scope.
        let last = self.steps + most;
        while let Some(next) = self.waiting.pop() {
            if self.steps >= last {
                self.waiting.push(next);
                return None;
            }
            let Waiting { mut state, stage, answered } = next;
            if self.steps.is_multiple_of(CLOCK_INTERVAL) && tools.is_out_of_time() {
                return Some(Found::Unknown(Reason::SearchTooLong));
            }
            self.steps += 1;
            // No frame: the invariants before `stage` returned true, and the next one begins on the same input. A root that is null
            // or undecided has no object on which the invariant could run.
            if state.thread.frames.is_empty() {
                let Some(invariant) = self.invariants.get(stage) else {
                    match self.is_own(answered) {
                        true => return Some(Found::Solution(state)),
                        false => continue,
                    }
                };
                let Some(object) = receiver(&state, invariant) else {
                    self.waiting.push(Waiting { state, stage: stage + 1, answered });
                    continue;
                };
                if let Err(Stop::End(end)) = tools.vm.begin_contract(&mut state, invariant.code(), &[object.into()]) {
                    self.ended(tools, Waiting { state, stage, answered }, end);
                    continue;
                }
            }
            match tools.vm.run(&mut state) {
                Stop::Ask(question) => self.branch(tools, Waiting { state, stage, answered }, &question),
                // An invariant that never returns true does not hold.
                Stop::End(End::Limit(Limit::Endless)) => {
                    tools.warnings.insert(Warning::InvariantLoops);
                }
                Stop::End(End::Limit(limit)) => {
                    return Some(Found::Unknown(Reason::InvariantCut(limit)));
                }
                Stop::End(end) => self.ended(tools, Waiting { state, stage, answered }, end),
            }
        }
        Some(match self.doubt.take() {
            Some(doubt) => Found::Unknown(doubt),
            None => Found::Exhausted,
        })
    }

    /// Does this part report results behind so many choices? The first part reports those above the shared choices.
    fn is_own(&self, answered: u32) -> bool {
        answered >= SHARED_CHOICES || self.part.index == 0
    }

    fn ended(&mut self, tools: &mut Tools, mut at: Waiting, end: End) {
        self.candidates += self.is_own(at.answered) as u64;
        let state = &mut at.state;
        match end {
            End::Returned(Value::Int(0)) => {
                if self.spare.len() < SPARE_STATES {
                    self.spare.push(at.state);
                }
            }
            End::Returned(Value::Int(_)) => self.go_on(at),
            End::Returned(Value::Term(term, Sort::Int)) => {
                if let Some(guide) = &mut self.guide {
                    guide.learn(&tools.vm.terms, state);
                    state.symbols.condition.witness = Some(guide.witness());
                }
                let zero = tools.vm.terms.int(0);
                let is_false = tools.vm.terms.equal(term, zero);
                let is_true = tools.vm.terms.not(is_false);
                if self.assume(tools, state, is_true) {
                    self.go_on(at);
                }
            }
            End::Threw(exception) => {
                // An invariant that throws does not hold.
                let what = tools.vm.describe_throwable(state, exception);
                tools.warnings.insert(Warning::InvariantThrows(what));
            }
            End::AssumedAway => {}
            End::Beyond(bound) => {
                tools.beyond.insert(*bound);
            }
            End::Exited(code) => self.doubt = Some(Reason::InvariantExited(code)),
            other => {
                self.doubt = Some(
                    tools
                        .vm
                        .reason(state, &other)
                        .map_or(Reason::Bug(format!("the invariant ended with {other:?}")), |(why, at)| why.at(at)),
                )
            }
        }
    }

    fn go_on(&mut self, mut at: Waiting) {
        at.state.thread = Default::default();
        at.stage += 1;
        self.waiting.push(at);
    }

    fn branch(&mut self, tools: &mut Tools, at: Waiting, question: &Question) {
        let Waiting { mut state, stage, answered } = at;
        let answered = answered.saturating_add(1);
        let program = tools.vm.program.clone();
        let mut cx = Cx { program: &program, terms: &mut tools.vm.terms, bounds: tools.bounds };
        let Alternatives { answers, beyond, void } = alternatives(&mut cx, &state, question);
        tools.beyond.extend(beyond);
        if let Some(declared) = void {
            self.doubt = Some(Reason::NoObject { class: declared.java_name() });
        }
        // A loop whose end depends on numbers alone may go on for ever: what lies behind is not known.
        if let (Question::Branch(_) | Question::Cases(_), Some(frame)) = (question, state.thread.frames.last()) {
            let site = (frame.method.id, frame.pc);
            let forks = state.symbols.count_fork(site) as usize;
            let is_far = forks > tools.bounds.unroll;
            if (is_far || forks == SUSPICIOUS_FORKS) && self.guide.is_none() && counting::counts_in_vain(tools, &state)
            {
                self.candidates += self.is_own(answered) as u64;
                return;
            }
            if is_far {
                let (name, most) = (self.invariants[stage].method.name, tools.bounds.unroll);
                self.doubt = Some(Reason::InvariantUnroll { name: name.to_string(), most });
                return;
            }
        }
        if let Some(guide) = &mut self.guide {
            let Some(chosen) = guide.choose(&tools.vm.terms, &state, question, &answers) else { return };
            let mut state = state;
            tools.vm.answer(&mut state, question, &answers[chosen]);
            guide.met(question, &state);
            state.symbols.condition.witness = Some(guide.witness());
            self.waiting.push(Waiting { state, stage, answered });
            return;
        }
        // Isomorphic structures are not tried twice: among the answers is one new object at most, because all objects that were not
        // met yet are alike (nonisomorphism in Korat, section 3).
        //
        // A search in parts: every part makes the same first choices, counts the subtrees below the last shared one in the same
        // order, and keeps each `of`-th of them. So the parts are disjoint, and together they are the whole search.
        let first = self.waiting.len();
        let last = answers.len().saturating_sub(1);
        let mut state = Some(state);
        for (index, answer) in answers.into_iter().enumerate() {
            let from = state.as_ref().expect("taken by the last answer only");
            let witness = match &answer {
                Answer::Assume(term) => match self.feasible(tools, from, *term) {
                    Some(witness) => Some(witness),
                    None => continue,
                },
                _ => None,
            };
            if answered == SHARED_CHOICES {
                self.shared += 1;
                if self.shared % self.part.of != self.part.index {
                    continue;
                }
            }
            let mut forked = if index == last { state.take().expect("taken once") } else { self.fork(from) };
            tools.vm.answer(&mut forked, question, &answer);
            if let Some(witness) = witness {
                forked.symbols.condition.witness = Some(witness);
            }
            self.waiting.push(Waiting { state: forked, stage, answered });
        }
        // The first answer is followed first.
        self.waiting[first..].reverse();
    }

    fn fork(&mut self, state: &State) -> Box<State> {
        match self.spare.pop() {
            Some(mut spare) => {
                state.fork_into(&mut spare);
                spare
            }
            None => Box::new(state.fork()),
        }
    }

    fn assume(&mut self, tools: &mut Tools, state: &mut State, term: Term) -> bool {
        match self.feasible(tools, state, term) {
            Some(witness) => {
                tools.vm.assume(state, term);
                state.symbols.condition.witness = Some(witness);
                true
            }
            None => false,
        }
    }

    /// Values under which the term is true as well, if there are any.
    fn feasible(&mut self, tools: &mut Tools, state: &State, term: Term) -> Option<Rc<Model>> {
        match extended(tools, state, term) {
            Extended::To(witness) => Some(witness),
            Extended::Never => None,
            Extended::Undecided => {
                self.doubt = Some(Reason::InvariantUndecided);
                None
            }
        }
    }
}

/// May a term be true beside all that a state has assumed?
enum Extended {
    /// With these values.
    To(Rc<Model>),
    /// It may not.
    Never,
    /// The solvers do not know.
    Undecided,
}

fn extended(tools: &mut Tools, state: &State, term: Term) -> Extended {
    let path = &state.symbols.condition;
    let terms = &tools.vm.terms;
    match terms.as_constant(term) {
        Some(Constant::Bool(true)) => return Extended::To(path.witness.clone().unwrap_or_default()),
        Some(_) => return Extended::Never,
        None => {}
    }
    // The model of the path so far often satisfies the new conjunct as well, and is then a proof without a query.
    if let Some(witness) = &path.witness
        && satisfies(terms, witness, &[term])
    {
        return Extended::To(witness.clone());
    }
    let solved = match &path.witness {
        Some(witness) => tools.chain.extend(terms, &path.conjuncts, witness, term, tools.limits),
        None => {
            let all: Vec<Term> = path.conjuncts.iter().copied().chain([term]).collect();
            tools.chain.check(terms, &all, tools.limits)
        }
    };
    match solved {
        SolverAnswer::Sat(model) => Extended::To(Rc::new(model)),
        SolverAnswer::Unsat => Extended::Never,
        SolverAnswer::Unknown => Extended::Undecided,
    }
}
