//! How can somebody who does not trust us see that a method is right?
//!
//! The whole problem is written as clauses that contradict each other, with a proof of that. Its last clause, the claim, says that some valid input goes wrong, or
//! that something is possible which was left out of the translation because a solver had called it impossible. What was asserted are the axioms of the universe, which
//! give each heap one description, and that the invariants and preconditions are true; nothing that a solver said of the program is among it. What must be believed
//! is that the clauses mean the program: the numbering of objects (and which references it excludes, which a solver is asked before there is a program), how many bits
//! numbers need that are only compared, that an invariant stays true if nothing is written, and the translation of each instruction. The map says which variables stand for fields, parameters, and ways to go wrong; all others are gates between these.

use lazuli_logic::Limits;
use lazuli_logic::circuit::{Lit, Refutation, refute};
use lazuli_logic::sat::{Clauses, Verdict};
use lazuli_vm::program::{Class, Method, Program};

use super::meaning::{Meaning, Target};
use super::oracle::Oracle;
use super::translate::told_place;
use super::whole::{Checked, Fault};

/// All that is needed to see it.
pub struct Certificate {
    pub variables: usize,
    /// The last one is the claim.
    pub clauses: Clauses,
    /// Each follows by unit propagation; the last one is empty.
    pub steps: Clauses,
    /// What literals mean, by their numbers in the clauses; less than zero if negated.
    pub names: Vec<(i32, String)>,
}

/// What the parts of a problem are called.
pub struct Vocabulary<'a> {
    pub program: &'a Program,
    /// The receiver and the parameters.
    pub given: Vec<String>,
    /// The conditions that must be true after a return, and after an exception.
    pub returns: Vec<&'static Method>,
    pub throws: Vec<&'static Method>,
}

impl Checked {
    /// Proves that nothing goes wrong. The verdict says why there is no proof.
    pub fn certificate(&mut self, words: &Vocabulary, limits: &Limits) -> Result<Certificate, Verdict> {
        let wrong = self.wrong.iter().map(|wrong| wrong.when);
        let cuts = self.cuts.iter().map(|cut| cut.when);
        let impossible = self.impossible.iter().map(|impossible| impossible.when);
        let claims: Vec<Lit> = wrong.chain(cuts).chain(impossible).collect();
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        let refutation = refute(circuit, decider.asserted(), &claims, limits)?;
        let mut names = Names { refutation: &refutation, names: Vec::new() };
        let claim = "claim: a valid input goes wrong, or something is possible that was left out";
        names.names.push((refutation.claim.number(), claim.to_string()));
        self.name_inputs(words, &mut names);
        self.name_ends(words, &mut names);
        let names = names.names;
        let Refutation { variables, clauses, steps, .. } = refutation;
        Ok(Certificate { variables, clauses, steps, names })
    }

    fn name_inputs(&self, words: &Vocabulary, names: &mut Names) {
        let universe = &self.oracle.universe;
        let told = |target: &Target| match target {
            Target::Null => "null".to_string(),
            Target::Atom(atom) => self.atom(*atom),
            Target::Made(number) => format!("new object {number}"),
            Target::Held(number) => format!("object {number} of a static field"),
            Target::Mirror(class) => format!("class {}", words.program.class_at(*class as usize).java_name()),
            Target::Other => "some other object".to_string(),
        };
        let mut add = |what: &str, meaning: &Meaning| match meaning {
            Meaning::Nothing => {}
            Meaning::Ref(refs) => refs.iter().for_each(|(to, when)| names.add(*when, format!("{what} = {}", told(to)))),
            Meaning::Word(word) => {
                word.iter().enumerate().for_each(|(at, bit)| names.add(*bit, format!("{what} bit {at}")));
            }
        };
        for (at, meaning) in self.given.iter().enumerate() {
            let name = words.given.get(at).map_or_else(|| format!("number {at}"), String::clone);
            add(&format!("parameter {name}"), meaning);
        }
        let field = |(atom, slot): &(u32, u32)| {
            let known = &universe.atoms[*atom as usize];
            let (of, slot) = universe.field_at(*slot);
            let label = of.unwrap_or(known.class).label_at(slot).or_else(|| known.counted.label_at(slot));
            match universe.lengths.contains_key(atom) {
                true => format!("{}[{slot}]", self.atom(*atom)),
                false => format!("{}.{}", self.atom(*atom), label.unwrap_or_else(|| format!("field {slot}"))),
            }
        };
        universe.places.iter().for_each(|(place, refs)| add(&field(place), &Meaning::Ref(refs.clone())));
        universe.others.iter().for_each(|(place, meaning)| add(&field(place), meaning));
        for ((class, slot), meaning) in &universe.statics {
            let class = words.program.class_at(*class as usize);
            let field = class.fields.iter().find(|field| field.is_static() && field.slot == *slot);
            add(&format!("{}.{}", class.java_name(), field.map_or("?", |field| field.name)), meaning);
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
        for wrong in &self.wrong {
            let what = match &wrong.what {
                Fault::Threw(class, site) => format!("{class} is thrown, at {site}"),
                Fault::Returns(at) => format!("after a return, {} is false", words.returns[*at].full_name()),
                Fault::Throws(at) => format!("after an exception, {} is false", words.throws[*at].full_name()),
            };
            names.add(wrong.when, format!("goes wrong: {what}"));
        }
        for cut in &self.cuts {
            names.add(cut.when, format!("goes on: {}", cut.at));
        }
        for impossible in &self.impossible {
            let at = impossible.at.map(|at| format!(", at {}", told_place(words.program, at)));
            names.add(impossible.when, format!("left out as impossible{}", at.unwrap_or_default()));
        }
    }

    fn atom(&self, atom: u32) -> String {
        let known = &self.oracle.universe.atoms[atom as usize];
        let class = known.counted.java_name();
        format!("{}#{}", class.rsplit(['.', '$']).next().unwrap_or(&class), known.number)
    }
}

struct Names<'a> {
    refutation: &'a Refutation,
    names: Vec<(i32, String)>,
}

impl Names<'_> {
    /// What never changes has no variable, and needs no name.
    fn add(&mut self, lit: Lit, what: String) {
        if lit.as_constant().is_none()
            && let Some(literal) = self.refutation.literal(lit)
        {
            self.names.push((literal.number(), what));
        }
    }
}
