//! How does a contract replace a call? By a stub: code that checks what the call must keep, has it performed, and drops the ends that the contract excludes.
//!
//! ```text
//! static R stub(args) {
//!     begun();
//!     if (!requires(args)) refused(0);               // or the clause throws
//!     olds = …                                       // each with whether there is one
//!     assignField(this, slot); assignAll(a); …       // nothing of the kind where everything may be assigned
//!     try { r = perform(args); } catch (Throwable e) {
//!         if (!signals(args, e, olds)) unsatisfied();
//!         satisfied(); throw e;
//!     }
//!     if (!ensures(args, r, olds)) unsatisfied();
//!     satisfied(); return r;
//! }
//! ```
//!
//! The clauses are the methods that the contract of a target consists of. Only frames are not executed here: they say what becomes unknown.

use lazuli_jml::{Assignable, Behavior, Complaint, StoreRefs};
use lazuli_vm::contracts::CallContract;
use lazuli_vm::program::{Class, Code, Method, Op, Program, SyntheticClass, SyntheticMethod, access};
use lazuli_vm::value::{Kind, Value};

use super::cases::{Said, given_types, said, specification};
use super::draft::ClauseMeaning;
use super::emit::{Emitter, JumpLabel, Layout};
use super::frame::{Allowed, Places};
use super::natives::Natives;
use super::resolve::ResolverTables;
use super::typed::{Type, Typed, TypedNode, VariablePlace};
use super::{CompiledClause, Files, Made, Specification, define};

/// Says which methods tell whether an object of a class is valid.
pub type InvariantsOfClass<'a> = &'a dyn Fn(&'static Class) -> Vec<&'static Method>;

/// The file of a contract that comes with Lazuli begins so.
pub const BUNDLED: &str = "lazuli/specs/";

/// A condition that must be true at the call.
struct Required {
    method: &'static Method,
    /// All arguments, or one object, which may be null.
    root: Option<usize>,
    told: String,
}

/// Makes the class of native methods that stubs and clauses call, before several threads ask for it.
pub fn prepare_stubs(program: &Program) {
    Natives::of(program);
}

/// The contract of a method, its own and what it inherits, as something that can replace calls of it. None if it has none.
pub fn call_contract(
    program: &Program,
    files: Files,
    method: &'static Method,
    invariants_of: InvariantsOfClass,
) -> Result<Option<CallContract>, Complaint> {
    if method.name.starts_with('<') {
        return Ok(None);
    }
    let mut shared = ResolverTables::new(program, files);
    let given = given_types(&shared, method);
    let declared = said(&mut shared, method, &given)?;
    if declared.iter().all(|said| said.method.cases.is_empty() && !said.method.is_pure) {
        return Ok(None);
    }
    let Some(spec) = specification(&mut shared, method)? else { return Ok(None) };
    let is_pure = declared.iter().any(|said| said.method.is_pure);
    let assigns_everything = !is_pure && assigns_everything(&declared);
    let required = required(&declared, method, &given, &spec, invariants_of);
    let frames: Vec<&CompiledClause> = spec.ensures.iter().filter(|clause| is_frame(clause)).collect();
    let listed: Vec<(Option<Typed>, Vec<Allowed>)> = frames
        .iter()
        .filter_map(|clause| match &*clause.meaning {
            ClauseMeaning::Frame(guard, allowed) => Some((guard.clone(), allowed.clone())),
            _ => None,
        })
        .collect();
    let ensures: Vec<&CompiledClause> = spec.ensures.iter().filter(|clause| !is_frame(clause)).collect();
    let signals: Vec<&CompiledClause> = spec.signals.iter().filter(|clause| !is_frame(clause)).collect();
    let looks_back = |part: &Typed| matches!(part.node, TypedNode::Fresh(_) | TypedNode::Past(..));
    let asks_entry = ensures.iter().chain(&signals).any(|clause| clause.meaning.any(&mut |part| looks_back(part)));
    let returns_new = ensures.iter().any(|clause| match &*clause.meaning {
        ClauseMeaning::Condition(condition) => says_fresh(condition),
        _ => false,
    });
    let places = spec.requires.iter().chain(ensures.iter().copied()).chain(signals.iter().copied());
    let place = places.chain(frames.iter().copied()).find(|clause| clause.kind != "invariant");
    let at = place.map_or_else(|| method.full_name(), CompiledClause::at);
    let perform = perform_method(program, method, &given);
    let assigned = if assigns_everything || is_pure { Vec::new() } else { listed };
    let parts = StubParts { method, given: &given, required: &required, spec: &spec, ensures, signals, assigned };
    let stub = write_stub(&mut shared, &parts, perform);
    Ok(Some(CallContract {
        method,
        stub,
        perform,
        required: required.into_iter().map(|required| required.told).collect(),
        assigns_everything,
        is_pure,
        returns_new,
        exceptions: exceptions(program, &declared, method, &spec),
        asks_entry,
        at,
        is_bundled: spec.sources.iter().all(|source| source.path.starts_with(BUNDLED)),
    }))
}

fn is_frame(clause: &CompiledClause) -> bool {
    matches!(*clause.meaning, ClauseMeaning::Frame(..))
}

/// No `assignable` clause means `\everything`. Of several cases, those that apply each have a say; what one of them leaves open is open here.
fn assigns_everything(declared: &[Said]) -> bool {
    let cases = || declared.iter().flat_map(|said| &said.method.cases);
    let is_open = |assignable: &Option<Assignable>| match assignable {
        Some(assignable) => matches!(assignable.locations, StoreRefs::Everything),
        None => true,
    };
    cases().next().is_none() || cases().any(|case| is_open(&case.assignable))
}

/// The exceptions by which the method may end: those that clauses allow, and those that it declares, unless it always returns.
fn exceptions(program: &Program, declared: &[Said], method: &Method, spec: &Specification) -> Vec<&'static Class> {
    let mut cases = declared.iter().flat_map(|said| &said.method.cases).peekable();
    if cases.peek().is_some() && cases.all(|case| case.behavior == Behavior::Normal) {
        return Vec::new();
    }
    let named = method.declared_exceptions();
    let all = spec.allowed.iter().copied().chain(named.iter().filter_map(|name| program.load(name).ok()));
    let mut found: Vec<&'static Class> = Vec::new();
    for class in all {
        // An open class has its subclasses already.
        if !found.iter().any(|known| class.is_subtype_of(known)) {
            found.retain(|known| !known.is_subtype_of(class));
            found.push(class);
        }
    }
    found
}

/// The conditions of a call: the invariants of what it gets, unless it is a helper, and the precondition. A receiver whose class is not there answers for
/// itself.
fn required(
    declared: &[Said],
    method: &'static Method,
    given: &[Type],
    spec: &Specification,
    invariants_of: InvariantsOfClass,
) -> Vec<Required> {
    let is_helper = declared.iter().any(|said| said.method.is_helper);
    let has_receiver = !method.is_static();
    let is_skipped = |root: usize| {
        let is_open = method.is_abstract();
        has_receiver && root == 0 && (is_helper || is_open)
    };
    let mut required = Vec::new();
    for (root, of) in given.iter().enumerate().filter(|(root, _)| !is_skipped(*root)) {
        let Type::Reference(class) = of else { continue };
        let own = if class.is_array() { Vec::new() } else { invariants_of(class) };
        for invariant in own {
            let told = format!("the invariant {}() of an argument", invariant.name);
            let told = if has_receiver && root == 0 { format!("the invariant {}()", invariant.name) } else { told };
            required.push(Required { method: invariant, root: Some(root), told });
        }
    }
    for invariant in spec.invariants.iter().filter(|invariant| !is_skipped(invariant.root)) {
        let at = invariant.clauses.first().map_or_else(String::new, |clause| format!(" at {}", clause.at()));
        required.push(Required {
            method: invariant.all,
            root: Some(invariant.root),
            told: format!("the invariant{at}"),
        });
    }
    required.extend(spec.requires.iter().map(|clause| Required {
        method: clause.method,
        root: None,
        told: format!("{} at {}", clause.kind, clause.at()),
    }));
    required
}

/// Does the condition say in any case that the result is new?
fn says_fresh(condition: &Typed) -> bool {
    match &condition.node {
        TypedNode::And(left, right) => says_fresh(left) || says_fresh(right),
        TypedNode::Fresh(object) => matches!(object.node, TypedNode::Variable(VariablePlace::Outcome)),
        _ => false,
    }
}

/// The method without code by which the stub has the call performed.
fn perform_method(program: &Program, method: &'static Method, given: &[Type]) -> &'static Method {
    let result = lazuli_vm::program::descriptor::method(method.descriptor).map_or("V", |(_, result)| result);
    let taken: String = given.iter().map(|of| of.descriptor()).collect();
    let host = method.class();
    let class = program.define_synthetic(SyntheticClass {
        name: program.fresh_name(host, "perform"),
        host,
        interfaces: Vec::new(),
        fields: Vec::new(),
        methods: vec![SyntheticMethod {
            name: "perform",
            descriptor: format!("({taken}){result}"),
            access: access::STATIC | access::NATIVE | access::PUBLIC,
            code: Code::default(),
        }],
    });
    class.methods[0]
}

/// Everything that a stub is made of.
struct StubParts<'a> {
    method: &'static Method,
    given: &'a [Type],
    required: &'a [Required],
    spec: &'a Specification,
    ensures: Vec<&'a CompiledClause>,
    signals: Vec<&'a CompiledClause>,
    assigned: Vec<(Option<Typed>, Vec<Allowed>)>,
}

fn write_stub(shared: &mut ResolverTables, parts: &StubParts, perform: &'static Method) -> &'static Method {
    let natives = shared.natives;
    let has_result = parts.method.result != Kind::Void;
    let (given, olds) = (parts.given.len(), parts.spec.olds.len());
    // The registers are those of a clause behind the method, so that guards and places find the values from before.
    let layout = Layout { given, has_outcome: has_result, olds };
    let mut emitter = shared.emitter(layout);
    let exception = emitter.new_local();
    let old = |number: usize| given + has_result as usize + 2 * number;
    emitter.call(natives.begun);
    for (number, required) in parts.required.iter().enumerate() {
        let (next, broken) = (emitter.label(), emitter.label());
        if let Some(root) = required.root {
            emitter.load(root);
            emitter.jump(Op::IfNull, next);
        }
        let registers: Vec<usize> = required.root.map_or_else(|| (0..given).collect(), |root| vec![root]);
        emitter.asked(required.method, &registers, next, broken);
        emitter.place(broken);
        emitter.int(number as i32);
        emitter.call(natives.refused);
        emitter.place(next);
    }
    for (number, (computed, of)) in parts.spec.olds.iter().zip(&parts.spec.old_values).enumerate() {
        let next = emitter.label();
        emitter.default_value(of.of);
        emitter.store(old(number));
        emitter.int(0);
        emitter.store(old(number) + 1);
        let start = emitter.code.here();
        (0..given).for_each(|register| emitter.load(register));
        emitter.call(computed);
        emitter.store(old(number));
        emitter.int(1);
        emitter.store(old(number) + 1);
        let end = emitter.code.here();
        emitter.jump(Op::Goto, next);
        let handler = emitter.code.here();
        emitter.code.handler(start, end, handler, None);
        emitter.drop_exception();
        emitter.place(next);
    }
    for (guard, allowed) in &parts.assigned {
        let past = emitter.label();
        if let Some(guard) = guard {
            emitter.branch(guard, false, past);
        }
        for location in allowed {
            emitter.assigned(location, &natives);
        }
        emitter.place(past);
    }
    let (returned, dropped) = (emitter.label(), emitter.label());
    let start = emitter.code.here();
    (0..given).for_each(|register| emitter.load(register));
    emitter.call(perform);
    if has_result {
        emitter.store(given);
    }
    let end = emitter.code.here();
    emitter.jump(Op::Goto, returned);
    let handler = emitter.code.here();
    emitter.code.handler(start, end, handler, None);
    emitter.account(0, 1);
    emitter.store(exception);
    let of_olds: Vec<usize> = (0..olds).flat_map(|number| [old(number), old(number) + 1]).collect();
    let registers: Vec<usize> = (0..given).chain([exception]).chain(of_olds.iter().copied()).collect();
    for clause in &parts.signals {
        let next = emitter.label();
        emitter.asked(clause.method, &registers, next, dropped);
        emitter.place(next);
    }
    emitter.call(natives.satisfied);
    emitter.load(exception);
    emitter.op(Op::Throw);
    emitter.place(returned);
    let registers: Vec<usize> = (0..given).chain(has_result.then_some(given)).chain(of_olds).collect();
    for clause in &parts.ensures {
        let next = emitter.label();
        emitter.asked(clause.method, &registers, next, dropped);
        emitter.place(next);
    }
    emitter.call(natives.satisfied);
    if has_result {
        emitter.load(given);
    }
    emitter.op(if has_result { Op::ReturnValue } else { Op::Return });
    emitter.place(dropped);
    emitter.call(natives.unsatisfied);
    emitter.op(Op::Null);
    emitter.op(Op::Throw);
    let taken: String = parts.given.iter().map(|of| of.descriptor()).collect();
    let result = lazuli_vm::program::descriptor::method(parts.method.descriptor).map_or("V", |(_, result)| result);
    let made = Made { name: "stub", descriptor: format!("({taken}){result}"), code: emitter.finish() };
    define(shared.program, parts.method.class(), "stub", vec![made])[0]
}

impl Emitter<'_> {
    /// Calls a clause and goes to one of two places. One that throws is false.
    fn asked(&mut self, clause: &'static Method, registers: &[usize], is_true: JumpLabel, is_false: JumpLabel) {
        let start = self.code.here();
        registers.iter().for_each(|register| self.load(*register));
        self.call(clause);
        let end = self.code.here();
        self.jump(Op::IfNe, is_true);
        self.jump(Op::Goto, is_false);
        let handler = self.code.here();
        self.code.handler(start, end, handler, None);
        self.drop_exception();
        self.jump(Op::Goto, is_false);
    }

    /// Pushes the value that variables of a type have at first.
    fn default_value(&mut self, of: Type) {
        let constant = match of {
            Type::Primitive(Kind::Long) => Value::Long(0),
            Type::Primitive(Kind::Float) => Value::Float(0.0),
            Type::Primitive(Kind::Double) => Value::Double(0.0),
            Type::Primitive(_) => return self.int(0),
            _ => return self.op(Op::Null),
        };
        self.value(&Typed::new(of, TypedNode::Constant(constant)));
    }

    /// Says that these places may be assigned. A location that there was not is no place.
    fn assigned(&mut self, location: &Allowed, natives: &Natives) {
        let none = self.label();
        let object = self.new_local();
        self.value_or(&location.object, none);
        self.store(object);
        match &location.places {
            Places::All => {
                self.load(object);
                self.call(natives.assign_all);
            }
            Places::Field(_, field) => {
                self.load(object);
                self.int(self.program.slot_of(field) as i32);
                self.call(natives.assign_field);
            }
            Places::Between(low, high) => {
                let ends = [self.new_local(), self.new_local()];
                for (value, register) in [low, high].into_iter().zip(ends) {
                    self.value_or(value, none);
                    self.store(register);
                }
                self.load(object);
                ends.into_iter().for_each(|register| self.load(register));
                self.call(natives.assign_between);
            }
        }
        self.place(none);
    }
}
