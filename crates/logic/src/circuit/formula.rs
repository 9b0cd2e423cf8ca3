//! How is a question about a circuit told to solvers elsewhere, which know nothing of circuits?
//!
//! As clauses: first those of what is granted, then those of a claim. So the granted part alone is a formula too, over the first
//! variables, and a question about it costs nothing for the rest. A solver elsewhere answers under assumptions with the values of
//! the inputs, from which all other values follow.

use std::cell::RefCell;
use std::rc::Rc;

use super::{Circuit, Decider, Lit};
use crate::limits::SolverLimits;
use crate::sat::{Clauses, Literal, Record, SatSolver, SatVerdict};

/// The first bytes of a formula that is written down. The number changes with the format.
const FORMAT: &[u8] = b"lazuli formula 1\n";

/// Clauses that are satisfiable together with the claim if the claim is possible.
#[derive(Clone, Default)]
pub struct Formula {
    /// The number of variables, which are numbered from 1.
    pub variables: usize,
    /// Those of the granted part come first.
    pub clauses: Clauses,
    /// The variables and the clauses of the granted part.
    pub granted: FormulaPart,
    /// The literal that is assumed to be true. None if it cannot be.
    pub claim: Option<Literal>,
    /// The inputs of the circuit on which the clauses depend.
    pub inputs: Vec<Literal>,
}

/// How much of a formula belongs to a part that comes first.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct FormulaPart {
    /// Variables with smaller numbers belong to it, and so does this one.
    pub variables: usize,
    /// As many clauses belong to it.
    pub clauses: usize,
}

/// A formula, and which of its literals stand for those of the circuit.
pub struct ExportedCircuit {
    /// The clauses.
    pub formula: Formula,
    /// The inputs of the circuit, in the order of the formula's.
    pub inputs: Vec<Lit>,
    decider: Decider,
}

impl ExportedCircuit {
    /// Writes down what is granted, and then a claim. The named literals get variables of the granted part.
    pub fn of(circuit: &Circuit, granted: &[Lit], named: &[Lit], claim: Lit) -> ExportedCircuit {
        let (recorder, record) = Recorder::new();
        let mut decider = Decider::with(Box::new(recorder));
        for lit in granted {
            decider.assert(circuit, *lit);
        }
        for lit in named.iter().filter(|lit| lit.as_constant().is_none()) {
            decider.literal(circuit, *lit);
        }
        let part = FormulaPart { variables: record.borrow().variables, clauses: record.borrow().clauses.len() };
        let claim = (claim != Lit::FALSE).then(|| decider.literal(circuit, claim));
        let Record { variables, clauses, .. } = record.take();
        let known = circuit.inputs().iter().filter_map(|lit| Some((*lit, decider.sat_literal(*lit)?)));
        let (lits, inputs) = known.unzip();
        ExportedCircuit { formula: Formula { variables, clauses, granted: part, claim, inputs }, inputs: lits, decider }
    }

    /// The literal of the formula for one of the circuit, if it occurs there.
    pub fn literal(&self, lit: Lit) -> Option<Literal> {
        self.decider.sat_literal(lit)
    }
}

impl Formula {
    /// Tells a new solver of the granted part, or of the whole formula.
    pub fn tell(&self, solver: &mut dyn SatSolver, is_whole: bool) {
        let whole = FormulaPart { variables: self.variables, clauses: self.clauses.len() };
        let part = if is_whole { whole } else { self.granted };
        for _ in 0..part.variables {
            solver.new_variable();
        }
        for clause in self.clauses.iter().take(part.clauses) {
            solver.add_clause(clause);
        }
    }

    /// Writes the formula down, in few bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = FORMAT.to_vec();
        let claim = self.claim.map_or(0, folded);
        let sizes = [self.variables, self.granted.variables, self.granted.clauses, claim, self.inputs.len()];
        sizes.iter().for_each(|size| write_number(&mut bytes, *size));
        self.inputs.iter().for_each(|input| write_number(&mut bytes, folded(*input)));
        write_number(&mut bytes, self.clauses.len());
        for clause in self.clauses.iter() {
            write_number(&mut bytes, clause.len());
            clause.iter().for_each(|literal| write_number(&mut bytes, folded(*literal)));
        }
        bytes
    }

    /// Reads a formula that was written down. None if the bytes are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Formula> {
        let mut rest = bytes.strip_prefix(FORMAT)?;
        let mut next = || read_number(&mut rest);
        let (variables, of_granted, granted_clauses, claim, inputs) = (next()?, next()?, next()?, next()?, next()?);
        let literal = |number: usize| unfolded(number).filter(|literal| literal.variable_number() <= variables);
        let claim = if claim == 0 { None } else { Some(literal(claim)?) };
        let inputs = (0..inputs).map(|_| literal(next()?)).collect::<Option<Vec<Literal>>>()?;
        let mut clauses = Clauses::default();
        for _ in 0..next()? {
            let length = next()?;
            let clause = (0..length).map(|_| literal(next()?)).collect::<Option<Vec<Literal>>>()?;
            clauses.add(clause);
        }
        let granted = FormulaPart { variables: of_granted, clauses: granted_clauses };
        let is_whole = rest.is_empty() && of_granted <= variables && granted_clauses <= clauses.len();
        is_whole.then_some(Formula { variables, clauses, granted, claim, inputs })
    }
}

/// A literal as a number that is not zero: 2 and 3 are the first variable and its negation.
fn folded(literal: Literal) -> usize {
    2 * literal.variable_number() + (literal.number() < 0) as usize
}

fn unfolded(number: usize) -> Option<Literal> {
    let variable = i32::try_from(number / 2).ok()?;
    Literal::from_number(if number % 2 == 1 { -variable } else { variable })
}

/// Seven bits in each byte, the lowest first; all but the last byte have the eighth.
fn write_number(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<usize> {
    let mut number = 0usize;
    for shift in (0..usize::BITS).step_by(7) {
        let (byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= ((byte & 0x7f) as usize).checked_shl(shift)?;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

/// Writes down what it is told, and decides nothing.
struct Recorder {
    record: Rc<RefCell<Record>>,
}

impl Recorder {
    fn new() -> (Recorder, Rc<RefCell<Record>>) {
        let record: Rc<RefCell<Record>> = Rc::default();
        (Recorder { record: record.clone() }, record)
    }
}

impl SatSolver for Recorder {
    fn fresh(&self) -> Box<dyn SatSolver> {
        self.record.replace(Record::default());
        Box::new(Recorder { record: self.record.clone() })
    }

    fn new_variable(&mut self) -> Literal {
        let mut record = self.record.borrow_mut();
        record.variables += 1;
        Literal::variable(record.variables)
    }

    fn add_clause(&mut self, clause: &[Literal]) {
        self.record.borrow_mut().clauses.add(clause.iter().copied());
    }

    fn solve(&mut self, _assumptions: &[Literal], _limits: &SolverLimits) -> SatVerdict {
        SatVerdict::Unknown
    }

    fn value(&self, _literal: Literal) -> bool {
        false
    }

    fn failed(&self) -> &[Literal] {
        &[]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sat::Cadical;

    fn example() -> (Circuit, ExportedCircuit, [Lit; 3]) {
        let mut circuit = Circuit::new();
        let [a, b, c] = [circuit.input(), circuit.input(), circuit.input()];
        let either = circuit.or(a, b);
        let claim = circuit.and(c, !a);
        let exported = ExportedCircuit::of(&circuit, &[either], &[a, b], claim);
        (circuit, exported, [a, b, c])
    }

    #[test]
    fn the_granted_part_comes_first_and_says_nothing_of_the_claim() {
        let (_, exported, [a, b, c]) = example();
        let part = exported.formula.granted;
        let number = |lit| exported.literal(lit).unwrap().variable_number();
        assert!(number(a) <= part.variables && number(b) <= part.variables && number(c) > part.variables);
        let limits = SolverLimits::default();
        for (is_whole, expected) in [(false, SatVerdict::Sat), (true, SatVerdict::Unsat)] {
            let mut solver = Cadical::plain();
            exported.formula.tell(&mut solver, is_whole);
            let claim = if is_whole { exported.formula.claim.unwrap() } else { exported.literal(a).unwrap() };
            assert_eq!(solver.solve(&[exported.literal(a).unwrap(), claim], &limits), expected);
        }
    }

    #[test]
    fn a_formula_comes_back_from_its_bytes_and_nothing_else_does() {
        let (_, exported, _) = example();
        let bytes = exported.formula.to_bytes();
        let again = Formula::from_bytes(&bytes).unwrap();
        assert_eq!(again.to_bytes(), bytes);
        assert_eq!((again.variables, again.claim, again.granted), {
            let Formula { variables, claim, granted, .. } = exported.formula;
            (variables, claim, granted)
        });
        for cut in 0..bytes.len() {
            assert!(Formula::from_bytes(&bytes[..cut]).is_none(), "cut at {cut}");
        }
        assert!(Formula::from_bytes(&[&bytes[..], b"x"].concat()).is_none());
    }
}
