//! Which numbers matter only by their order, and how many bits do they need?
//!
//! Put the number variables of all code that may run into order classes: two that are assigned to, or compared with, each other are in one class.
//! Where no member of a class takes part in arithmetic, the code depends on the numbers of the class only through the order of these numbers and of
//! the constants that the code compares them with or assigns to them. Let n be the number of variables of the class in the input. With no
//! constant, every order of n numbers also occurs among any n different numbers. With constants between -m and m, every order of n numbers and the
//! constants also occurs among -(n + m) … n + m: below, above, and between two neighbouring constants there are n numbers, or as many as there are
//! at all. `MIN_VALUE` and `MAX_VALUE` are frequent initial values; no number is beyond them, so it is enough to add these two. So inputs with numbers
//! of so few bits stand for all inputs: if none of them is a counterexample, none is. With 5 nodes and the constant 0, 12 numbers and hence 4
//! bits do.
//!
//! One flow-insensitive pass over the bytecode finds the classes by unification (Steensgaard, "Points-to analysis in almost linear time", POPL 1996,
//! does the same with pointers). A number of unknown origin counts as computed.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lazuli_vm::program::{Class, Method, Program, ResolvedField};
use lazuli_vm::state::State;
use lazuli_vm::value::{Kind, Value};

use crate::atoms::universe::Universe;
use crate::numbers::flow_analysis::FlowAnalysis;

/// Constants beyond this would need many bits.
const LARGEST: i64 = 1 << 10;

/// Of ints and of longs.
const GREATEST: [i64; 2] = [i32::MAX as i64, i64::MAX];
const LEAST: [i64; 2] = [i32::MIN as i64, i64::MIN];

/// A variable that holds a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) enum NumberVariable {
    /// A field, by the class that declares it and its slot.
    Field(u32, u32),
    /// A local variable of a method: the parameters come first.
    Local(u32, u32),
    /// The result of a method.
    Returned(u32),
    /// A slot of the operand stack where paths meet.
    Joined(u32, u32, u32),
    /// The class of all numbers that take part in arithmetic.
    Computed,
}

/// How many bits a number has, and whether it may be an extreme one besides.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BitWidth {
    pub(crate) bits: usize,
    pub(crate) may_be_greatest: bool,
    pub(crate) may_be_least: bool,
}

/// How many bits the numbers of an input need.
#[derive(Clone, Default)]
pub(crate) struct BitWidths {
    pub(super) groups: OrderClasses,
    /// The methods that were looked at.
    pub(crate) methods: HashSet<u32>,
    /// The fields that their code reads or writes, by class and slot.
    pub(crate) fields: HashSet<(u32, u32)>,
    /// The static fields that refer to objects, by class and slot, in order.
    pub(crate) statics: BTreeSet<(u32, u32)>,
}

impl BitWidths {
    /// Analyses all code that these methods may call. None if some of that is not known. With `is_watched`, the executor refuses to run code that was
    /// not analysed, so that calls of the JDK's methods may be taken for those of the user's classes.
    pub(crate) fn of(program: &Program, methods: &[&'static Method], is_watched: bool) -> Option<BitWidths> {
        FlowAnalysis::run(program, methods, is_watched)
    }

    /// Joins two variables between which values pass outside of all code.
    pub(crate) fn join(&mut self, one: NumberVariable, other: NumberVariable) {
        self.groups.join(one, other);
    }

    /// The bits of number fields of atoms, and of others that are variables of the input, where these need few.
    #[allow(clippy::type_complexity)]
    pub(crate) fn narrow(
        mut self,
        universe: &mut Universe,
        program: &Program,
        path: &State,
        others: &[NumberVariable],
    ) -> (BTreeMap<(u32, u32), BitWidth>, HashMap<NumberVariable, BitWidth>) {
        // A variable of a class counts once for each object that may be of that class.
        let known = self.groups.numbers.keys().filter_map(|variable| match variable {
            NumberVariable::Field(class, slot) => Some((program.class_at(*class as usize), *slot)),
            _ => None,
        });
        let mut met: Vec<(&'static Class, u32)> = known.collect();
        met.sort_by_key(|(class, slot)| (class.id.index(), *slot));
        let mut fields: Vec<((u32, u32), NumberVariable)> = Vec::new();
        for atom in 0..universe.atoms.len() as u32 {
            let class = universe.atoms[atom as usize].class;
            for (owner, slot) in &met {
                let Some((_, field)) = owner.declaration_at(*slot).filter(|(_, field)| is_number(field.kind)) else {
                    continue;
                };
                if program.split(class, owner).yes.is_none() {
                    continue;
                }
                let resolved = ResolvedField {
                    class: owner,
                    slot: *slot,
                    kind: field.kind,
                    is_static: false,
                    is_variable: false,
                    access: field.access,
                };
                let variable = NumberVariable::Field(owner.id.index() as u32, *slot);
                fields.push(((atom, universe.slot(atom, &resolved)), variable));
                if field.kind == Kind::Long {
                    self.groups.longs.insert(variable);
                }
            }
        }
        self.add_concrete_values(path, &met);
        // n of the file's introduction: the number of input variables of each class.
        let mut sizes: HashMap<usize, i64> = HashMap::new();
        for variable in fields.iter().map(|(_, variable)| variable).chain(others) {
            *sizes.entry(self.groups.find(*variable)).or_default() += 1;
        }
        let mut bits = |variable: NumberVariable| self.groups.bits(variable, &sizes);
        let fields = fields.iter().filter_map(|(place, variable)| Some((*place, bits(*variable)?))).collect();
        let others = others.iter().filter_map(|variable| Some((*variable, bits(*variable)?))).collect();
        (fields, others)
    }
}

impl BitWidths {
    /// Values of these fields in objects that exist before the method are constants.
    fn add_concrete_values(&mut self, path: &State, fields: &[(&'static Class, u32)]) {
        for object in path.heap.ids() {
            let class = path.heap.class(object);
            for (owner, slot) in fields.iter().filter(|(owner, _)| class.is_subtype_of(owner)) {
                let variable = NumberVariable::Field(owner.id.index() as u32, *slot);
                match path.heap.field(object, *slot as usize) {
                    Value::Int(value) => self.groups.meet(variable, value as i64),
                    Value::Long(value) => self.groups.meet(variable, value),
                    // It is an input.
                    Value::Unread | Value::Top => {}
                    _ => self.groups.join(NumberVariable::Computed, variable),
                }
            }
        }
    }
}

pub(super) fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Long)
}

/// A union-find over variables; each class has the constants that it meets.
#[derive(Clone, Default)]
pub(super) struct OrderClasses {
    numbers: HashMap<NumberVariable, usize>,
    above: Vec<usize>,
    constants: Vec<BTreeSet<i64>>,
    /// Variables of the input that hold longs.
    pub(super) longs: BTreeSet<NumberVariable>,
}

impl OrderClasses {
    fn find(&mut self, variable: NumberVariable) -> usize {
        let next = self.above.len();
        let number = *self.numbers.entry(variable).or_insert(next);
        if number == next {
            self.above.push(next);
            self.constants.push(BTreeSet::new());
        }
        self.top(number)
    }

    fn top(&mut self, mut number: usize) -> usize {
        while self.above[number] != number {
            self.above[number] = self.above[self.above[number]];
            number = self.above[number];
        }
        number
    }

    pub(super) fn join(&mut self, one: NumberVariable, other: NumberVariable) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.above[other] = one;
            let constants = std::mem::take(&mut self.constants[other]);
            self.constants[one].extend(constants);
        }
    }

    pub(super) fn meet(&mut self, variable: NumberVariable, constant: i64) {
        let group = self.find(variable);
        self.constants[group].insert(constant);
    }

    /// The width of a variable: enough for n numbers, and twice the range of the constants. None if it needs all bits.
    fn bits(&mut self, variable: NumberVariable, sizes: &HashMap<usize, i64>) -> Option<BitWidth> {
        let (group, computed) = (self.find(variable), self.find(NumberVariable::Computed));
        let constants = &self.constants[group];
        let is_extreme = |constant: &&i64| [GREATEST, LEAST].iter().any(|all| all.contains(constant));
        let largest = constants.iter().filter(|each| !is_extreme(each)).map(|each| each.unsigned_abs()).max();
        let inputs = sizes.get(&group).copied().unwrap_or(0);
        if group == computed || largest.is_some_and(|largest| largest > LARGEST as u64) {
            return None;
        }
        let numbers = match largest {
            None => inputs,
            Some(largest) => 2 * (inputs + largest as i64 + 1),
        };
        let bits = (numbers.max(2) as u64).next_power_of_two().trailing_zeros() as usize;
        let may_be = |extremes: [i64; 2]| extremes.iter().any(|extreme| constants.contains(extreme));
        let width = BitWidth { bits, may_be_greatest: may_be(GREATEST), may_be_least: may_be(LEAST) };
        // Among longs, the extreme ints are ordinary numbers that need many bits.
        let has_int_extremes = constants.contains(&GREATEST[0]) || constants.contains(&LEAST[0]);
        let has_longs = self.longs.clone().into_iter().any(|long| self.find(long) == group);
        (bits < 31 && !(has_int_extremes && has_longs)).then_some(width)
    }
}
