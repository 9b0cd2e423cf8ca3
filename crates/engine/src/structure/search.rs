//! In which order are completions tried? Depth first: null, then what is there, then something new.

use std::rc::Rc;

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Answer as Solved, Constant, Model, Solver, Sort, Term};

use super::{Guide, Invariant, Tools, receiver};
use crate::outcome::{Answer, End, Limit, Question, Stop};
use crate::state::State;
use crate::technique::{Alternatives, Cx, completions};
use crate::value::Value;

/// A search that can be asked for one solution after the other.
pub struct Search {
    /// States that wait to be followed, the next one last, with the invariants that are left.
    waiting: Vec<(State, usize)>,
    invariants: Vec<Invariant>,
    /// Something that could not be decided on the way; without it, an exhausted search proves that there is nothing.
    doubt: Option<String>,
    /// Completions that were tried.
    pub candidates: u64,
    /// Choices that were followed.
    pub steps: u64,
    /// Somebody who knows a solution.
    guide: Option<Guide>,
}

pub enum Found {
    Solution(Box<State>),
    Exhausted,
    Unknown(String),
}

/// Choices that one search may follow before it gives up.
const MOST_STEPS: u64 = 2_000_000;

/// How many choices pass between two looks at the clock.
const CLOCK_INTERVAL: u64 = 64;

impl Search {
    /// A search for all completions of an input that satisfy the invariants.
    pub fn new(input: State, invariants: &[Invariant]) -> Search {
        let waiting = vec![(input, 0)];
        Search { waiting, invariants: invariants.to_vec(), doubt: None, candidates: 0, steps: 0, guide: None }
    }

    /// A search that follows a guide and nothing else.
    pub fn guided(mut input: State, invariants: &[Invariant], guide: Guide) -> Search {
        input.symbols.path.witness = Some(guide.witness());
        Search { guide: Some(guide), ..Search::new(input, invariants) }
    }

    /// The next solution.
    pub fn next(&mut self, tools: &mut Tools) -> Found {
        let found = self.next_within(tools, MOST_STEPS);
        found.unwrap_or_else(|| Found::Unknown("a search for valid inputs took too long".to_string()))
    }

    /// The next solution; none if it takes more than so many choices. The search may go on then.
    pub fn next_within(&mut self, tools: &mut Tools, most: u64) -> Option<Found> {
        let last = self.steps + most;
        while let Some((mut state, stage)) = self.waiting.pop() {
            if self.steps >= last {
                self.waiting.push((state, stage));
                return None;
            }
            if self.steps.is_multiple_of(CLOCK_INTERVAL) && tools.is_out_of_time() {
                return Some(Found::Unknown("a search for valid inputs took too long".to_string()));
            }
            self.steps += 1;
            if state.thread.frames.is_empty() {
                let Some(invariant) = self.invariants.get(stage) else { return Some(Found::Solution(Box::new(state))) };
                let Some(object) = receiver(&state, invariant) else {
                    self.waiting.push((state, stage + 1));
                    continue;
                };
                if let Err(Stop::End(end)) = tools.vm.begin_contract(&mut state, invariant.method, &[object.into()]) {
                    self.ended(tools, state, stage, end);
                    continue;
                }
            }
            match tools.vm.run(&mut state) {
                Stop::Ask(question) => self.branch(tools, state, stage, &question),
                // What never returns true does not hold.
                Stop::End(End::Limit(Limit::Endless)) => {
                    tools
                        .warnings
                        .insert("the invariant loops for ever on some input, which counts as false".to_string());
                }
                Stop::End(End::Limit(limit)) => {
                    return Some(Found::Unknown(format!("the invariant reached a limit: {limit:?}")));
                }
                Stop::End(end) => self.ended(tools, state, stage, end),
            }
        }
        Some(match self.doubt.take() {
            Some(doubt) => Found::Unknown(doubt),
            None => Found::Exhausted,
        })
    }

    fn ended(&mut self, tools: &mut Tools, mut state: State, stage: usize, end: End) {
        self.candidates += 1;
        match end {
            End::Returned(Value::Int(0)) => {}
            End::Returned(Value::Int(_)) => self.go_on(state, stage),
            End::Returned(Value::Term(term, Sort::Int)) => {
                if let Some(guide) = &mut self.guide {
                    guide.learn(&tools.vm.terms, &state);
                    state.symbols.path.witness = Some(guide.witness());
                }
                let zero = tools.vm.terms.int(0);
                let is_false = tools.vm.terms.equal(term, zero);
                let is_true = tools.vm.terms.not(is_false);
                if self.assume(tools, &mut state, is_true) {
                    self.go_on(state, stage);
                }
            }
            End::Threw(exception) => {
                // An invariant that throws does not hold.
                let what = tools.vm.describe_throwable(&state, exception);
                tools.warnings.insert(format!("the invariant throws {what} on some input, which counts as false"));
            }
            End::AssumedAway => {}
            End::Unsupported { what, called_from } => self.doubt = Some(format!("{what}, at {called_from}")),
            other => self.doubt = Some(format!("the invariant ended with {other:?}")),
        }
    }

    fn go_on(&mut self, mut state: State, stage: usize) {
        state.thread = Default::default();
        self.waiting.push((state, stage + 1));
    }

    fn branch(&mut self, tools: &mut Tools, mut state: State, stage: usize, question: &Question) {
        let program = tools.vm.program.clone();
        let mut cx = Cx { program: &program, terms: &mut tools.vm.terms, bounds: tools.bounds };
        let Alternatives { answers, beyond } = completions(&mut cx, &state, question);
        tools.beyond.extend(beyond);
        // A loop whose end depends on numbers alone may go on for ever: what lies behind is not known.
        if let (Question::Branch(_) | Question::Cases(_), Some(frame)) = (question, state.thread.frames.last()) {
            let site = (frame.method.id, frame.pc);
            if state.symbols.count_fork(site) as usize > tools.bounds.unroll {
                let (name, most) = (self.invariants[stage].method.name, tools.bounds.unroll);
                self.doubt =
                    Some(format!("{name}() took a branch {most} times without reading anything new (--unroll)"));
                return;
            }
        }
        if let Some(guide) = &mut self.guide {
            let Some(chosen) = guide.choose(&tools.vm.terms, &state, question, &answers) else { return };
            let mut state = state;
            tools.vm.answer(&mut state, question, &answers[chosen]);
            guide.met(question, &state);
            state.symbols.path.witness = Some(guide.witness());
            self.waiting.push((state, stage));
            return;
        }
        let mut children = Vec::new();
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
            let mut forked = if index == last { state.take().expect("taken once") } else { from.fork() };
            tools.vm.answer(&mut forked, question, &answer);
            if let Some(witness) = witness {
                forked.symbols.path.witness = Some(witness);
            }
            children.push((forked, stage));
        }
        self.waiting.extend(children.into_iter().rev());
    }

    fn assume(&mut self, tools: &mut Tools, state: &mut State, term: Term) -> bool {
        match self.feasible(tools, state, term) {
            Some(witness) => {
                tools.vm.assume(state, term);
                state.symbols.path.witness = Some(witness);
                true
            }
            None => false,
        }
    }

    /// Values under which the term is true as well, if there are any.
    fn feasible(&mut self, tools: &mut Tools, state: &State, term: Term) -> Option<Rc<Model>> {
        let path = &state.symbols.path;
        let terms = &tools.vm.terms;
        match terms.as_constant(term) {
            Some(Constant::Bool(true)) => return Some(path.witness.clone().unwrap_or_default()),
            Some(_) => return None,
            None => {}
        }
        if let Some(witness) = &path.witness
            && satisfies(terms, witness, &[term])
        {
            return Some(witness.clone());
        }
        let solved = match &path.witness {
            Some(witness) => tools.chain.extend(terms, &path.conjuncts, witness, term, tools.limits),
            None => {
                let all: Vec<Term> = path.conjuncts.iter().copied().chain([term]).collect();
                tools.chain.check(terms, &all, tools.limits)
            }
        };
        match solved {
            Solved::Sat(model) => Some(Rc::new(model)),
            Solved::Unsat => None,
            Solved::Unknown => {
                self.doubt = Some("a solver could not decide a condition of the invariant".to_string());
                None
            }
        }
    }
}
