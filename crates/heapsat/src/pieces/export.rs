//! How do the pieces of a method's problem come about? The circuit becomes clauses, and the walk that numbered its objects the order of choices.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use lazuli_logic::SolverLimits;
use lazuli_logic::circuit::{ExportedCircuit, Lit};
use lazuli_logic::sat::SatVerdict;

use super::solver::PieceSolver;
use super::tree::{PieceTree, SplitObject, SplitOptions, SplitPlace, SplitValue};
use crate::exec::value::Pointee;
use crate::method::circuit::{MethodCircuit, SearchOutcome};
use crate::query::oracle::Oracle;

/// The time to find out whether two fields may refer to the same object.
const MINING: Duration = Duration::from_secs(1);

/// For all such questions together.
const MINING_ALL: Duration = Duration::from_secs(20);

impl MethodCircuit {
    /// The problem as a tree of pieces.
    pub fn pieces(&mut self, options: SplitOptions, limits: &SolverLimits) -> PieceTree {
        let claim = self.any_goal();
        let aliases = if options.by_aliasing { self.oracle.aliases() } else { BTreeMap::new() };
        let Oracle { circuit, decider, universe, .. } = &mut self.oracle;
        let walked = universe.walked.iter();
        let named = walked.flat_map(|reference| reference.refs.iter().map(|(_, when)| *when).chain([reference.owner]));
        let named: Vec<Lit> = named.chain(aliases.values().copied()).collect();
        let exported = ExportedCircuit::of(circuit, decider.asserted(), &named, claim);
        let object = |atom: u32| {
            let is_in = |(first, size): &(u32, usize)| (*first..*first + *size as u32).contains(&atom);
            let sort = universe.sorts.iter().position(is_in)?;
            Some(SplitObject { sort, number: universe.atoms[atom as usize].number })
        };
        let fields = universe.leading.len();
        let places = universe.walked.iter().enumerate().map(|(at, reference)| SplitPlace {
            owner: reference.from.and_then(|(atom, _)| object(atom)),
            is_there: exported.literal(reference.owner).filter(|_| reference.owner != Lit::TRUE),
            comes_with_owner: reference
                .from
                .is_some_and(|(atom, _)| universe.atoms[atom as usize].exists == reference.owner),
            field: reference.from.map_or(fields + at, |(_, field)| field) as u16,
            values: reference
                .refs
                .iter()
                .map(|(target, when)| SplitValue {
                    target: match target {
                        Pointee::Atom(atom) => object(*atom),
                        _ => None,
                    },
                    when: exported.literal(*when).filter(|_| *when != Lit::TRUE),
                })
                .collect(),
        });
        // Objects of which it is known that they exist were met before the walk.
        let exists = |first: u32, size: usize| {
            let atoms = &universe.atoms[first as usize..first as usize + size];
            atoms.iter().take_while(|atom| atom.exists == Lit::TRUE).count() as u16
        };
        let mut tree = PieceTree {
            options,
            places: places.collect(),
            is_guided: universe.is_guided.clone(),
            met: universe.sorts.iter().map(|(first, size)| exists(*first, *size)).collect(),
            never_alias: Vec::new(),
            formula: Arc::new(exported.formula.clone()),
        };
        tree.never_alias = never_true(&tree, &aliases, &exported, limits);
        self.exported = exported.inputs;
        tree
    }

    /// Goes on with what a solver elsewhere found, as if it had been found here.
    pub fn found(&mut self, inputs: &[bool], limits: &SolverLimits) -> SearchOutcome {
        let mut assumed: Vec<Lit> =
            self.exported.iter().zip(inputs).map(|(lit, is_true)| lit.negate_if(!is_true)).collect();
        assumed.push(self.any_goal());
        let Oracle { circuit, decider, .. } = &mut self.oracle;
        match decider.solve(circuit, &assumed, limits) {
            SatVerdict::Sat => self.smallest(limits.time.min(Duration::from_secs(2)), limits),
            // The values came from a solver that was told something else: they count for nothing.
            _ => self.search(limits),
        }
    }
}

impl Oracle {
    /// When two different references, of these fields, refer to the same object. The smaller number comes first.
    fn aliases(&mut self) -> BTreeMap<(u16, u16), Lit> {
        let Oracle { circuit, universe, .. } = self;
        // By target and field: the literals of references to it.
        let mut to: BTreeMap<u32, BTreeMap<u16, Vec<Lit>>> = BTreeMap::new();
        for reference in &universe.walked {
            let Some((_, field)) = reference.from else { continue };
            for (target, when) in reference.refs.iter() {
                if let Pointee::Atom(atom) = target {
                    let is_there = circuit.and(reference.owner, *when);
                    to.entry(*atom).or_default().entry(field as u16).or_default().push(is_there);
                }
            }
        }
        let mut aliases: BTreeMap<(u16, u16), Lit> = BTreeMap::new();
        for by_field in to.values() {
            let mut earlier: Vec<(u16, Lit)> = Vec::new();
            for (field, references) in by_field {
                // Two references of one field: one of them, and one before it.
                let (mut one, mut two) = (Lit::FALSE, Lit::FALSE);
                for reference in references {
                    let both = circuit.and(one, *reference);
                    two = circuit.or(two, both);
                    one = circuit.or(one, *reference);
                }
                let known = aliases.entry((*field, *field)).or_insert(Lit::FALSE);
                *known = circuit.or(*known, two);
                for (other, when) in &earlier {
                    let both = circuit.and(*when, one);
                    let known = aliases.entry((*other, *field)).or_insert(Lit::FALSE);
                    *known = circuit.or(*known, both);
                }
                earlier.push((*field, one));
            }
        }
        aliases
    }
}

/// The pairs of fields of which a solver proves that they never refer to the same object.
fn never_true(
    tree: &PieceTree,
    aliases: &BTreeMap<(u16, u16), Lit>,
    exported: &ExportedCircuit,
    limits: &SolverLimits,
) -> Vec<(u16, u16)> {
    let mut solver = PieceSolver::new(&tree.formula);
    let end = std::time::Instant::now() + MINING_ALL;
    let mut is_never = |when: Lit| {
        let time = MINING.min(end.saturating_duration_since(std::time::Instant::now()));
        let limits = SolverLimits { time: limits.time.min(time), ..limits.clone() };
        match exported.literal(when) {
            _ if when == Lit::FALSE => true,
            Some(literal) => solver.has_input(&[literal], &limits) == SatVerdict::Unsat,
            None => false,
        }
    };
    aliases.iter().filter(|(_, when)| is_never(**when)).map(|(pair, _)| *pair).collect()
}
