//! Why is there no test of a path? Data, which the command line words.

use std::fmt::{Debug, Display, Formatter};

use lazuli_explore::Ended;
use lazuli_reach::plan::StepError;
use lazuli_spec::ContractError;
use lazuli_vm::outcome::Limit;

/// The reason why no program replays a case.
#[derive(Clone, Debug, PartialEq)]
pub enum NoPlan {
    /// The static initialiser of the class does not return.
    NotInitialised {
        /// As in source.
        class: String,
        /// The limit that ended the initialiser, if one did.
        cut: Option<Limit>,
    },
    /// The contract of the target cannot be found.
    Contract(ContractError),
    /// The target asks for values by `Lazuli.any…`, and the class on the class path has no `choose` by which a program gives them.
    AsksForValues,
    /// The outcome depends on these values from outside, which no program can choose.
    DependsOnOutside(Vec<String>),
    /// The target ends the JVM.
    EndsJvm,
    /// The class of the receiver overrides the target.
    Overridden {
        /// As in source.
        class: String,
    },
    /// The execution of the plan ends in another way than the path.
    OtherEnd {
        /// The end of the execution.
        found: Ended,
        /// The end of the path.
        expected: Ended,
    },
    /// The execution of the plan ends like the path, and another condition holds then.
    OtherVerdict,
    /// The execution of the plan does not end.
    NoEnd {
        /// The limit that ended it, if one did.
        cut: Option<Limit>,
    },
    /// The plan makes another heap than the case has.
    OtherInput,
    /// A step of the plan cannot be performed.
    Step(StepError),
    /// A static field that a program cannot set.
    StaticOutOfReach {
        /// As in source.
        class: String,
        /// The name of the field.
        field: String,
    },
    /// An object of a class of the JDK, whose fields a program cannot set.
    LibraryObject {
        /// As in source.
        class: String,
    },
    /// A field of a class of the JDK.
    LibraryField {
        /// As in source.
        class: String,
        /// The name of the field.
        field: String,
    },
    /// An object that no constructor makes, and that reflection may not make.
    NoConstructor {
        /// As in source.
        class: String,
    },
    /// A field that a constructor sets otherwise, and that nothing can set later.
    FinalField,
    /// A reference to an object that no step made.
    NotMade(PlanReference),
    /// A value that `\old` asks for cannot be computed.
    OldValue,
    /// The evaluation of a clause does not end.
    ClauseWithoutEnd {
        /// `ensures`
        kind: String,
        /// File and line.
        at: String,
    },
    /// An object of a class of the JDK changes, and a program cannot read its fields.
    HiddenChange {
        /// As in source.
        class: String,
    },
    /// A program cannot decide whether the object was there before the call.
    HiddenObject {
        /// As in source.
        class: String,
    },
    /// The violated clause cannot be written as Java.
    Clause(NoClause),
}

/// A part of a plan that refers to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlanReference {
    /// A static field.
    StaticField,
    /// An argument of the target.
    Argument,
    /// A field of another object.
    Field,
    /// The result of a step.
    StepResult,
}

/// The reason why a clause of JML cannot be written as Java.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClause {
    /// One of several preconditions.
    Preconditions,
    /// A constant of a type that Java does not have.
    Constant,
    /// An operator that Java does not have.
    Operator,
    /// A quantifier over longs whose upper end is included, so that a loop would not end.
    InclusiveLongRange,
    /// A private member of a class of the JDK.
    PrivateMember {
        /// As in source.
        class: String,
    },
}

impl Display for NoPlan {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        Debug::fmt(self, formatter)
    }
}

impl Display for NoClause {
    fn fmt(&self, formatter: &mut Formatter) -> std::fmt::Result {
        Debug::fmt(self, formatter)
    }
}

impl std::error::Error for NoPlan {}
impl std::error::Error for NoClause {}

impl From<NoClause> for NoPlan {
    fn from(why: NoClause) -> NoPlan {
        NoPlan::Clause(why)
    }
}
