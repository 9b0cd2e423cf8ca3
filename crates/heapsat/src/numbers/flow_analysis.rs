//! Which number variables does code assign to, or compare with, each other, and which take part in arithmetic?
//!
//! A data-flow analysis of the operand stack: each operand is a reference with its declared class, a number variable, or a constant. An assignment
//! or a comparison unifies the order classes of its operands; any other use joins them to the class of computed numbers.

use std::collections::HashMap;

use lazuli_vm::interp::dynamic::linked;
use lazuli_vm::program::{Class, Code, Effect, Method, Op, OperandKind, Program, descriptor};
use lazuli_vm::value::{Kind, Value};

use crate::library::collections::model_of;
use crate::numbers::bit_widths::{BitWidths, NumberVariable, is_number};

/// Code that calls more methods than this is not analysed.
const MOST_METHODS: usize = 400;

/// An abstract operand.
#[derive(Clone, Copy)]
enum StackOperand {
    /// To an object of this class, if one is declared.
    Reference(Option<&'static Class>),
    Number(NumberVariable),
    Constant(i64),
}

impl PartialEq for StackOperand {
    fn eq(&self, other: &StackOperand) -> bool {
        match (self, other) {
            (StackOperand::Reference(one), StackOperand::Reference(other)) => {
                one.map(|one| one.id) == other.map(|other| other.id)
            }
            (StackOperand::Number(one), StackOperand::Number(other)) => one == other,
            (StackOperand::Constant(one), StackOperand::Constant(other)) => one == other,
            _ => false,
        }
    }
}

/// An operand, and whether it takes two slots.
type TypedOperand = (StackOperand, bool);

/// The abstract state at an instruction.
#[derive(Clone, PartialEq)]
struct TypeFrame {
    locals: Vec<Option<TypedOperand>>,
    stack: Vec<TypedOperand>,
}

/// The analysis of all code that may run.
pub(super) struct FlowAnalysis<'a> {
    program: &'a Program,
    widths: BitWidths,
    waiting: Vec<&'static Method>,
    is_watched: bool,
}

impl FlowAnalysis<'_> {
    /// Analyses all code that these methods may call: see [`BitWidths::of`].
    pub(super) fn run(program: &Program, methods: &[&'static Method], is_watched: bool) -> Option<BitWidths> {
        let (widths, waiting) = (BitWidths::default(), methods.to_vec());
        let mut analysis = FlowAnalysis { program, widths, waiting, is_watched };
        while let Some(method) = analysis.waiting.pop() {
            if analysis.widths.methods.insert(method.id.index()) {
                if analysis.widths.methods.len() > MOST_METHODS {
                    return None;
                }
                analysis.analyse(method)?;
            }
        }
        Some(analysis.widths)
    }

    fn analyse(&mut self, method: &'static Method) -> Option<()> {
        if method.is_abstract() {
            return Some(());
        }
        let code = self.program.code(method).ok()?;
        let mut locals: Vec<Option<TypedOperand>> = Vec::new();
        if !method.is_static() {
            locals.push(Some((StackOperand::Reference(Some(method.class())), false)));
        }
        for parameter in descriptor::method(method.descriptor)?.0 {
            let variable = NumberVariable::Local(method.id.index(), locals.len() as u32);
            if Kind::of_descriptor(parameter) == Kind::Long {
                self.widths.groups.longs.insert(variable);
            }
            locals.push(Some(self.declared(parameter, variable)));
        }
        locals.resize(code.locals as usize, None);
        // A worklist over instructions, until frames no longer change. The lattice has finite height: a local variable becomes unknown at most once.
        let mut frames: HashMap<u32, TypeFrame> = HashMap::from([(0, TypeFrame { locals, stack: Vec::new() })]);
        let mut waiting = vec![0u32];
        while let Some(pc) = waiting.pop() {
            let mut frame = frames.get(&pc)?.clone();
            let handlers = code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc));
            let thrown = vec![(StackOperand::Reference(None), false)];
            let caught = handlers.map(|handler| (handler.target, TypeFrame { stack: thrown.clone(), ..frame.clone() }));
            let mut next: Vec<(u32, TypeFrame)> = caught.collect();
            self.step(method, code, pc, &mut frame)?;
            let op = code.ops[pc as usize];
            let targets = code.targets(op)?.chain(op.falls_through().then_some(pc + 1));
            next.extend(targets.map(|target| (target, frame.clone())));
            for (target, frame) in next {
                let met = match frames.get(&target).cloned() {
                    None => frame,
                    Some(known) => {
                        let met = self.meet(method, target, &known, &frame)?;
                        if met == known {
                            continue;
                        }
                        met
                    }
                };
                frames.insert(target, met);
                waiting.push(target);
            }
        }
        Some(())
    }

    /// Joins two frames where paths meet.
    fn meet(&mut self, method: &'static Method, pc: u32, one: &TypeFrame, other: &TypeFrame) -> Option<TypeFrame> {
        if one.stack.len() != other.stack.len() {
            return None;
        }
        let either = |one: &Option<TypedOperand>, other: &Option<TypedOperand>| match (one, other) {
            (Some((StackOperand::Reference(_), _)), Some((StackOperand::Reference(_), _))) if one != other => {
                Some((StackOperand::Reference(None), false))
            }
            _ if one == other => *one,
            _ => None,
        };
        let locals = one.locals.iter().zip(&other.locals).map(|(one, other)| either(one, other)).collect();
        let mut stack = Vec::with_capacity(one.stack.len());
        for (at, (one, other)) in one.stack.iter().zip(&other.stack).enumerate() {
            stack.push(match (one.0, other.0) {
                _ if one == other => *one,
                (StackOperand::Reference(_), StackOperand::Reference(_)) => (StackOperand::Reference(None), false),
                (StackOperand::Reference(_), _) | (_, StackOperand::Reference(_)) => return None,
                (left, right) => {
                    let joined = NumberVariable::Joined(method.id.index(), pc, at as u32);
                    self.assign(joined, left);
                    self.assign(joined, right);
                    (StackOperand::Number(joined), one.1)
                }
            });
        }
        Some(TypeFrame { locals, stack })
    }

    /// The operand of a variable of a declared type.
    fn declared(&self, descriptor: &str, variable: NumberVariable) -> TypedOperand {
        match Kind::of_descriptor(descriptor) {
            Kind::Reference => (StackOperand::Reference(self.program.load_descriptor(descriptor).ok()), false),
            kind => held(kind, variable),
        }
    }

    fn touch(&mut self, class: &'static Class, slot: u32) {
        if let NumberVariable::Field(class, slot) = owned(class, slot) {
            self.widths.fields.insert((class, slot));
        }
    }

    fn touch_static(&mut self, code: &'static Code, site: u32) -> Option<()> {
        let field = self.program.resolve_field(&code.fields[site as usize], true).ok()?;
        if field.kind == Kind::Reference && field.class.is_users() {
            self.widths.statics.insert((field.class.id.index() as u32, field.slot));
        }
        Some(())
    }

    fn assign(&mut self, variable: NumberVariable, operand: StackOperand) {
        match operand {
            StackOperand::Reference(_) => {}
            StackOperand::Number(other) => self.widths.groups.join(variable, other),
            StackOperand::Constant(constant) => self.widths.groups.meet(variable, constant),
        }
    }

    fn compare(&mut self, one: StackOperand, other: StackOperand) {
        match (one, other) {
            (StackOperand::Number(one), other) => self.assign(one, other),
            (one, StackOperand::Number(other)) => self.assign(other, one),
            _ => {}
        }
    }

    /// Marks an operand as computed: its class does not matter by order alone.
    fn compute(&mut self, operand: StackOperand) {
        if let StackOperand::Number(variable) = operand {
            self.widths.groups.join(NumberVariable::Computed, variable);
        }
    }

    /// The transfer function of an instruction. None if it cannot be analysed.
    fn step(&mut self, method: &'static Method, code: &'static Code, pc: u32, frame: &mut TypeFrame) -> Option<()> {
        let number = method.id.index();
        let local = |at: u16| NumberVariable::Local(number, at as u32);
        let op = code.ops[pc as usize].first();
        let computed = (StackOperand::Number(NumberVariable::Computed), false);
        let TypeFrame { locals, stack } = frame;
        if let Some(shuffle) = op.shuffle() {
            return shuffle.apply(stack, |(_, is_wide)| *is_wide);
        }
        match op {
            Op::Nop | Op::Throw | Op::Return | Op::Goto(_) => {}
            Op::Null | Op::String(_) | Op::ClassConstant(_) => stack.push((StackOperand::Reference(None), false)),
            Op::Int(value) => stack.push((StackOperand::Constant(value as i64), false)),
            Op::Constant(index) => stack.push(match code.constants[index as usize] {
                Value::Long(value) => (StackOperand::Constant(value), true),
                Value::Double(_) => (computed.0, true),
                _ => computed,
            }),
            Op::Load(at) => stack.push((*locals.get(at as usize)?)?),
            Op::Store(at) => {
                let (operand, is_wide) = stack.pop()?;
                self.assign(local(at), operand);
                *locals.get_mut(at as usize)? = Some(match operand {
                    StackOperand::Reference(_) => (operand, false),
                    _ => (StackOperand::Number(local(at)), is_wide),
                });
            }
            Op::Iinc(at, _) => self.widths.groups.join(NumberVariable::Computed, local(at)),
            // A conversion to long keeps the order, so that the operand stays in its class.
            Op::I2l => stack.last_mut()?.1 = true,
            Op::Lcmp => {
                let (right, left) = (stack.pop()?.0, stack.pop()?.0);
                self.compare(left, right);
                stack.push(computed);
            }
            Op::GetField(site) => {
                let field = self.program.resolve_field(&code.fields[site as usize], false).ok()?;
                stack.pop()?;
                let descriptor = code.fields[site as usize].descriptor;
                self.touch(field.class, field.slot);
                stack.push(self.declared(descriptor, owned(field.class, field.slot)));
            }
            Op::PutField(site) => {
                let field = self.program.resolve_field(&code.fields[site as usize], false).ok()?;
                let (value, _) = stack.pop()?;
                stack.pop()?;
                self.touch(field.class, field.slot);
                self.assign(owned(field.class, field.slot), value);
            }
            Op::GetStatic(site) => {
                // Its value is not analysed.
                self.touch_static(code, site)?;
                let descriptor = code.fields[site as usize].descriptor;
                stack.push(self.declared(descriptor, NumberVariable::Computed));
            }
            Op::PutStatic(site) => {
                self.touch_static(code, site)?;
                let (value, _) = stack.pop()?;
                self.compute(value);
            }
            // A new object has zeros: constants of the classes of its fields.
            Op::New(site) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                for owner in class.chain() {
                    for field in owner.fields.iter().filter(|field| !field.is_static() && is_number(field.kind)) {
                        self.widths.groups.meet(NumberVariable::Field(owner.id.index() as u32, field.slot), 0);
                    }
                }
                stack.push((StackOperand::Reference(Some(class)), false));
            }
            Op::NewArray(site) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                let (length, _) = stack.pop()?;
                self.compute(length);
                stack.push((StackOperand::Reference(Some(class)), false));
            }
            Op::MultiNewArray(site, dimensions) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                for _ in 0..dimensions {
                    let (length, _) = stack.pop()?;
                    self.compute(length);
                }
                stack.push((StackOperand::Reference(Some(class)), false));
            }
            Op::ArrayLength => {
                stack.pop()?;
                stack.push(computed);
            }
            Op::ArrayLoad => {
                let (index, _) = stack.pop()?;
                self.compute(index);
                let (StackOperand::Reference(Some(class)), _) = stack.pop()? else { return None };
                let component = class.component()?;
                stack.push(match component.kind() {
                    Kind::Reference => (StackOperand::Reference(Some(component)), false),
                    kind => held(kind, NumberVariable::Computed),
                });
            }
            Op::ArrayStore => {
                let (value, index) = (stack.pop()?.0, stack.pop()?.0);
                self.compute(value);
                self.compute(index);
                stack.pop()?;
            }
            Op::CheckCast(site) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                stack.last_mut()?.0 = StackOperand::Reference(Some(class));
            }
            Op::InstanceOf(_) => {
                stack.pop()?;
                stack.push(computed);
            }
            Op::MonitorEnter | Op::MonitorExit => drop(stack.pop()?),
            Op::ReturnValue => {
                let (value, _) = stack.pop()?;
                self.assign(NumberVariable::Returned(number), value);
            }
            Op::IfNull(_) | Op::IfNonNull(_) => drop(stack.pop()?),
            Op::IfAcmpEq(_) | Op::IfAcmpNe(_) => drop((stack.pop()?, stack.pop()?)),
            Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => {
                let (value, _) = stack.pop()?;
                self.compare(value, StackOperand::Constant(0));
            }
            Op::IfIcmpEq(_)
            | Op::IfIcmpNe(_)
            | Op::IfIcmpLt(_)
            | Op::IfIcmpGe(_)
            | Op::IfIcmpGt(_)
            | Op::IfIcmpLe(_) => {
                let (right, left) = (stack.pop()?.0, stack.pop()?.0);
                self.compare(left, right);
            }
            Op::TableSwitch(_) | Op::LookupSwitch(_) => {
                let (value, _) = stack.pop()?;
                self.compute(value);
            }
            Op::InvokeVirtual(site) | Op::InvokeInterface(site) => self.call(code, site, Some(true), stack)?,
            Op::InvokeSpecial(site) => self.call(code, site, Some(false), stack)?,
            Op::InvokeStatic(site) => self.call(code, site, None, stack)?,
            Op::InvokeDynamic(site) if self.is_watched => {
                let glue = linked(self.program, method.class(), &code.dynamics[site as usize]).ok()?;
                let arguments = stack.split_off(stack.len().checked_sub(glue.arguments as usize)?);
                let result = descriptor::method(glue.descriptor)?.1;
                let value = self.enter_all(&[glue], &arguments, (glue.result, result))?;
                stack.extend(value);
            }
            Op::Concat(recipe) => {
                let pieces = code.recipes[recipe as usize].iter();
                let taken = pieces.filter(|piece| matches!(piece, lazuli_vm::program::Piece::Argument(_))).count();
                for _ in 0..taken {
                    let (value, _) = stack.pop()?;
                    self.compute(value);
                }
                stack.push((StackOperand::Reference(None), false));
            }
            // Arithmetic on integral numbers; floating point is not analysed.
            _ => {
                let Effect::Computes(operands, Some(result)) = op.effect() else { return None };
                if !operands.iter().chain([&result]).all(|operand| operand.is_integral()) {
                    return None;
                }
                for _ in operands {
                    let (value, _) = stack.pop()?;
                    self.compute(value);
                }
                stack.push((computed.0, result == OperandKind::Long));
            }
        }
        Some(())
    }

    /// Calls all methods that the site may mean. `dispatch` says whether the class of the receiver decides; there is none for a static method.
    fn call(
        &mut self,
        code: &'static Code,
        site: u32,
        dispatch: Option<bool>,
        stack: &mut Vec<TypedOperand>,
    ) -> Option<()> {
        let site = &code.calls[site as usize];
        let named = self.program.resolve_call(site).ok()?;
        let first = stack.len().checked_sub(site.arguments as usize)?;
        let arguments = stack.split_off(first);
        let callees = self.callees(named, dispatch)?;
        let (_, result) = descriptor::method(site.descriptor)?;
        stack.extend(self.enter_all(&callees, &arguments, (named.result, result))?);
        Some(())
    }

    /// Passes arguments to all methods that a call may select, and returns their common result.
    fn enter_all(
        &mut self,
        callees: &[&'static Method],
        arguments: &[TypedOperand],
        (kind, result): (Kind, &str),
    ) -> Option<Option<TypedOperand>> {
        for callee in callees {
            let number = callee.id.index();
            for (at, (operand, _)) in arguments.iter().enumerate() {
                self.assign(NumberVariable::Local(number, at as u32), *operand);
            }
            self.waiting.push(callee);
        }
        let is_wide = matches!(kind, Kind::Long | Kind::Double);
        Some(match (kind, callees.split_first()) {
            (Kind::Void, _) => None,
            (Kind::Reference, _) => Some(self.declared(result, NumberVariable::Computed)),
            (_, Some((first, others))) => {
                let result = NumberVariable::Returned(first.id.index());
                others
                    .iter()
                    .for_each(|other| self.widths.groups.join(result, NumberVariable::Returned(other.id.index())));
                Some((StackOperand::Number(result), is_wide))
            }
            (_, None) => {
                arguments.iter().for_each(|(operand, _)| self.compute(*operand));
                Some((StackOperand::Number(NumberVariable::Computed), is_wide))
            }
        })
    }

    /// The methods that a call may select and whose code is analysed. Empty for modelled methods; none if another method may be called.
    fn callees(&self, named: &'static Method, dispatch: Option<bool>) -> Option<Vec<&'static Method>> {
        let known = self.program.known();
        let class = named.class();
        let has_no_effect = named.name == "<init>"
            && (class.id == known.object.id || class.is_subtype_of(known.throwable) && !class.is_users());
        let is_model = |class: &&'static Class| model_of(class).is_some();
        let is_collection = is_model(&class) || class.name.starts_with("java/util/") && class.is_abstract();
        // A collection of the user's own would be executed.
        if is_collection && (class.is_users() || !self.program.users_below(class).is_empty()) {
            return None;
        }
        if has_no_effect || is_collection || class.name == lazuli_vm::natives::contract::CLASS {
            return Some(Vec::new());
        }
        let mut found = vec![named];
        if dispatch == Some(true) {
            let below = self.program.users_below(class).iter();
            found.extend(below.filter_map(|other| self.program.select(other, named)));
        }
        found.sort_by_key(|method| method.id.index());
        found.dedup_by_key(|method| method.id.index());
        let has_code = |method: &&'static Method| {
            method.is_abstract() || self.program.code(method).is_ok_and(|code| !code.ops.is_empty())
        };
        if self.is_watched {
            found.retain(has_code);
            return Some(found);
        }
        // Overriding methods within the JDK are not known.
        let is_open = dispatch == Some(true) && !class.is_users();
        (!is_open && found.iter().all(has_code)).then_some(found)
    }
}

/// A field of a class, which a superclass may declare.
fn owned(class: &'static Class, slot: u32) -> NumberVariable {
    let owner = class.declaration_at(slot).map_or(class, |(owner, _)| owner);
    NumberVariable::Field(owner.id.index() as u32, slot)
}

/// The operand of a variable of this kind. Narrower ints count as computed: a class that they join needs all bits.
fn held(kind: Kind, variable: NumberVariable) -> TypedOperand {
    match kind {
        Kind::Int | Kind::Long => (StackOperand::Number(variable), kind == Kind::Long),
        _ => (StackOperand::Number(NumberVariable::Computed), kind == Kind::Double),
    }
}
