//! Does a loop go on like this for ever without a fault? A proof by induction over its rounds.
//!
//! A path that has come to the same place several times differs there in a few numbers: counters and sums. They are replaced by new unknowns
//! under a guessed invariant (bounds, equal or proportional steps, remainders), and the program is explored from there on. If every path
//! comes to an end without a fault, or back to the place in a state that the general one [covers](super::covers), then so does
//! every path from the states that the general one stands for, however many rounds it takes: the first is one of them (the base, asked of the solver), and
//! each round leads to others of them (the step). Conditions that a round breaks are dropped, and the proof is tried with the others, as in
//! Flanagan and Leino, "Houdini, an Annotation Assistant for ESC/Java" (FME 2001). A proof that fails says nothing: the loop is unrolled as before.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use lazuli_logic::evaluate::Evaluation;
use lazuli_logic::{Binary, Constant, Model, Node, Solver, SolverAnswer, SolverLimits, Sort, Term, Variable};
use lazuli_vm::outcome::End;
use lazuli_vm::value::Value;

use crate::path::{Finished, Path};
use crate::report::Ending;
use crate::worker::Worker;
use crate::worker::covers::Portrait;
use crate::worker::frontier::Frontier;
use crate::worker::visited::COMPARISON_TIME;

/// A proof is tried when a branch has forked so often since something new was read, and each time that number was multiplied once more.
const FIRST: usize = 6;
const GROWTH: usize = 4;

/// After so many failures, a place is left alone.
const MOST_FAILURES: u32 = 3;

/// So many proofs are tried within each other.
const DEEPEST: usize = 2;

/// Paths that come to an end, or back, in one try.
const MOST_PATHS: usize = 200;

/// States that are compared in one try.
const MOST_STATES: usize = 4000;

/// Forks of one path in one try.
const MOST_FORKS: usize = 400;

/// How often the proof is tried with fewer conditions.
const MOST_TRIES: usize = 12;

/// Numbers that are replaced at most.
const MOST_CHANGED: usize = 12;

/// A try of a proof.
pub(super) struct InductionProof {
    /// The shape of the states at the head of the loop.
    shape: u64,
    /// The general state, when the program asks its first question there.
    head: Option<Rc<Portrait>>,
    /// The conditions of the guess, over `unknowns`.
    conditions: Vec<Term>,
    /// The leaf that each unknown stands for.
    unknowns: HashMap<Variable, usize>,
    /// The conditions that a round breaks.
    broken: BTreeSet<usize>,
    /// Further leaves that a round changes.
    changed: BTreeSet<usize>,
    paths: usize,
    /// States that were compared.
    states: usize,
    is_failed: bool,
}

impl Worker<'_> {
    pub(super) fn is_proving(&self) -> bool {
        self.visited.proof.is_some()
    }

    /// Something happened that a proof does not allow. False if none is being tried.
    pub(super) fn fail_proof(&mut self) -> bool {
        if let Some(proof) = &mut self.visited.proof {
            proof.is_failed = true;
        }
        self.is_proving()
    }

    /// A path of a proof came to an end.
    pub(super) fn proof_path_ended(&mut self, finished: &Finished) {
        let is_fine = match &finished.end {
            End::Returned(_) | End::Exited(_) | End::AssumedAway | End::Redundant => true,
            End::Threw(_) => matches!(self.ending(finished), Ending::Threw { is_allowed: true, .. }),
            _ => false,
        };
        if !is_fine {
            self.fail_proof();
        }
        self.count_proof_path();
    }

    fn count_proof_path(&mut self) {
        if let Some(proof) = &mut self.visited.proof {
            proof.paths += 1;
            proof.is_failed |= proof.paths > MOST_PATHS;
        }
    }

    /// Is the path of a proof back at the head of the loop, and if so, is it in one of the states that the general one stands for?
    pub(super) fn is_back_at_head(&mut self, portrait: &Rc<Portrait>, path: &Path) -> Option<bool> {
        let mut proof = self.visited.proof.take()?;
        proof.states += 1;
        proof.is_failed |= proof.states > MOST_STATES;
        if proof.is_failed {
            self.visited.proof = Some(proof);
            // Whatever is left of it is of no interest.
            return Some(true);
        }
        let mut answer = None;
        if portrait.shape.hash() == proof.shape {
            answer = Some(true);
            match proof.head.clone() {
                None => {
                    proof.head = Some(portrait.clone());
                    answer = Some(false);
                }
                Some(head) => {
                    let limits = self.proof_limits();
                    let (terms, chain) = (&mut self.vm.terms, &mut self.chain);
                    if !head.covers(portrait, path, terms, chain, &limits, true) {
                        proof.is_failed = true;
                        self.note_broken(&mut proof, &head, portrait);
                    }
                    proof.paths += 1;
                }
            }
        }
        self.visited.proof = Some(proof);
        answer
    }

    fn proof_limits(&self) -> SolverLimits {
        SolverLimits { time: COMPARISON_TIME, ..self.solver_limits.clone() }
    }

    /// Finds out why the general state does not cover one to which a round leads.
    fn note_broken(&mut self, proof: &mut InductionProof, head: &Portrait, back: &Portrait) {
        if head.shape != back.shape || head.leaves.len() != back.leaves.len() {
            return;
        }
        let replaced: BTreeSet<usize> = proof.unknowns.values().copied().collect();
        for (at, (one, other)) in head.leaves.iter().zip(&back.leaves).enumerate() {
            if one != other && !replaced.contains(&at) {
                let is_unknown = self.number(*one).is_some_and(|term| match self.vm.terms.node(term) {
                    Node::Variable(variable) => proof.unknowns.contains_key(&variable),
                    _ => false,
                });
                if !is_unknown {
                    proof.changed.insert(at);
                }
            }
        }
        let mut now: HashMap<Variable, Term> = HashMap::new();
        for (variable, at) in &proof.unknowns {
            if let Some(term) = self.number(back.leaves[*at]) {
                now.insert(*variable, term);
            }
        }
        for (at, condition) in proof.conditions.iter().enumerate() {
            let then = self.vm.terms.substitute(*condition, &|variable| now.get(&variable).copied());
            if !self.follows(back.conjuncts(), then) {
                proof.broken.insert(at);
            }
        }
    }

    /// Does a condition follow from others?
    fn follows(&mut self, from: &[Term], condition: Term) -> bool {
        let negation = self.vm.terms.not(condition);
        match self.vm.terms.as_constant(negation) {
            Some(Constant::Bool(is_broken)) => !is_broken,
            _ => {
                let asked: Vec<Term> = from.iter().copied().chain([negation]).collect();
                let limits = self.proof_limits();
                matches!(self.chain.check(&self.vm.terms, &asked, &limits), SolverAnswer::Unsat)
            }
        }
    }

    /// Is the path, which forked so often at one branch, in a loop of which all further rounds are known to be without a fault?
    pub(super) fn is_closed_after(&mut self, path: &Path, forks: usize) -> bool {
        if self.is_proving() && forks > MOST_FORKS {
            self.fail_proof();
            return false;
        }
        if self.visited.depth >= DEEPEST {
            return false;
        }
        let mut wanted = FIRST;
        while wanted < forks && wanted < self.bounds.unroll {
            wanted *= GROWTH;
        }
        if forks != wanted.min(self.bounds.unroll) || !self.compares_states() {
            return false;
        }
        let Some(visit) = path.visits.clone() else { return false };
        let shape = visit.portrait.shape.hash();
        if self.visited.failed.get(&shape).is_some_and(|failures| *failures >= MOST_FAILURES) {
            return false;
        }
        let earlier: Vec<Rc<Portrait>> = visit.earlier().take(4).cloned().collect();
        if earlier.len() < 2 {
            return false;
        }
        // A loop behind or within this one has a proof of its own.
        let outer = self.visited.proof.take();
        self.visited.depth += 1;
        let is_closed = self.prove(path, &visit.portrait, &earlier);
        self.visited.depth -= 1;
        self.visited.proof = outer;
        if !is_closed {
            *self.visited.failed.entry(shape).or_default() += 1;
        }
        is_closed
    }

    fn prove(&mut self, path: &Path, now: &Portrait, earlier: &[Rc<Portrait>]) -> bool {
        let differs = |at: &usize| earlier.iter().any(|before| before.leaves[*at] != now.leaves[*at]);
        let mut changed: BTreeSet<usize> = (0..now.leaves.len()).filter(differs).collect();
        let mut dropped: BTreeSet<String> = BTreeSet::new();
        for _ in 0..MOST_TRIES {
            if changed.is_empty() || changed.len() > MOST_CHANGED {
                return false;
            }
            let Some((general, mut proof, names)) = self.generalised(path, now, earlier, &changed, &dropped) else {
                return false;
            };
            proof.shape = now.shape.hash();
            let proof = self.tried(general, proof);
            if !proof.is_failed {
                return true;
            }
            if self.cut.is_some() || self.is_out_of_time() || (proof.broken.is_empty() && proof.changed.is_empty()) {
                return false;
            }
            dropped.extend(proof.broken.iter().map(|at| names[*at].clone()));
            changed.extend(proof.changed);
        }
        false
    }

    /// Explores from the general state on.
    fn tried(&mut self, general: Path, proof: InductionProof) -> InductionProof {
        self.visited.proof = Some(proof);
        let frontier = std::mem::replace(&mut self.frontier, Frontier::new(crate::Order::Dfs));
        let known = std::mem::take(&mut self.visited.known);
        let summary = std::mem::take(&mut self.summary);
        let time = std::mem::replace(&mut self.solver_limits.time, COMPARISON_TIME);
        self.follow(general, Vec::new());
        while self.cut.is_none() && self.visited.proof.as_ref().is_some_and(|proof| !proof.is_failed) {
            self.look_at_limits();
            let Some(next) = self.frontier.pop() else { break };
            match next.path {
                Some(path) => self.follow(*path, next.trace),
                // Only a trace from the start of the program could make it again.
                None => {
                    self.fail_proof();
                }
            }
        }
        let is_all = self.frontier.len() == 0;
        self.frontier = frontier;
        self.solver_limits.time = time;
        self.visited.known = known;
        let tried = std::mem::replace(&mut self.summary, summary);
        let mut proof = self.visited.proof.take().expect("only this function takes it away");
        proof.is_failed |= !is_all || self.cut.is_some() || !tried.is_all_explored();
        if !proof.is_failed {
            self.summary.take_notes(&tried);
        }
        proof
    }

    /// The state with new unknowns for what changes, and a guess about them. None if it cannot be made.
    fn generalised(
        &mut self,
        path: &Path,
        now: &Portrait,
        earlier: &[Rc<Portrait>],
        changed: &BTreeSet<usize>,
        dropped: &BTreeSet<String>,
    ) -> Option<(Path, InductionProof, Vec<String>)> {
        let witness = path.symbols.condition.witness.clone()?;
        let mut general = path.fork();
        let mut model: Model = (*witness).clone();
        // Places that held the same number each time get one unknown.
        let mut groups: Vec<Counter> = Vec::new();
        let mut unknowns = HashMap::new();
        for at in changed {
            let history: Option<Vec<Term>> = std::iter::once(now)
                .chain(earlier.iter().map(|before| &**before))
                .map(|portrait| self.number(portrait.leaves[*at]))
                .collect();
            let history = history?;
            let sort = self.vm.terms.sort(history[0]);
            if history.iter().any(|term| self.vm.terms.sort(*term) != sort) {
                return None;
            }
            let known = groups.iter().find(|group| group.history == history);
            let unknown = match known {
                Some(group) => group.unknown,
                None => {
                    let unknown = self.vm.terms.variable("loop", sort);
                    let Node::Variable(variable) = self.vm.terms.node(unknown) else { return None };
                    let mut evaluation = Evaluation::new(&self.vm.terms, &witness);
                    let values: Vec<Option<i64>> =
                        history.iter().map(|term| evaluation.value(*term).integer()).collect();
                    model.set(variable, evaluation.value(history[0]));
                    unknowns.insert(variable, *at);
                    groups.push(Counter { at: *at, unknown, sort, history, values });
                    unknown
                }
            };
            if !now.places[*at].write(&mut general, Value::Term(unknown, self.vm.terms.sort(unknown))) {
                return None;
            }
        }
        let steady: Vec<Term> = (0..now.leaves.len())
            .filter(|at| !changed.contains(at))
            .filter_map(|at| match now.leaves[at] {
                Value::Term(term, Sort::Int | Sort::Long) => Some(term),
                _ => None,
            })
            .collect();
        let guesses = self.guesses(path, &groups, &steady);
        let base: HashMap<Variable, Term> = groups
            .iter()
            .filter_map(|group| match self.vm.terms.node(group.unknown) {
                Node::Variable(variable) => Some((variable, group.history[0])),
                _ => None,
            })
            .collect();
        let (mut conditions, mut names) = (Vec::new(), Vec::new());
        for (name, condition) in guesses {
            if dropped.contains(&name) || conditions.contains(&condition) {
                continue;
            }
            let first = self.vm.terms.substitute(condition, &|variable| base.get(&variable).copied());
            if lazuli_logic::evaluate::satisfies(&self.vm.terms, &witness, &[first])
                && self.follows(&path.symbols.condition.conjuncts, first)
            {
                conditions.push(condition);
                names.push(name);
            }
        }
        let symbols = &mut general.symbols;
        symbols.condition.conjuncts.extend(&conditions);
        symbols.condition.witness = Some(Rc::new(model));
        symbols.forks.clear();
        general.visits = None;
        let proof = InductionProof {
            shape: 0,
            head: None,
            conditions,
            unknowns,
            broken: BTreeSet::new(),
            changed: BTreeSet::new(),
            paths: 0,
            states: 0,
            is_failed: false,
        };
        Some((general, proof, names))
    }

    /// Conditions that may be true of the counters in each round.
    fn guesses(&mut self, path: &Path, groups: &[Counter], steady: &[Term]) -> Vec<(String, Term)> {
        let mut found: Vec<(String, Term)> = Vec::new();
        let thresholds = self.thresholds(path);
        for counter in groups.iter().filter(|counter| matches!(counter.sort, Sort::Int | Sort::Long)) {
            let terms = &mut self.vm.terms;
            let (at, unknown) = (counter.at, counter.unknown);
            let number = |value: i64| Constant::of_integer(counter.sort, value);
            let first = counter.history[counter.history.len() - 1];
            found.push((format!("{at}>=first"), terms.less_or_equal(first, unknown)));
            found.push((format!("{at}<=first"), terms.less_or_equal(unknown, first)));
            for (other, term) in steady.iter().enumerate() {
                if terms.sort(*term) != counter.sort {
                    continue;
                }
                found.push((format!("{at}<={other}"), terms.less_or_equal(unknown, *term)));
                found.push((format!("{at}>={other}"), terms.less_or_equal(*term, unknown)));
            }
            let step = counter.step();
            let mut limits: BTreeSet<i64> = thresholds.clone();
            if let Some(step) = step {
                limits.extend(thresholds.iter().flat_map(|limit| {
                    let next = limit.saturating_add(step);
                    [next, next.saturating_add(1), next.saturating_sub(1)]
                }));
            }
            for limit in limits.iter().filter(|limit| counter.sort == Sort::Long || i32::try_from(**limit).is_ok()) {
                let constant = terms.constant(number(*limit));
                found.push((format!("{at}>={limit}c"), terms.less_or_equal(constant, unknown)));
                found.push((format!("{at}<={limit}c"), terms.less_or_equal(unknown, constant)));
            }
            if let Some(step) = step.filter(|step| step.unsigned_abs() > 1)
                && terms.as_constant(first).is_some()
            {
                let (divisor, zero) = (terms.constant(number(step)), terms.constant(number(0)));
                let distance = terms.binary(Binary::Subtract, unknown, first);
                let rest = terms.binary(Binary::Remainder, distance, divisor);
                found.push((format!("{at}%"), terms.equal(rest, zero)));
            }
        }
        for (index, one) in groups.iter().enumerate() {
            for other in groups[index + 1..].iter().filter(|other| other.sort == one.sort) {
                if !matches!(one.sort, Sort::Int | Sort::Long) {
                    continue;
                }
                let terms = &mut self.vm.terms;
                let names = (one.at, other.at);
                if let (Some(left), Some(right)) = (one.step(), other.step())
                    && (left != 0 || right != 0)
                    && left.unsigned_abs().max(right.unsigned_abs()) < 1 << 16
                {
                    // right · one - left · other is the same each time.
                    let mut difference = |one: Term, other: Term| {
                        let right = terms.constant(Constant::of_integer(terms.sort(one), right));
                        let left = terms.constant(Constant::of_integer(terms.sort(one), left));
                        let one = terms.binary(Binary::Multiply, one, right);
                        let other = terms.binary(Binary::Multiply, other, left);
                        terms.binary(Binary::Subtract, one, other)
                    };
                    let (now, then) =
                        (difference(one.unknown, other.unknown), difference(one.history[0], other.history[0]));
                    found.push((format!("{names:?}="), terms.equal(now, then)));
                }
                found.push((format!("{names:?}<="), terms.less_or_equal(one.unknown, other.unknown)));
                found.push((format!("{names:?}>="), terms.less_or_equal(other.unknown, one.unknown)));
            }
        }
        found
    }

    /// The constants with which the path compared something lately, and their neighbours.
    fn thresholds(&self, path: &Path) -> BTreeSet<i64> {
        let terms = &self.vm.terms;
        let mut found = BTreeSet::from([-1, 0, 1]);
        for conjunct in path.symbols.condition.conjuncts.iter().rev().take(8) {
            let mut waiting = vec![*conjunct];
            while let Some(term) = waiting.pop() {
                match terms.node(term) {
                    Node::Unary(_, operand) => waiting.push(operand),
                    Node::Binary(Binary::Equal | Binary::Less | Binary::LessOrEqual, left, right) => {
                        for side in [left, right] {
                            if let Some(value) = terms.as_constant(side).and_then(Constant::integer) {
                                found.extend([value, value.saturating_add(1), value.saturating_sub(1)]);
                            }
                        }
                    }
                    _ => {}
                }
            }
        }
        found
    }
}

/// A number that changes from round to round.
struct Counter {
    at: usize,
    unknown: Term,
    sort: Sort,
    /// Its terms, the latest first.
    history: Vec<Term>,
    /// Their values under the path's witness.
    values: Vec<Option<i64>>,
}

impl Counter {
    /// By how much it grew each time, if that was always the same.
    fn step(&self) -> Option<i64> {
        let steps: Option<Vec<i64>> =
            self.values.windows(2).map(|pair| Some(pair[0]?.wrapping_sub(pair[1]?))).collect();
        let steps = steps?;
        steps.first().copied().filter(|first| steps.iter().all(|step| step == first))
    }
}
