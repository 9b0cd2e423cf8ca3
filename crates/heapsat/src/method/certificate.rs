//! How can a reader who does not trust this tool check that a method is right?
//!
//! The whole problem is written as clauses that contradict each other, with a proof of that. Its last clause, the claim, says that some valid input
//! violates the contract, or that a guard is satisfiable which was left out of the translation because a solver had refuted it. The asserted clauses
//! are the axioms of the universe, which give each heap one description, and that the invariants and preconditions are true; no answer of a solver
//! about the program is among them. The reader must believe that the clauses mean the program: the numbering of objects (and the references that
//! it excludes, which a solver is asked before there is a program), the bit widths of numbers that are only compared, that an invariant stays true
//! if nothing is written, and the translation of each instruction. The map says which variables stand for fields, parameters and violations; all
//! others are gates between these.
//!
//! The same clauses without a proof are for other solvers: a model of them is an input that goes wrong.

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::{ExportedCircuit, Lit, Refutation, refute};
use lazuli_logic::sat::{Clauses, Literal, SatVerdict};
use lazuli_vm::program::{Class, Method, Program};

use crate::exec::executor::source_location;
use crate::exec::value::{Pointee, SymValue};
use crate::method::circuit::{MethodCircuit, ViolatedProperty};
use crate::query::oracle::Oracle;

/// The whole problem as clauses, with a map of its variables.
pub struct NamedClauses {
    /// The number of variables.
    pub variables: usize,
    /// The last one is the claim.
    pub clauses: Clauses,
    /// The meanings of literals, by their numbers in the clauses; negative if negated.
    pub names: Vec<(i32, String)>,
}

/// A refutation of the claim.
pub struct Certificate {
    /// The clauses that contradict each other.
    pub problem: NamedClauses,
    /// Each follows by unit propagation; the last one is empty.
    pub steps: Clauses,
}

/// The names of the parts of a problem.
pub struct Vocabulary<'a> {
    /// The classes.
    pub program: &'a Program,
    /// The receiver and the parameters.
    pub given: Vec<String>,
    /// The conditions that must be true after a return.
    pub returns: Vec<&'static Method>,
    /// The conditions that must be true after an exception.
    pub throws: Vec<&'static Method>,
}

impl MethodCircuit {
    /// Proves that no valid input violates the contract. The verdict says why there is no proof.
    pub fn certificate(&mut self, words: &Vocabulary, limits: &SolverLimits) -> Result<Certificate, SatVerdict> {
        let claims = self.claims();
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        let refutation = refute(circuit, decider.asserted(), &claims, limits)?;
        let names = self.names(words, Some(refutation.claim), &|lit| refutation.literal(lit));
        let Refutation { variables, clauses, steps, .. } = refutation;
        Ok(Certificate { problem: NamedClauses { variables, clauses, names }, steps })
    }

    /// The clauses alone, which have a model if a valid input violates the contract, or goes on behind the last unrolling.
    pub fn clauses(&mut self, words: &Vocabulary) -> NamedClauses {
        let claims = self.claims();
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        let any = circuit.any(claims.iter().copied());
        let exported = ExportedCircuit::of(circuit, decider.asserted(), &claims, any);
        let names = self.names(words, exported.formula.claim, &|lit| exported.literal(lit));
        let mut formula = exported.formula;
        // A claim that cannot be true is the empty clause.
        formula.clauses.add(formula.claim);
        NamedClauses { variables: formula.variables, clauses: formula.clauses, names }
    }

    /// When something goes wrong, goes on, or is possible that was left out.
    fn claims(&self) -> Vec<Lit> {
        let goals = self.goals.iter().map(|goal| goal.when);
        let cuts = self.cuts.iter().map(|cut| cut.when);
        let infeasible = self.infeasible.iter().map(|infeasible| infeasible.when);
        goals.chain(cuts).chain(infeasible).collect()
    }

    fn names(
        &self,
        words: &Vocabulary,
        claim: Option<Literal>,
        literal: &dyn Fn(Lit) -> Option<Literal>,
    ) -> Vec<(i32, String)> {
        let mut names = Names { literal, names: Vec::new() };
        let meaning = "claim: a valid input goes wrong, or something is possible that was left out";
        names.names.extend(claim.map(|claim| (claim.number(), meaning.to_string())));
        self.name_inputs(words, &mut names);
        self.name_ends(words, &mut names);
        names.names
    }

    fn name_inputs(&self, words: &Vocabulary, names: &mut Names) {
        let universe = &self.oracle.universe;
        let described = |target: &Pointee| match target {
            Pointee::Null => "null".to_string(),
            Pointee::Atom(atom) => self.atom(*atom),
            Pointee::Allocated(number) => format!("new object {number}"),
            Pointee::Concrete(number) => format!("object {number} of a static field"),
            Pointee::Mirror(class) => format!("class {}", words.program.class_at(*class as usize).java_name()),
            Pointee::Unknown => "some other object".to_string(),
        };
        let mut add = |what: &str, value: &SymValue| match value {
            SymValue::Undefined => {}
            SymValue::Ref(refs) => {
                refs.iter().for_each(|(to, when)| names.add(*when, format!("{what} = {}", described(to))))
            }
            SymValue::Word(word) => {
                word.iter().enumerate().for_each(|(at, bit)| names.add(*bit, format!("{what} bit {at}")));
            }
        };
        for (at, value) in self.given.iter().enumerate() {
            let name = words.given.get(at).map_or_else(|| format!("number {at}"), String::clone);
            add(&format!("parameter {name}"), value);
        }
        // Locations: reference fields, other fields, static fields, classes, lengths and existence of atoms.
        let field = |(atom, slot): &(u32, u32)| {
            let known = &universe.atoms[*atom as usize];
            let (of, slot) = universe.field_at(*slot);
            let label = of.unwrap_or(known.class).label_at(slot).or_else(|| known.counted.label_at(slot));
            match universe.lengths.contains_key(atom) {
                true => format!("{}[{slot}]", self.atom(*atom)),
                false => format!("{}.{}", self.atom(*atom), label.unwrap_or_else(|| format!("field {slot}"))),
            }
        };
        universe.places.iter().for_each(|(place, refs)| add(&field(place), &SymValue::Ref(refs.clone())));
        universe.others.iter().for_each(|(place, value)| add(&field(place), value));
        for ((class, slot), value) in &universe.statics {
            let class = words.program.class_at(*class as usize);
            let field = class.fields.iter().find(|field| field.is_static() && field.slot == *slot);
            add(&format!("{}.{}", class.java_name(), field.map_or("?", |field| field.name)), value);
        }
        for (atom, parts) in &universe.parts {
            let of = |class: &Class| if class.is_open() { "another class".to_string() } else { class.java_name() };
            for (class, when) in parts {
                names.add(*when, format!("{} is of {}", self.atom(*atom), of(class)));
            }
        }
        for (atom, length) in &universe.lengths {
            for (at, bit) in length.iter().enumerate() {
                names.add(*bit, format!("{}.length bit {at}", self.atom(*atom)));
            }
        }
        for (at, atom) in universe.atoms.iter().enumerate() {
            names.add(atom.exists, format!("{} exists", self.atom(at as u32)));
        }
    }

    fn name_ends(&self, words: &Vocabulary, names: &mut Names) {
        for goal in &self.goals {
            let what = match &goal.what {
                ViolatedProperty::Threw(class, site) => format!("{class} is thrown, at {site}"),
                ViolatedProperty::Returns(at) => format!("after a return, {} is false", words.returns[*at].full_name()),
                ViolatedProperty::Throws(at) => {
                    format!("after an exception, {} is false", words.throws[*at].full_name())
                }
            };
            names.add(goal.when, format!("goes wrong: {what}"));
        }
        for cut in &self.cuts {
            names.add(cut.when, format!("goes on: {}", cut.at));
        }
        for infeasible in &self.infeasible {
            let at = infeasible.at.map(|at| format!(", at {}", source_location(words.program, at)));
            names.add(infeasible.when, format!("left out as impossible{}", at.unwrap_or_default()));
        }
    }

    fn atom(&self, atom: u32) -> String {
        let known = &self.oracle.universe.atoms[atom as usize];
        let class = known.counted.java_name();
        format!("{}#{}", class.rsplit(['.', '$']).next().unwrap_or(&class), known.number)
    }
}

struct Names<'a> {
    /// The literal of the clauses for one of the circuit, if it occurs there.
    literal: &'a dyn Fn(Lit) -> Option<Literal>,
    names: Vec<(i32, String)>,
}

impl Names<'_> {
    /// Names a literal. A constant has no variable, and needs no name.
    fn add(&mut self, lit: Lit, what: String) {
        if lit.as_constant().is_none()
            && let Some(literal) = (self.literal)(lit)
        {
            self.names.push((literal.number(), what));
        }
    }
}
