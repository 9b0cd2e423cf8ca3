//! Which properties of a method are to be checked, and which code will run for it?

use lazuli_spec::Argument;
use lazuli_vm::program::{Class, Method, descriptor};
use lazuli_vm::value::Kind;

use crate::method::state::PostEncoding;
use crate::numbers::bit_widths::{BitWidths, NumberVariable};
use crate::query::task::{AnalysedCode, OracleTask};

/// A method with its contract.
pub struct Problem<'a> {
    /// The inputs and their invariants.
    pub task: &'a OracleTask<'a>,
    /// The method under check.
    pub method: &'static Method,
    /// Must be true before the method, besides the invariants.
    pub requires: Vec<MethodCondition>,
    /// Values from before the method.
    pub olds: Vec<&'static Method>,
    /// Must be true after a return.
    pub returns: Vec<MethodCondition>,
    /// Must be true after an exception that is allowed.
    pub throws: Vec<MethodCondition>,
    /// May the method throw exceptions of that class?
    pub is_allowed: &'a dyn Fn(&'static Class) -> bool,
    /// Iterations of each loop of the method, and calls of each method within itself.
    pub unroll: usize,
    /// The trade between exactness and size.
    pub encoding: Encoding,
}

/// How are the conditions of a contract translated? The default is the smallest circuit; if an input that it yields turns out to be spurious,
/// the caller asks again with a more exact one.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// Of the receiver and the parameters, before the method.
    pub invariants: InvariantEncoding,
    /// Of recursive postconditions.
    pub posts: PostEncoding,
}

/// How are invariants translated?
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum InvariantEncoding {
    /// On their own, into small circuits that over-approximate.
    #[default]
    Standalone,
    /// On their own, and also executed as the method is.
    Both,
    /// Only executed as the method is.
    InPlace,
}

impl Encoding {
    /// Everything that the solver finds out during the translation is part of the problem, so that a proof need not trust it.
    pub fn certified() -> Encoding {
        Encoding { invariants: InvariantEncoding::InPlace, posts: PostEncoding::InPlace }
    }
}

/// A method that must return true.
pub struct MethodCondition {
    /// The code of the condition.
    pub method: &'static Method,
    /// Its arguments, the receiver first.
    pub arguments: Vec<Argument>,
    /// Was it true at entry, so that it still is if nothing has changed?
    pub was_true: bool,
}

/// A parameter of the method, by its place among the roots.
pub(crate) fn parameter(method: &'static Method, root: usize) -> NumberVariable {
    // The object that a constructor makes comes before them.
    let at = root + (method.name == "<init>") as usize;
    NumberVariable::Local(method.id.index(), at as u32)
}

/// The code that will run, and the values that pass between its methods.
pub(crate) fn analysed_code(problem: &Problem) -> AnalysedCode {
    let method = problem.method;
    let number = |method: &'static Method| method.id.index();
    let all = || problem.requires.iter().chain(&problem.returns).chain(&problem.throws);
    let invariants = problem.task.invariants.iter().map(|invariant| invariant.code());
    let methods = all().map(|condition| condition.method).chain(problem.olds.iter().copied()).chain(invariants);
    let mut joined = Vec::new();
    for condition in all() {
        for (at, argument) in condition.arguments.iter().enumerate() {
            let here = NumberVariable::Local(number(condition.method), at as u32);
            match argument {
                Argument::Given(given) => joined.push((here, NumberVariable::Local(number(method), *given as u32))),
                Argument::Outcome => joined.push((here, NumberVariable::Returned(number(method)))),
                Argument::Old(old) => joined.push((here, NumberVariable::Returned(number(problem.olds[*old])))),
                Argument::HasOld(_) => {}
            }
        }
    }
    for old in &problem.olds {
        let taken = (0..old.arguments)
            .map(|at| (NumberVariable::Local(number(old), at), NumberVariable::Local(number(method), at)));
        joined.extend(taken);
    }
    let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
    let first = !method.is_static() as u32;
    let numbers = types
        .iter()
        .enumerate()
        .filter(|(_, declared)| matches!(Kind::of_descriptor(declared), Kind::Int | Kind::Long));
    let inputs = numbers.map(|(at, _)| NumberVariable::Local(number(method), first + at as u32)).collect();
    let methods: Vec<&'static Method> = methods.chain([method]).collect();
    AnalysedCode { joined, inputs, widths: BitWidths::of(problem.task.program, &methods, true) }
}
