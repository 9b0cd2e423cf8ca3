//! Which numbers may a structure hold? Those of given ranges that satisfy what the invariant demands of them.
//!
//! Korat (Boyapati, Khurshid and Marinov, ISSTA 2002) tries every value of every field that the invariant reads. Here the search has already
//! found what the invariant demands, as conditions; values are put in one after the other, and each condition is looked at as soon as
//! its last number is there. As with Korat, a field that the invariant never read is left alone.

use std::collections::BTreeSet;

use lazuli_logic::evaluate::satisfies;
use lazuli_logic::{Binary, Constant, Model, Node, Sort, Term, Terms, Variable};
use lazuli_vm::state::State;
use lazuli_vm::symbols::Entry;
use lazuli_vm::value::Value;

/// The values that are tried, least and greatest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranges {
    /// Of a field, by its name or with its class: `key`, `Node.key`; elements of an array by the field that refers to it.
    pub named: Vec<(String, (i64, i64))>,
    /// Of all others. Default: only truth values, and what the invariant fixes, need no range.
    pub others: Option<(i64, i64)>,
}

/// A number that is not known yet.
struct Open {
    variable: Variable,
    domain: (i64, i64),
    /// The conditions whose last number it is.
    conditions: Vec<Term>,
}

/// Tries all values of the numbers in a structure.
pub struct Assignments<'a> {
    terms: &'a Terms,
    open: Vec<Open>,
    model: Model,
    /// Values that were tried.
    pub tried: u64,
}

/// A number for which the request gives no range, and that has too many values by itself.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the values of {field} have no range")]
pub struct NoRange {
    /// The field with its class.
    pub field: String,
}

/// A domain that is larger than this must be asked for.
const SMALL_DOMAIN: i64 = 256;

impl<'a> Assignments<'a> {
    /// The numbers of a valid structure. `used` gets the ranges that there are.
    pub fn new(
        terms: &'a Terms,
        state: &State,
        ranges: &Ranges,
        used: &mut BTreeSet<String>,
    ) -> Result<Assignments<'a>, NoRange> {
        let conjuncts = &state.symbols.condition.conjuncts;
        let mut assignments = Assignments { terms, open: Vec::new(), model: Model::default(), tried: 0 };
        for (variable, names) in numbers_of(terms, state) {
            let domain = domain_of(terms, conjuncts, variable, &names, ranges, used)?;
            assignments.open.push(Open { variable, domain, conditions: Vec::new() });
        }
        // Further variables of the conditions, such as the length of an array.
        for conjunct in conjuncts {
            for variable in terms.variables_of(*conjunct) {
                if assignments.open.iter().all(|open| open.variable != *variable) {
                    let names = [terms.declaration(*variable).name.clone()];
                    let domain = domain_of(terms, conjuncts, *variable, &names, ranges, used)?;
                    assignments.open.push(Open { variable: *variable, domain, conditions: Vec::new() });
                }
            }
        }
        // Numbers of which there is one possible value only come first: they decide most.
        assignments.open.sort_by_key(|open| open.domain.0 != open.domain.1);
        for conjunct in conjuncts {
            let mentioned = terms.variables_of(*conjunct);
            if let Some(last) = assignments.open.iter().rposition(|open| mentioned.contains(&open.variable)) {
                assignments.open[last].conditions.push(*conjunct);
            }
        }
        Ok(assignments)
    }

    /// Calls `each` with all values that make the structure valid, until it says that it has enough. False if it did.
    pub fn visit(&mut self, each: &mut dyn FnMut(&Model) -> bool) -> bool {
        self.visit_from(0, each)
    }

    fn visit_from(&mut self, position: usize, each: &mut dyn FnMut(&Model) -> bool) -> bool {
        let Some(open) = self.open.get(position) else { return each(&self.model) };
        let (variable, (least, greatest)) = (open.variable, open.domain);
        let sort = self.terms.declaration(variable).sort;
        for value in least..=greatest {
            self.tried += 1;
            self.model.set(variable, constant(sort, value));
            if satisfies(self.terms, &self.model, &self.open[position].conditions)
                && !self.visit_from(position + 1, each)
            {
                return false;
            }
        }
        true
    }
}

/// The numbers that the invariant read in the objects of a structure, each with the names by which its range may be given.
fn numbers_of(terms: &Terms, state: &State) -> Vec<(Variable, Vec<String>)> {
    let mut found: Vec<(Variable, Vec<String>)> = Vec::new();
    let mut add = |value: Value, names: Vec<String>| {
        if let Value::Term(term, _) = value
            && let Node::Variable(variable) = terms.node(term)
            && found.iter().all(|(known, _)| *known != variable)
        {
            found.push((variable, names));
        }
    };
    for input in state.symbols.inputs.iter() {
        match &input.entry {
            Entry::Fields(fields) => {
                let class = state.heap.class(input.object);
                for (slot, value) in fields.iter().enumerate() {
                    let Some((owner, field)) = class.declaration_at(slot as u32) else { continue };
                    let simple = owner.name.rsplit(['/', '$']).next().unwrap_or(owner.name);
                    let with_package = format!("{}.{}", owner.java_name(), field.name);
                    add(*value, vec![format!("{simple}.{}", field.name), field.name.to_string(), with_package]);
                }
            }
            // The numbers in it are those of other inputs.
            Entry::Built(_) => {}
            Entry::Elements(elements) => {
                let array = input.name.split('[').next().unwrap_or(&input.name);
                let field = array.rsplit('.').next().unwrap_or(array).to_string();
                elements.iter().for_each(|(_, value)| add(*value, vec![field.clone()]));
            }
        }
    }
    found
}

/// The values that a number may have. The first name is the one to tell.
fn domain_of(
    terms: &Terms,
    conjuncts: &[Term],
    variable: Variable,
    names: &[String],
    ranges: &Ranges,
    used: &mut BTreeSet<String>,
) -> Result<(i64, i64), NoRange> {
    let declared = terms.declaration(variable);
    let is_whole = matches!(declared.sort, Sort::Int | Sort::Long | Sort::Bool);
    let (least, greatest) = if is_whole { declared.range } else { (i64::MIN, i64::MAX) };
    let within = |(from, to): (i64, i64)| (from.max(least), to.min(greatest));
    if let Some((name, range)) = ranges.named.iter().find(|(name, _)| names.contains(name)) {
        used.insert(name.clone());
        return Ok(within(*range));
    }
    if let Some(value) = conjuncts.iter().find_map(|conjunct| fixed(terms, *conjunct, variable)) {
        return Ok((value, value));
    }
    // Truth values, and lengths within the scope.
    if is_whole && greatest.saturating_sub(least) < SMALL_DOMAIN && (least, greatest) != (-128, 127) {
        return Ok((least, greatest));
    }
    let no_range = || NoRange { field: names.first().map_or("?", String::as_str).to_string() };
    ranges.others.map(within).ok_or_else(no_range)
}

/// The value that a condition fixes: `size == 3`.
fn fixed(terms: &Terms, conjunct: Term, variable: Variable) -> Option<i64> {
    let Node::Binary(Binary::Equal, left, right) = terms.node(conjunct) else { return None };
    match (terms.node(left), terms.node(right)) {
        (Node::Variable(known), Node::Constant(value)) | (Node::Constant(value), Node::Variable(known)) => {
            value.integer().filter(|_| known == variable)
        }
        _ => None,
    }
}

fn constant(sort: Sort, value: i64) -> Constant {
    match sort {
        Sort::Float => Constant::Float((value as f32).to_bits()),
        Sort::Double => Constant::Double((value as f64).to_bits()),
        sort => Constant::of_integer(sort, value),
    }
}
