//! What does a method owe at its end?
//!
//! The one place that answers it: the explorer runs obligations at the end of a path, `lazuli-heapsat` translates them behind the method, and
//! `lazuli-testgen` writes them as assertions.

use lazuli_vm::outcome::End;
use lazuli_vm::program::{Method, Program};
use lazuli_vm::value::{Kind, Value};

use crate::contract::{Contract, arguments_of, invariant_of};
use crate::{CompiledClause, ContractOptions};

/// A method that must return true when the target has ended.
#[derive(Clone, Debug)]
pub struct Obligation {
    /// The code that is executed: where the receiver may override `declared`, a dispatcher.
    pub method: &'static Method,
    /// The method that the contract names.
    pub declared: &'static Method,
    /// The arguments of the code, in order.
    pub arguments: Vec<Argument>,
    /// The part of the contract from which the obligation comes.
    pub owed: Owed,
    /// Was it true at entry, so that it still is if nothing has changed?
    pub was_true: bool,
}

/// An argument of a contract method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Argument {
    /// An argument of the target, by position: the receiver first.
    Given(usize),
    /// The result of the target, or the exception that it threw.
    Outcome,
    /// A value from before the target, by number; any value if there is none.
    Old(usize),
    /// Is there such a value? Computing it may have thrown.
    HasOld(usize),
}

/// The part of a contract that an obligation comes from.
#[derive(Clone, Debug)]
pub enum Owed {
    /// The receiver must be valid: by a method of its own, or a clause of JML.
    Invariant(Option<CompiledClause>),
    /// The method that `--post` names.
    Postcondition,
    /// A clause of JML about the end of the target.
    Clause(CompiledClause),
}

/// The two kinds of ends after which a method owes something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CompletionKind {
    /// The method returned.
    Return,
    /// By an exception that the target declares or that is allowed.
    Throw,
}

impl CompletionKind {
    /// The kind of an end; none for those after which nothing is owed.
    pub fn of(end: &End) -> Option<CompletionKind> {
        match end {
            End::Returned(_) => Some(CompletionKind::Return),
            End::Threw(_) => Some(CompletionKind::Throw),
            _ => None,
        }
    }
}

/// The values that the arguments of obligations stand for.
#[derive(Clone, Copy)]
pub struct EndValues<'a> {
    /// The arguments of the target, the receiver first.
    pub arguments: &'a [Value],
    /// How the target ended, with its result or its exception.
    pub end: &'a End,
    /// The values from before the target that clauses ask for; none where computing one threw.
    pub olds: &'a [Option<Value>],
}

impl Contract {
    /// All that the target owes after such an exit, in the order in which it is checked.
    pub fn obligations(
        &self,
        program: &Program,
        target: &'static Method,
        options: &ContractOptions,
        exit: CompletionKind,
    ) -> Vec<Obligation> {
        let mut owed = Vec::new();
        if options.post {
            self.owe_invariants(program, target, options, &mut owed);
        }
        let given: Vec<Argument> = (0..target.arguments as usize).map(Argument::Given).collect();
        let outcome = (exit == CompletionKind::Throw || target.result != Kind::Void).then_some(Argument::Outcome);
        if let (Some(post), CompletionKind::Return) = (self.post, exit) {
            let arguments = arguments_of(post, target, &given, outcome);
            let owed_as = Owed::Postcondition;
            owed.push(Obligation { method: post, declared: post, arguments, owed: owed_as, was_true: false });
        }
        if let Some(specification) = &self.specification {
            let olds = (0..specification.olds.len()).flat_map(|old| [Argument::Old(old), Argument::HasOld(old)]);
            let arguments: Vec<Argument> = given.into_iter().chain(outcome).chain(olds).collect();
            let clauses = match exit {
                CompletionKind::Return => &specification.ensures,
                CompletionKind::Throw => &specification.signals,
            };
            owed.extend(clauses.iter().map(|clause| Obligation {
                method: clause.method,
                declared: clause.method,
                arguments: arguments.clone(),
                owed: Owed::Clause(clause.clone()),
                was_true: false,
            }));
        }
        owed
    }

    /// The receiver, or the object that a constructor made, must be valid.
    fn owe_invariants(
        &self,
        program: &Program,
        target: &'static Method,
        options: &ContractOptions,
        owed: &mut Vec<Obligation>,
    ) {
        let is_made = target.name == "<init>";
        let of_receiver = |method, declared, clause| Obligation {
            method,
            declared,
            arguments: vec![Argument::Given(0)],
            owed: Owed::Invariant(clause),
            was_true: !is_made,
        };
        if is_made {
            let parts = invariant_of(program, target.class(), options);
            owed.extend(parts.into_iter().map(|part| of_receiver(part, part, None)));
        } else if !target.is_static() {
            for invariant in self.invariants.iter().filter(|invariant| invariant.root == 0) {
                match invariant.is_clause() {
                    true => {
                        let clauses = self.clauses_of(invariant);
                        owed.extend(
                            clauses.map(|clause| of_receiver(clause.method, clause.method, Some(clause.clone()))),
                        );
                    }
                    false => owed.push(of_receiver(invariant.code(), invariant.method, None)),
                }
            }
        }
    }
}

impl Obligation {
    /// The clause of JML that it is, if it is one.
    pub fn clause(&self) -> Option<&CompiledClause> {
        match &self.owed {
            Owed::Invariant(clause) => clause.as_ref(),
            Owed::Postcondition => None,
            Owed::Clause(clause) => Some(clause),
        }
    }

    /// Is it about the validity of the receiver?
    pub fn is_invariant(&self) -> bool {
        matches!(self.owed, Owed::Invariant(_))
    }

    /// `invariant`, `postcondition`, or the keyword of a clause.
    pub fn kind(&self) -> &'static str {
        match (&self.owed, self.clause()) {
            (_, Some(clause)) => clause.kind,
            (Owed::Postcondition, None) => "postcondition",
            (_, None) => "invariant",
        }
    }

    /// `repOK()`, or `ensures at Buffer.java:12`.
    pub fn name(&self) -> String {
        match self.clause() {
            Some(clause) => format!("{} at {}", clause.kind, clause.at()),
            None => format!("{}()", self.method.name),
        }
    }

    /// Two faults with the same cause are one.
    pub fn cause(&self) -> &'static str {
        // Each clause has a class of its own.
        if self.clause().is_some() { self.method.class().name } else { self.method.name }
    }

    /// The values of its arguments at one end of the target.
    pub fn values(&self, given: &EndValues, olds: &[&'static Method]) -> Vec<Value> {
        let outcome = match given.end {
            End::Returned(value) => *value,
            End::Threw(exception) => Value::from(*exception),
            _ => Value::Top,
        };
        let value = |argument: &Argument| match *argument {
            Argument::Given(at) => given.arguments[at],
            Argument::Outcome => outcome,
            Argument::Old(at) => given.olds[at].unwrap_or(olds[at].result.default_value()),
            Argument::HasOld(at) => Value::bool(given.olds[at].is_some()),
        };
        self.arguments.iter().map(value).collect()
    }
}
