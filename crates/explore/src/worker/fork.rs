//! Which answers may a question have on this path, and what does each mean for the path?

use std::collections::BTreeSet;
use std::rc::Rc;

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Constant, Model, Solver, Term};
use lazuli_valid::{FeasibleAnswers, HybridPass, RemainingEntries, Tools};
use lazuli_vm::interp::Vm;
use lazuli_vm::outcome::{Answer, Place, Question};
use lazuli_vm::reason::Reason;
use lazuli_vm::universe::{Cx, Restriction};

use crate::path::Path;
use crate::technique::{Admission, Technique};
use crate::worker::Worker;

/// The answer of a solver about one more conjunct.
enum Feasible {
    Yes(Rc<Model>),
    No,
    Unknown,
}

/// An answer that may be.
pub(crate) struct Child {
    pub(super) choice: u16,
    pub(crate) answer: Answer,
    /// Values that satisfy the path condition together with the answer.
    pub(crate) witness: Option<Rc<Model>>,
    /// Is it known that no valid input gives it?
    pub(crate) is_excluded: bool,
    /// The answer of a hybrid invariant about it.
    asked: Option<HybridPass>,
    /// The listed inputs that give it.
    left: Option<RemainingEntries>,
}

impl Child {
    /// Notes with the path that got the answer what was found out about it before.
    fn tell(&self, path: &mut Path) {
        path.hybrid_pass = self.asked.or(path.hybrid_pass);
        if let (Some(witness), Some(left)) = (&mut path.witness, &self.left) {
            witness.left = Some(left.clone());
        }
    }
}

impl Worker<'_> {
    pub(super) fn alternatives(&mut self, path: &Path, question: &Question) -> Vec<Answer> {
        let Vm { program, terms, .. } = &mut self.vm;
        let mut cx = Cx { program, terms, bounds: &self.bounds };
        let found = self.technique.alternatives(&mut cx, path, question);
        for what in &found.beyond {
            self.summary.restricted(what);
        }
        if let Some(declared) = found.void {
            let at = self.vm.describe_position(path);
            self.summary.not_explored(Reason::NoObject { class: declared.java_name() }, at, 1);
        }
        found.answers
    }

    /// Has the technique do something; it adds the bounds that it meets.
    pub(super) fn with_technique<T>(
        &mut self,
        beyond: &mut BTreeSet<Restriction>,
        does: impl FnOnce(&mut dyn Technique, &mut Tools) -> T,
    ) -> T {
        let (vm, chain) = (&mut self.vm, &mut self.chain);
        let (bounds, limits) = (&self.bounds, &self.solver_limits);
        let (warnings, sat_calls) = (&mut self.summary.warnings, &mut self.summary.sat_calls);
        does(&mut *self.technique, &mut Tools { vm, chain, bounds, limits, beyond, warnings, sat_calls })
    }

    /// The answers that the technique excludes before anything is forked.
    pub(super) fn feasible_answers(
        &mut self,
        path: &Path,
        place: Place,
        answers: &[Answer],
    ) -> Option<FeasibleAnswers> {
        self.with_technique(&mut BTreeSet::new(), |technique, tools| {
            technique.feasible_answers(tools, path, place, answers)
        })
    }

    /// Does the technique let the path pass? An error says why it could not tell.
    pub(crate) fn admit(&mut self, path: &mut Path) -> Result<bool, Reason> {
        let mut beyond = BTreeSet::new();
        let admission = self.with_technique(&mut beyond, |technique, tools| technique.admit(tools, path));
        for what in &beyond {
            self.summary.restricted(what);
        }
        match admission {
            Admission::Unasked => Ok(true),
            Admission::Admitted { is_reused } => {
                self.summary.reused_witnesses += is_reused as u64;
                self.summary.structure_calls += !is_reused as u64;
                Ok(true)
            }
            Admission::Pruned => {
                self.summary.structure_calls += 1;
                Ok(false)
            }
            Admission::Unknown(why) => Err(why),
        }
    }

    /// Adds a condition to the path, if it can be true.
    pub(crate) fn can_assume(&mut self, path: &mut Path, condition: Term) -> bool {
        match self.feasible(path, condition) {
            Feasible::No => false,
            Feasible::Yes(witness) => {
                self.vm.assume(path, condition);
                path.symbols.condition.witness = Some(witness);
                true
            }
            Feasible::Unknown => {
                self.vm.assume(path, condition);
                path.symbols.condition.is_doubtful = true;
                true
            }
        }
    }

    /// The answers that may be.
    pub(crate) fn children(&mut self, path: &Path, question: &Question) -> Vec<Child> {
        // Two filters, both before a state is copied. Numbers: an answer whose condition contradicts the path condition is dropped
        // here. Shape: a technique may know which answers some valid input gives (`foresight`), as field bounds and catalogues do;
        // the others stay in the list as excluded: they count as pruned, and do not make the one that is left a forced answer.
        let mut answers = self.alternatives(path, question);
        self.bound_preemptions(path, question, &mut answers);
        let foresight = match question {
            Question::Read { place, .. } => self.feasible_answers(path, *place, &answers),
            _ => None,
        };
        let asked = foresight.as_ref().and_then(|foresight| foresight.asked);
        let mut children = Vec::with_capacity(answers.len());
        for (choice, answer) in answers.into_iter().enumerate() {
            let witness = match &answer {
                Answer::Assume(term) => match self.feasible(path, *term) {
                    Feasible::Yes(witness) => Some(witness),
                    Feasible::No => {
                        self.summary.infeasible += 1;
                        continue;
                    }
                    Feasible::Unknown => None,
                },
                _ => path.symbols.condition.witness.clone(),
            };
            let is_excluded = foresight.as_ref().is_some_and(|foresight| foresight.excludes(&answer));
            let left = foresight.as_ref().and_then(|foresight| foresight.left(&answer));
            children.push(Child { choice: choice as u16, answer, witness, is_excluded, asked, left });
        }
        if let Some(foresight) = foresight.filter(|_| children.iter().any(|child| child.is_excluded)) {
            for what in foresight.beyond.iter() {
                self.summary.restricted(what);
            }
        }
        children
    }

    /// Can the path go on if this is true as well?
    fn feasible(&mut self, path: &Path, term: Term) -> Feasible {
        // The witness is a model of the path condition. At a branch on `x < y` it satisfies one of the two sides, which needs no
        // query then; only the other side does. The query may start from the witness, since all but one conjunct hold already.
        let condition = &path.symbols.condition;
        if let Some(witness) = &condition.witness
            && self.config.valid.reuse
            && satisfies(&self.vm.terms, witness, &[term])
        {
            self.summary.reused_witnesses += 1;
            return Feasible::Yes(witness.clone());
        }
        if self.vm.terms.as_constant(term) == Some(Constant::Bool(false)) {
            return Feasible::No;
        }
        let (terms, limits) = (&self.vm.terms, &self.solver_limits);
        let answer = match &condition.witness {
            Some(witness) => self.chain.extend(terms, &condition.conjuncts, witness, term, limits),
            None => {
                let conjuncts: Vec<Term> = condition.conjuncts.iter().copied().chain([term]).collect();
                self.chain.check(terms, &conjuncts, limits)
            }
        };
        match answer {
            lazuli_logic::SolverAnswer::Sat(model) => Feasible::Yes(Rc::new(model)),
            lazuli_logic::SolverAnswer::Unsat => Feasible::No,
            lazuli_logic::SolverAnswer::Unknown => Feasible::Unknown,
        }
    }

    /// Makes a path the child of a fork: the answer holds, and the child's model is its witness. None if what the answer means for numbers
    /// contradicts the path condition.
    pub(super) fn take_child(
        &mut self,
        mut path: Path,
        question: &Question,
        child: &Child,
        is_forced: bool,
    ) -> Option<Path> {
        let before = path.symbols.condition.conjuncts.len();
        self.summary.count_states(|states| states.visited += 1);
        self.apply(&mut path, question, &child.answer, is_forced);
        path.symbols.condition.witness = child.witness.clone();
        child.tell(&mut path);
        // Two references that turn out to be one object have one place in each order.
        let is_numeric = matches!(child.answer, Answer::Assume(_));
        let added = path.symbols.condition.conjuncts.get(before..).unwrap_or_default();
        if is_numeric || added.is_empty() {
            return Some(path);
        }
        let holds = |witness: &Rc<Model>| satisfies(&self.vm.terms, witness, added);
        if child.witness.as_ref().is_some_and(holds) {
            return Some(path);
        }
        path.symbols.condition.is_doubtful = true;
        self.settle_doubt(&mut path).then_some(path)
    }

    /// Applies an answer to a path. A forced answer is the only feasible one, and counts as no choice.
    pub(crate) fn apply(&mut self, path: &mut Path, question: &Question, answer: &Answer, is_forced: bool) {
        let before = path.symbols.condition.conjuncts.len();
        if !is_forced {
            self.note_choice(path, question, answer);
        }
        match answer {
            Answer::Choose(way) => self.choose_step(path, *way),
            _ => self.vm.answer(path, question, answer),
        }
        // No other answer is possible here, so that the conjuncts of this one follow from the path condition. They are kept apart,
        // and later queries are shorter. That two references are one object follows from no number: what it means for their places in orders is kept.
        if is_forced && !matches!(answer, Answer::Choose(_) | Answer::Alias(_)) {
            let condition = &mut path.symbols.condition;
            condition.implied.extend(condition.conjuncts.drain(before..));
        }
        self.technique.learn(path, question, answer);
    }
}
