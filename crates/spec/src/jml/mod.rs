//! What does JML say of a method? Each clause becomes a method of a synthetic class, in plain bytecode.
//!
//! So executing or translating a clause needs no knowledge of JML: a clause has one meaning, that of its code. Only what was there
//! before the method cannot be seen from code: values from then are computed before the method and passed to the clauses behind it,
//! and a few natives say what is new and what has changed.
//!
//! `names` finds out what names stand for, `resolve` what expressions mean (`operators`, `past`, `calls`, `quantifier`, `reach` and `model` are parts of that), `typed` is
//! the result, `emit` writes it as code, `frame` does so with what may change, `cases` and
//! `invariants` find the clauses, `draft` makes methods of them, `stub` replaces calls by them, and `unused` lists those that have no effect.

mod calls;
mod cases;
mod draft;
mod emit;
mod frame;
mod invariants;
mod loops;
mod model;
mod names;
mod natives;
mod operators;
mod past;
mod quantifier;
mod reach;
mod resolve;
mod stub;
pub mod typed;
mod unused;

use std::sync::Arc;

use lazuli_jml::{CompilationUnit, Complaint, SourceText, Span};
use lazuli_vm::program::{Class, Code, Method, Program, SyntheticClass, SyntheticMethod, access, verify};

use crate::SourceLine;
use emit::Library;
use resolve::ResolverTables;

pub use draft::ClauseMeaning;
pub use frame::{Allowed, Places};
pub use names::Files;
pub use stub::{BUNDLED, InvariantsOfClass, call_contract, prepare_stubs};

/// The JML of a method, as code. All methods are static.
#[derive(Clone, Default)]
pub struct Specification {
    /// The files that say it.
    pub sources: Vec<Arc<SourceText>>,
    /// The invariants of the receiver and the parameters: they take the object.
    pub invariants: Vec<RootInvariant>,
    /// They take what the target gets, and all of them must be true before it.
    pub requires: Vec<CompiledClause>,
    /// Values from before the method: they take what the target gets.
    pub olds: Vec<&'static Method>,
    /// The expressions that these compute, in the same order.
    pub old_values: Vec<typed::Typed>,
    /// Must be true after a return. They take the arguments of the target, the result if there is one, and of each value from
    /// before the method the value and whether there is one.
    pub ensures: Vec<CompiledClause>,
    /// The same after an exception, which they take in place of the result.
    pub signals: Vec<CompiledClause>,
    /// Exceptions that clauses allow.
    pub allowed: Vec<&'static Class>,
    /// Does the target always return, by `normal_behavior`?
    pub always_returns: bool,
    /// Does a clause ask what was there before the method?
    pub asks_entry: bool,
    /// Clauses that have no effect, and why.
    pub unused: Vec<UnusedClause>,
}

/// The invariant of one class for one root.
#[derive(Clone, Debug)]
pub struct RootInvariant {
    /// The receiver's place among the roots: `this`, or a parameter.
    pub root: usize,
    /// All clauses, one after the other.
    pub all: &'static Method,
    /// The clauses one by one, to say which of them is broken.
    pub clauses: Vec<CompiledClause>,
}

/// A clause: its code, and what is told of it.
#[derive(Clone, Debug)]
pub struct CompiledClause {
    /// The code: returns whether the clause holds.
    pub method: &'static Method,
    /// `ensures`, `invariant` and so on.
    pub kind: &'static str,
    /// As it is written.
    pub text: String,
    /// Its meaning, for printers to another language.
    pub meaning: Arc<ClauseMeaning>,
    /// The line on which the clause begins.
    pub place: SourceLine,
    /// Where one clause of a group is broken, those behind it may rely on it in vain.
    pub group: usize,
}

impl CompiledClause {
    /// `Buffer.java:12`
    pub fn at(&self) -> String {
        format!("{}:{}", self.place.file, self.place.line)
    }
}

/// A clause that was read, but does not affect the verdict.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UnusedClause {
    /// As it is written.
    pub text: String,
    /// `Buffer.java:12`
    pub at: String,
    /// The reason why it has no effect, as the rest of a sentence that begins with the clause.
    pub why: String,
}

/// Two specifications of one target that are made of the same text are the same.
impl std::fmt::Debug for Specification {
    fn fmt(&self, out: &mut std::fmt::Formatter) -> std::fmt::Result {
        out.debug_struct("Specification").field("sources", &self.sources).finish_non_exhaustive()
    }
}

/// Compiles the invariants of a class alone.
pub fn specify_class(
    program: &Program,
    files: Files,
    class: &'static Class,
) -> Result<Option<Specification>, Complaint> {
    let mut shared = ResolverTables::new(program, files);
    let invariants = invariants::root_invariants(&mut shared, &[typed::Type::Reference(class)], false)?;
    let sources = shared.sources();
    Ok((!invariants.is_empty()).then(|| Specification { invariants, sources, ..Specification::default() }))
}

/// Does the file of a class, or of one that it extends, say what a valid object is?
pub fn has_invariant(program: &Program, files: Files, class: &'static Class) -> Result<bool, Complaint> {
    let mut shared = ResolverTables::new(program, files);
    for class in names::supertypes(class) {
        let declared = shared.declared(class)?;
        if declared.is_some_and(|declared| declared.declaration().invariants.iter().any(|clause| !clause.is_static)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Compiles the JML of a method, its class, and the classes of its parameters. None if there is none.
pub fn specify(program: &Program, files: Files, method: &'static Method) -> Result<Option<Specification>, Complaint> {
    cases::specification(&mut ResolverTables::new(program, files), method)
}

/// A method that was made.
struct Made {
    name: &'static str,
    descriptor: String,
    code: Code,
}

/// Makes a class of these methods, in the name of another.
fn define(program: &Program, host: &'static Class, what: &str, methods: Vec<Made>) -> Vec<&'static Method> {
    for made in &methods {
        let descriptor = program.intern_name(&made.descriptor);
        let verified = verify(&made.code, None, descriptor, &mut lazuli_vm::program::ClassHierarchy::of(program));
        // The interpreter trusts its code.
        assert!(verified.is_ok(), "the code of a clause is wrong: {verified:?} in {} {}", made.name, made.descriptor);
    }
    let methods = methods.into_iter().map(|Made { name, descriptor, code }| SyntheticMethod {
        name,
        descriptor,
        access: access::STATIC | access::PUBLIC,
        code,
    });
    let class = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(host, what),
        host,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: methods.collect(),
    });
    class.methods.clone()
}

impl ResolverTables<'_> {
    fn library(&self) -> Library {
        Library::of(self.program, &self.natives)
    }
}

/// Where something stands, for reports.
fn place(unit: &Arc<CompilationUnit>, span: Span) -> SourceLine {
    let line = u16::try_from(unit.source.line(span)).unwrap_or(u16::MAX);
    SourceLine { package: unit.package.clone(), file: unit.source.file().to_string(), line }
}
