//! Which fields do constructors never leave null?
//!
//! `private final List<Line> lines = new ArrayList<>();` is never null in a `Cart` that exists. The analysis follows the bodies of a class and of its nest
//! mates (JVMS §4.7.28), as only these assign a private field, and only constructors a final one. A field is guaranteed if
//!
//! 1. every assignment to it, wherever it stands, assigns something that is not null, and
//! 2. every constructor has assigned it before it returns, and before `this` escapes: as an argument or receiver of a call, into a field
//!    or an array, or out of a constructor of a superclass. Otherwise a method could see it before.
//!
//! Reflection, deserialization and native code may break the guarantee, as they may break any other of the language.

use lazuli_classfile::format::attributes::AttributeData;

use super::class::{Class, ClassId, Field, Method, access};
use super::code::{CallSite, Code, DynamicSite, FieldSite, Op};
use super::effect::{Effect, OperandKind};
use super::{Program, descriptor};
use crate::value::{Kind, Value};

/// Bodies with more instructions than this guarantee nothing: the effort is quadratic in hostile ones.
const MOST_INSTRUCTIONS: usize = 10_000;
/// Classes of a nest that are searched for assignments.
const MOST_MATES: usize = 200;
/// Static methods that are followed into each other for what they return.
const MOST_CALLS: usize = 4;

/// Classes of the JDK none of whose methods returns null, `String.transform` apart, which returns what a function of the user's does.
const NEVER_NULL: [&str; 5] =
    ["java/lang/String", "java/lang/StringBuilder", "java/math/BigInteger", "java/math/BigDecimal", "java/util/UUID"];

/// Methods of the JDK that never return null, by class and first letters.
const FACTORIES: [(&str, &[&str]); 19] = [
    ("java/lang/Boolean", &["valueOf"]),
    ("java/lang/Byte", &["valueOf"]),
    ("java/lang/Character", &["valueOf"]),
    ("java/lang/Short", &["valueOf"]),
    ("java/lang/Integer", &["valueOf"]),
    ("java/lang/Long", &["valueOf"]),
    ("java/lang/Float", &["valueOf"]),
    ("java/lang/Double", &["valueOf"]),
    ("java/util/Objects", &["requireNonNull"]),
    ("java/util/List", &["of", "copyOf"]),
    ("java/util/Set", &["of", "copyOf"]),
    ("java/util/Map", &["of", "copyOf"]),
    ("java/util/Optional", &["of", "empty"]),
    ("java/util/Collections", &["empty", "unmodifiable", "synchronized", "singleton", "nCopies"]),
    ("java/util/Arrays", &["asList", "copyOf"]),
    ("java/util/EnumSet", &["of", "noneOf", "allOf", "copyOf", "complementOf", "range"]),
    ("java/util/Comparator", &["comparing", "naturalOrder", "reverseOrder", "nullsFirst", "nullsLast"]),
    ("java/time/LocalDate", &["of", "now", "parse", "plus", "minus", "with"]),
    ("java/time/Instant", &["of", "now", "parse", "plus", "minus", "with"]),
];

/// Bootstrap methods whose call sites never give null, by class.
const FACTORIES_OF_SITES: [&str; 2] = ["java/lang/invoke/LambdaMetafactory", "java/lang/invoke/StringConcatFactory"];

impl Program {
    /// Do constructors guarantee that the field is not null, in every object that a method may see?
    pub fn is_never_null(&self, class: &'static Class, field: &'static Field) -> bool {
        let is_candidate = class.is_users()
            && field.kind == Kind::Reference
            && !field.is_static()
            && field.access & (access::FINAL | access::PRIVATE) != 0;
        is_candidate && self.never_null_slots(class).contains(&field.slot)
    }

    /// The slots of the fields of a class that are guaranteed; computed once.
    fn never_null_slots(&self, class: &'static Class) -> &'static [u32] {
        let known = |found: &std::collections::HashMap<ClassId, &'static [u32]>| found.get(&class.id).copied();
        if let Some(slots) = known(&self.constructed.lock().unwrap_or_else(|poisoned| poisoned.into_inner())) {
            return slots;
        }
        let slots: &'static [u32] = Box::leak(guaranteed(self, class).into_boxed_slice());
        self.constructed.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).insert(class.id, slots);
        slots
    }
}

/// The slots of the reference fields that a class itself declares and that are never null.
fn guaranteed(program: &Program, class: &'static Class) -> Vec<u32> {
    let is_candidate = |field: &&Field| {
        field.kind == Kind::Reference && !field.is_static() && field.access & (access::FINAL | access::PRIVATE) != 0
    };
    let mut candidates =
        FieldSet { class, slots: class.fields.iter().filter(is_candidate).map(|field| field.slot).collect() };
    let Some(mates) = nest_of(program, class) else { return Vec::new() };
    for mate in mates {
        for method in mate.methods.iter().filter(|method| !method.is_abstract()) {
            if candidates.slots.is_empty() {
                return Vec::new();
            }
            if method.access & access::NATIVE != 0 {
                continue;
            }
            let is_constructor = mate.id == class.id && method.name == "<init>";
            let Ok(code) = program.code(method) else { return Vec::new() };
            let assigns =
                |op: &Op| matches!(op, Op::PutField(site) if candidates.holds(&code.fields[*site as usize]).is_some());
            if is_constructor || code.ops.iter().any(assigns) {
                match NullnessAnalysis::new(program, method, code, &candidates).run() {
                    Some(outcome) => candidates.slots.retain(|slot| outcome.guaranteed.contains(slot)),
                    None => return Vec::new(),
                }
            }
        }
    }
    candidates.slots
}

/// The classes that may assign a private field of a class, itself included. None if one of them cannot be read.
fn nest_of(program: &Program, class: &'static Class) -> Option<Vec<&'static Class>> {
    let host = class.attributes().find_map(|attribute| match attribute {
        AttributeData::NestHost(host) => Some(program.load(host)),
        _ => None,
    });
    let host = host.transpose().ok()?.unwrap_or(class);
    let members = host.attributes().find_map(|attribute| match attribute {
        AttributeData::NestMembers(members) => Some(members),
        _ => None,
    });
    let mut mates = vec![host];
    for member in members.into_iter().flatten() {
        mates.push(program.load(member).ok()?);
    }
    if !mates.iter().any(|mate| mate.id == class.id) {
        mates.push(class);
    }
    (mates.len() <= MOST_MATES).then_some(mates)
}

/// Fields of one class, by slot.
struct FieldSet {
    class: &'static Class,
    slots: Vec<u32>,
}

impl FieldSet {
    /// The slot of the field that a site names, if it is one of these. A subclass may name an inherited field as its own.
    fn holds(&self, site: &FieldSite) -> Option<u32> {
        let field = self
            .class
            .fields
            .iter()
            .find(|field| !field.is_static() && (field.name, field.descriptor) == (site.name, site.descriptor))?;
        self.slots.contains(&field.slot).then_some(field.slot)
    }
}

/// An abstract value. `this` is one of them in a constructor only.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
struct AbstractValue {
    is_wide: bool,
    is_not_null: bool,
    /// Certainly, or perhaps, the object that is constructed.
    is_this: bool,
    may_be_this: bool,
    /// The local variable that it was loaded from, which still holds it.
    from: Option<u16>,
}

impl AbstractValue {
    fn joined(self, other: AbstractValue) -> AbstractValue {
        AbstractValue {
            is_wide: self.is_wide || other.is_wide,
            is_not_null: self.is_not_null && other.is_not_null,
            is_this: self.is_this && other.is_this,
            may_be_this: self.may_be_this || other.may_be_this,
            from: self.from.filter(|_| self.from == other.from),
        }
    }

    fn of(kind: Kind) -> AbstractValue {
        AbstractValue { is_wide: matches!(kind, Kind::Long | Kind::Double), ..AbstractValue::default() }
    }

    fn not_null() -> AbstractValue {
        AbstractValue { is_not_null: true, ..AbstractValue::default() }
    }
}

/// The abstract values of local variables and operands before an instruction.
#[derive(Clone, PartialEq, Eq)]
struct AbstractFrame {
    locals: Vec<AbstractValue>,
    stack: Vec<AbstractValue>,
    /// The fields of `this` that have been assigned.
    assigned: Vec<u32>,
}

impl AbstractFrame {
    /// Joins what another way brings here. None if the stacks do not fit, which no verified code shows.
    fn join(&mut self, other: &AbstractFrame) -> Option<bool> {
        if self.stack.len() != other.stack.len() {
            return None;
        }
        let before = self.clone();
        for (one, two) in self.locals.iter_mut().zip(&other.locals).chain(self.stack.iter_mut().zip(&other.stack)) {
            *one = one.joined(*two);
        }
        self.assigned.retain(|slot| other.assigned.contains(slot));
        Some(*self != before)
    }

    /// The local variable is not null from here on: it was dereferenced, or compared with null.
    fn is_not_null(&mut self, local: Option<u16>) {
        let Some(local) = local else { return };
        if let Some(held) = self.locals.get_mut(local as usize) {
            held.is_not_null = true;
        }
        for held in self.stack.iter_mut().filter(|held| held.from == Some(local)) {
            held.is_not_null = true;
        }
    }
}

/// The data flow analysis of one body.
struct NullnessAnalysis<'a> {
    program: &'a Program,
    method: &'static Method,
    code: &'static Code,
    candidates: &'a FieldSet,
    /// Is this a constructor of the class, which must assign the fields?
    is_constructor: bool,
    before: Vec<Option<AbstractFrame>>,
    waiting: Vec<usize>,
    outcome: NullnessResult,
    depth: usize,
}

/// The result of an analysis.
struct NullnessResult {
    /// Candidates of which no assignment and no exit was found that breaks the guarantee.
    guaranteed: Vec<u32>,
    /// Does the body never return null?
    returns_object: bool,
    /// May `this` be seen by other code before the body returns?
    leaks_this: bool,
}

impl<'a> NullnessAnalysis<'a> {
    fn new(
        program: &'a Program,
        method: &'static Method,
        code: &'static Code,
        candidates: &'a FieldSet,
    ) -> NullnessAnalysis<'a> {
        let is_constructor = method.name == "<init>" && method.class().id == candidates.class.id;
        let outcome = NullnessResult { guaranteed: candidates.slots.clone(), returns_object: true, leaks_this: false };
        let before = vec![None; code.ops.len()];
        NullnessAnalysis {
            program,
            method,
            code,
            candidates,
            is_constructor,
            before,
            waiting: Vec::new(),
            outcome,
            depth: 0,
        }
    }

    /// Follows all ways through the body until nothing new is learnt. None if the body is beyond the analysis.
    fn run(mut self) -> Option<NullnessResult> {
        if self.code.ops.len() > MOST_INSTRUCTIONS {
            return None;
        }
        self.enter(0, self.at_entry())?;
        while let Some(at) = self.waiting.pop() {
            let known = self.before[at].clone()?;
            self.step(at, known)?;
        }
        Some(self.outcome)
    }

    fn at_entry(&self) -> AbstractFrame {
        let mut locals: Vec<AbstractValue> = Vec::new();
        if !self.method.is_static() {
            let is_this = self.method.name == "<init>";
            locals.push(AbstractValue { is_this, may_be_this: is_this, ..AbstractValue::not_null() });
        }
        for kind in self.method.parameters.iter() {
            let parameter = AbstractValue::of(*kind);
            locals.push(parameter);
        }
        locals.resize(self.code.locals as usize, AbstractValue::default());
        AbstractFrame { locals, stack: Vec::new(), assigned: Vec::new() }
    }

    fn enter(&mut self, at: usize, known: AbstractFrame) -> Option<()> {
        let is_new = match self.before.get_mut(at)? {
            Some(before) => before.join(&known)?,
            none => {
                *none = Some(known);
                true
            }
        };
        if is_new && !self.waiting.contains(&at) {
            self.waiting.push(at);
        }
        Some(())
    }

    /// The effect of one instruction, and of the exceptions that it may throw.
    fn step(&mut self, at: usize, mut known: AbstractFrame) -> Option<()> {
        for handler in self.code.handlers.iter().filter(|range| (range.start..range.end).contains(&(at as u32))) {
            let caught = AbstractFrame { stack: vec![AbstractValue::not_null()], ..known.clone() };
            self.enter(handler.target as usize, caught)?;
        }
        let op = self.code.ops[at].first();
        match op {
            Op::Load(local) => {
                let held = *known.locals.get(local as usize)?;
                known.stack.push(AbstractValue { from: Some(local), ..held });
            }
            Op::Store(local) => {
                let held = known.stack.pop()?;
                for other in known.stack.iter_mut().filter(|other| other.from == Some(local)) {
                    other.from = None;
                }
                *known.locals.get_mut(local as usize)? = AbstractValue { from: None, ..held };
            }
            Op::IfNull(target) | Op::IfNonNull(target) => {
                let tested = known.stack.pop()?;
                let mut not_null = known.clone();
                not_null.is_not_null(tested.from);
                let (jumping, falling) =
                    if matches!(op, Op::IfNull(_)) { (known, not_null) } else { (not_null, known) };
                self.enter(target as usize, jumping)?;
                return self.enter(at + 1, falling);
            }
            Op::PutField(site) => self.put_field(&mut known, &self.code.fields[site as usize])?,
            Op::PutStatic(_) => {
                let stored = known.stack.pop()?;
                self.escape(&known, &[stored]);
            }
            Op::ArrayStore => {
                let stored = known.stack.pop()?;
                let dereferenced = known.stack.len().checked_sub(2).map(|below| known.stack[below].from)?;
                known.stack.truncate(known.stack.len() - 2);
                known.is_not_null(dereferenced);
                self.escape(&known, &[stored]);
            }
            Op::GetStatic(site) => {
                let site = &self.code.fields[site as usize];
                known.stack.push(self.static_field(site));
            }
            Op::GetField(site) => {
                let object = known.stack.pop()?;
                known.is_not_null(object.from);
                known.stack.push(of_descriptor(self.code.fields[site as usize].descriptor));
            }
            Op::InvokeVirtual(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site) | Op::InvokeInterface(site) => {
                self.call(&mut known, op, &self.code.calls[site as usize])?;
            }
            Op::InvokeDynamic(site) => {
                let site = &self.code.dynamics[site as usize];
                let (parameters, _) = descriptor::method(site.descriptor)?;
                let arguments = known.stack.split_off(known.stack.len().checked_sub(parameters.len())?);
                self.escape(&known, &arguments);
                self.push_result(&mut known, site.descriptor, self.makes_object(site))?;
            }
            Op::MultiNewArray(_, lengths) => {
                known.stack.truncate(known.stack.len().checked_sub(lengths as usize)?);
                known.stack.push(AbstractValue::not_null());
            }
            Op::CheckCast(_) => {}
            Op::Throw => {}
            Op::Return | Op::ReturnValue => self.leave(op, &known)?,
            // Subroutines are of class files before Java 7, and `Concat` of synthetic code only.
            Op::Jsr(_) | Op::Ret(_) | Op::Concat(_) => return None,
            _ => self.compute(&mut known, op)?,
        }
        for target in self.code.targets(op)?.collect::<Vec<u32>>() {
            self.enter(target as usize, known.clone())?;
        }
        if op.falls_through() {
            self.enter(at + 1, known)?;
        }
        Some(())
    }

    /// Instructions that only compute, by the table of stack effects.
    fn compute(&self, known: &mut AbstractFrame, op: Op) -> Option<()> {
        match op.effect() {
            Effect::Moves(shuffle) => shuffle.apply(&mut known.stack, |operand| operand.is_wide)?,
            Effect::Computes(takes, leaves) => {
                known.stack.truncate(known.stack.len().checked_sub(takes.len())?);
                let is_object = matches!(op, Op::New(_) | Op::NewArray(_) | Op::String(_) | Op::ClassConstant(_));
                let is_wide = match (op, leaves) {
                    (Op::Constant(index), _) => {
                        matches!(self.code.constants.get(index as usize)?, Value::Long(_) | Value::Double(_))
                    }
                    // An element of a `long[]` is taken for a narrow one. No shuffle may then follow it.
                    (Op::ArrayLoad, _) if self.has_wide_shuffle() => return None,
                    (_, leaves) => matches!(leaves, Some(OperandKind::Long | OperandKind::Double)),
                };
                if leaves.is_some() {
                    known.stack.push(AbstractValue { is_wide, is_not_null: is_object, ..AbstractValue::default() });
                }
            }
            Effect::BySite => return None,
        }
        Some(())
    }

    /// Does the body move operands by words, so that it matters which of them are wide?
    fn has_wide_shuffle(&self) -> bool {
        let by_words = |op: &Op| matches!(op, Op::Pop2 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2);
        self.code.ops.iter().any(by_words)
    }

    fn put_field(&mut self, known: &mut AbstractFrame, site: &FieldSite) -> Option<()> {
        let (stored, object) = (known.stack.pop()?, known.stack.pop()?);
        known.is_not_null(object.from);
        if let Some(slot) = self.candidates.holds(site) {
            if !stored.is_not_null {
                self.outcome.guaranteed.retain(|other| *other != slot);
            } else if object.is_this && site.class == self.candidates.class.name && !known.assigned.contains(&slot) {
                known.assigned.push(slot);
            }
        }
        self.escape(known, &[stored]);
        Some(())
    }

    fn static_field(&self, site: &FieldSite) -> AbstractValue {
        let declared = of_descriptor(site.descriptor);
        let constant = self.program.load(site.class).ok().and_then(|class| class.field(site.name));
        let is_constant = constant.is_some_and(|field| field.access & access::ENUM != 0);
        AbstractValue { is_not_null: is_constant, ..declared }
    }

    fn call(&mut self, known: &mut AbstractFrame, op: Op, site: &CallSite) -> Option<()> {
        let arguments = known.stack.split_off(known.stack.len().checked_sub(site.arguments as usize)?);
        let receiver = arguments.first().filter(|_| !matches!(op, Op::InvokeStatic(_)));
        if let Some(receiver) = receiver {
            known.is_not_null(receiver.from);
        }
        match receiver {
            Some(receiver) if receiver.is_this && site.name == "<init>" => {
                self.escape(known, &arguments[1..]);
                if site.class == self.method.class().name {
                    // The other constructor is held to the same guarantee.
                    known.assigned.clone_from(&self.candidates.slots);
                } else if leaks_this(self.program, site, self.depth) {
                    self.escape(known, &arguments[..1]);
                }
            }
            _ => self.escape(known, &arguments),
        }
        if (site.class, site.name) == ("java/util/Objects", "requireNonNull") {
            known.is_not_null(arguments[0].from);
        }
        let is_array_clone = site.class.starts_with('[') && site.name == "clone";
        let is_object = is_array_clone
            || NEVER_NULL.contains(&site.class) && site.name != "transform"
            || FACTORIES
                .iter()
                .any(|(class, names)| *class == site.class && names.iter().any(|name| site.name.starts_with(name)))
            || matches!(op, Op::InvokeStatic(_)) && self.returns_object(site);
        self.push_result(known, site.descriptor, is_object)
    }

    fn push_result(&self, known: &mut AbstractFrame, of_method: &str, is_object: bool) -> Option<()> {
        let (_, result) = descriptor::method(of_method)?;
        if result != "V" {
            known.stack.push(AbstractValue { is_not_null: is_object, ..of_descriptor(result) });
        }
        Some(())
    }

    /// Does a static method of the user's own never return null?
    fn returns_object(&self, site: &CallSite) -> bool {
        let found = || {
            let class = self.program.load(site.class).ok().filter(|class| class.is_users())?;
            let method = self.program.find_method(class, site.name, site.descriptor)?;
            let has_body = method.is_static() && method.access & access::NATIVE == 0 && self.depth < MOST_CALLS;
            let code = self.program.code(method).ok().filter(|_| has_body)?;
            let none = FieldSet { class: method.class(), slots: Vec::new() };
            let mut flow = NullnessAnalysis::new(self.program, method, code, &none);
            flow.depth = self.depth + 1;
            Some(flow.run()?.returns_object)
        };
        site.descriptor.ends_with(';') && found().unwrap_or(false)
    }

    /// Does a dynamic call site make an object: a lambda, or a text?
    fn makes_object(&self, site: &DynamicSite) -> bool {
        let bootstrap = self.method.class().bootstrap_of(site);
        bootstrap.is_some_and(|entry| FACTORIES_OF_SITES.contains(&&*entry.method.class_name))
    }

    /// Other code may see these values from here on, and with `this` its fields.
    fn escape(&mut self, known: &AbstractFrame, values: &[AbstractValue]) {
        if values.iter().any(|value| value.may_be_this) {
            self.outcome.leaks_this = true;
            if self.is_constructor {
                self.outcome.guaranteed.retain(|slot| known.assigned.contains(slot));
            }
        }
    }

    fn leave(&mut self, op: Op, known: &AbstractFrame) -> Option<()> {
        if matches!(op, Op::ReturnValue) {
            self.outcome.returns_object &= known.stack.last()?.is_not_null;
        } else if self.is_constructor {
            self.outcome.guaranteed.retain(|slot| known.assigned.contains(slot));
        }
        Some(())
    }
}

/// May other code see `this` before the constructor of a superclass returns?
fn leaks_this(program: &Program, site: &CallSite, depth: usize) -> bool {
    let runs = || {
        let class = program.load(site.class).ok()?;
        if class.id == program.known().object.id {
            return Some(false);
        }
        let method = program.find_method(class, site.name, site.descriptor)?;
        let code = program.code(method).ok().filter(|_| depth < MOST_CALLS)?;
        let none = FieldSet { class, slots: Vec::new() };
        let mut flow = NullnessAnalysis::new(program, method, code, &none);
        flow.depth = depth + 1;
        Some(flow.run()?.leaks_this)
    };
    runs().unwrap_or(true)
}

fn of_descriptor(descriptor: &str) -> AbstractValue {
    AbstractValue { is_wide: matches!(descriptor, "J" | "D"), ..AbstractValue::default() }
}
