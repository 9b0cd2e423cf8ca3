//! Which numbers matter only by their order, and how many bits do they need?
//!
//! Put the variables of all code that may be executed into groups: two that are assigned or compared with each other are in one group. Where no member
//! of a group is ever computed with, what the code does depends on the numbers in the group only through how they, and the constants that
//! the code compares them with or assigns to them, are ordered. Let n be the number of variables of the group in the input. With no
//! constant, every order of n numbers also occurs among any n different numbers. With constants between -m and m, every order of n numbers and
//! the constants also occurs among -(n + m) … n + m: below, above, and between two constants next to each other there are n numbers, or as many as there
//! are at all. The least and the greatest number are constants that code likes to begin with; nothing is beyond them, so that it is enough to add
//! the two to these numbers. So inputs with numbers of so few bits stand for all inputs: if none of them goes wrong, none does.
//!
//! The groups are found by one walk over the bytecode, which keeps apart neither ways nor objects (Steensgaard, "Points-to analysis in almost
//! linear time", POPL 1996, does the same with pointers). What it does not know is computed with.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use lazuli_vm::interp::dynamic::linked;
use lazuli_vm::program::{Class, Code, Method, Op, Program, ResolvedField, descriptor};
use lazuli_vm::state::State;
use lazuli_vm::value::{Kind, Value};

use super::collections::model_of;
use super::stack::shuffle;
use super::universe::Universe;

/// Code that leads to more methods than this is not looked at.
const MOST_METHODS: usize = 400;

/// Constants beyond this would need many bits.
const LARGEST: i64 = 1 << 10;

/// Of ints and of longs.
const GREATEST: [i64; 2] = [i32::MAX as i64, i64::MAX];
const LEAST: [i64; 2] = [i32::MIN as i64, i64::MIN];

/// A variable that holds a number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Variable {
    /// A field, by the class that declares it and its slot.
    Field(u32, u32),
    /// A local variable of a method: the parameters come first.
    Local(u32, u32),
    /// What a method returns.
    Returned(u32),
    /// A place of the operand stack where ways meet.
    Joined(u32, u32, u32),
    /// Whatever is computed with.
    Computed,
}

/// How many bits a number has, and what else it may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Width {
    pub bits: usize,
    pub may_be_greatest: bool,
    pub may_be_least: bool,
}

/// How many bits the numbers of an input need.
#[derive(Clone, Default)]
pub struct Widths {
    groups: Groups,
    /// The methods that were looked at.
    pub methods: HashSet<u32>,
    /// The fields that their code reads or writes, by class and slot.
    pub fields: HashSet<(u32, u32)>,
    /// The static fields that refer to objects, by class and slot, in order.
    pub statics: BTreeSet<(u32, u32)>,
}

impl Widths {
    /// Looks at all code that these methods may lead to. None if it cannot be told what that executes. If somebody makes sure that nothing else is executed than what was looked
    /// at, calls of the JDK's methods are those of the user's classes.
    pub fn of(program: &Program, methods: &[&'static Method], is_watched: bool) -> Option<Widths> {
        let (widths, waiting) = (Widths::default(), methods.to_vec());
        let mut walk = Walk { program, widths, waiting, is_watched };
        while let Some(method) = walk.waiting.pop() {
            if walk.widths.methods.insert(method.id.index()) {
                if walk.widths.methods.len() > MOST_METHODS {
                    return None;
                }
                walk.look_at(method)?;
            }
        }
        Some(walk.widths)
    }

    /// These two are assigned to each other outside of all code.
    pub fn join(&mut self, one: Variable, other: Variable) {
        self.groups.join(one, other);
    }

    /// The bits of number fields of atoms, and of others that are variables of the input, where these need few.
    #[allow(clippy::type_complexity)]
    pub fn narrow(
        mut self,
        universe: &mut Universe,
        program: &Program,
        path: &State,
        others: &[Variable],
    ) -> (BTreeMap<(u32, u32), Width>, HashMap<Variable, Width>) {
        // A variable of a class counts once for each object that may be of that class.
        let known = self.groups.numbers.keys().filter_map(|variable| match variable {
            Variable::Field(class, slot) => Some((program.class_at(*class as usize), *slot)),
            _ => None,
        });
        let mut met: Vec<(&'static Class, u32)> = known.collect();
        met.sort_by_key(|(class, slot)| (class.id.index(), *slot));
        let mut fields: Vec<((u32, u32), Variable)> = Vec::new();
        for atom in 0..universe.atoms.len() as u32 {
            let class = universe.atoms[atom as usize].class;
            for (owner, slot) in &met {
                let Some((_, field)) = owner.declaration_at(*slot).filter(|(_, field)| is_number(field.kind)) else {
                    continue;
                };
                if program.split(class, owner).yes.is_none() {
                    continue;
                }
                let resolved =
                    ResolvedField { class: owner, slot: *slot, kind: field.kind, is_static: false, is_variable: false };
                let variable = Variable::Field(owner.id.index() as u32, *slot);
                fields.push(((atom, universe.slot(atom, &resolved)), variable));
                if field.kind == Kind::Long {
                    self.groups.longs.insert(variable);
                }
            }
        }
        self.meet_held(path, &met);
        let mut sizes: HashMap<usize, i64> = HashMap::new();
        for variable in fields.iter().map(|(_, variable)| variable).chain(others) {
            *sizes.entry(self.groups.find(*variable)).or_default() += 1;
        }
        let mut bits = |variable: Variable| self.groups.bits(variable, &sizes);
        let fields = fields.iter().filter_map(|(place, variable)| Some((*place, bits(*variable)?))).collect();
        let others = others.iter().filter_map(|variable| Some((*variable, bits(*variable)?))).collect();
        (fields, others)
    }
}

impl Widths {
    /// What objects that are there before the method hold in these fields are constants.
    fn meet_held(&mut self, path: &State, fields: &[(&'static Class, u32)]) {
        for object in path.heap.ids() {
            let class = path.heap.class(object);
            for (owner, slot) in fields.iter().filter(|(owner, _)| class.is_subtype_of(owner)) {
                let variable = Variable::Field(owner.id.index() as u32, *slot);
                match path.heap.field(object, *slot as usize) {
                    Value::Int(value) => self.groups.meet(variable, value as i64),
                    Value::Long(value) => self.groups.meet(variable, value),
                    // It is an input.
                    Value::Unread | Value::Top => {}
                    _ => self.groups.join(Variable::Computed, variable),
                }
            }
        }
    }
}

/// A field of a class, which a superclass may declare.
fn owned(class: &'static Class, slot: u32) -> Variable {
    let owner = class.declaration_at(slot).map_or(class, |(owner, _)| owner);
    Variable::Field(owner.id.index() as u32, slot)
}

/// What a variable of this kind holds. Narrower ints are not counted, so that whoever meets one needs all bits.
fn held(kind: Kind, variable: Variable) -> Slot {
    match kind {
        Kind::Int | Kind::Long => (Operand::Number(variable), kind == Kind::Long),
        _ => (Operand::Number(Variable::Computed), kind == Kind::Double),
    }
}

fn is_number(kind: Kind) -> bool {
    matches!(kind, Kind::Int | Kind::Long)
}

/// Variables that belong together.
#[derive(Clone, Default)]
struct Groups {
    numbers: HashMap<Variable, usize>,
    above: Vec<usize>,
    constants: Vec<BTreeSet<i64>>,
    /// Variables of the input that hold longs.
    longs: BTreeSet<Variable>,
}

impl Groups {
    fn find(&mut self, variable: Variable) -> usize {
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

    fn join(&mut self, one: Variable, other: Variable) {
        let (one, other) = (self.find(one), self.find(other));
        if one != other {
            self.above[other] = one;
            let constants = std::mem::take(&mut self.constants[other]);
            self.constants[one].extend(constants);
        }
    }

    fn meet(&mut self, variable: Variable, constant: i64) {
        let group = self.find(variable);
        self.constants[group].insert(constant);
    }

    fn bits(&mut self, variable: Variable, sizes: &HashMap<usize, i64>) -> Option<Width> {
        let (group, computed) = (self.find(variable), self.find(Variable::Computed));
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
        let width = Width { bits, may_be_greatest: may_be(GREATEST), may_be_least: may_be(LEAST) };
        // To a long, the extreme ints are numbers like others, and far from all that have few bits.
        let has_int_extremes = constants.contains(&GREATEST[0]) || constants.contains(&LEAST[0]);
        let has_longs = self.longs.clone().into_iter().any(|long| self.find(long) == group);
        (bits < 31 && !(has_int_extremes && has_longs)).then_some(width)
    }
}

/// What the operand stack may hold.
#[derive(Clone, Copy)]
enum Operand {
    /// To an object of this class, if one is declared.
    Reference(Option<&'static Class>),
    Number(Variable),
    Constant(i64),
}

impl PartialEq for Operand {
    fn eq(&self, other: &Operand) -> bool {
        match (self, other) {
            (Operand::Reference(one), Operand::Reference(other)) => {
                one.map(|one| one.id) == other.map(|other| other.id)
            }
            (Operand::Number(one), Operand::Number(other)) => one == other,
            (Operand::Constant(one), Operand::Constant(other)) => one == other,
            _ => false,
        }
    }
}

/// An operand, and whether it takes two slots.
type Slot = (Operand, bool);

/// What is known at an instruction. Of a number in a local variable only that it is one.
#[derive(Clone, PartialEq)]
struct Frame {
    locals: Vec<Option<Slot>>,
    stack: Vec<Slot>,
}

struct Walk<'a> {
    program: &'a Program,
    widths: Widths,
    waiting: Vec<&'static Method>,
    is_watched: bool,
}

impl Walk<'_> {
    fn look_at(&mut self, method: &'static Method) -> Option<()> {
        if method.is_abstract() {
            return Some(());
        }
        let code = self.program.code(method).ok()?;
        let mut locals: Vec<Option<Slot>> = Vec::new();
        if !method.is_static() {
            locals.push(Some((Operand::Reference(Some(method.class())), false)));
        }
        for parameter in descriptor::method(method.descriptor)?.0 {
            let variable = Variable::Local(method.id.index(), locals.len() as u32);
            if Kind::of_descriptor(parameter) == Kind::Long {
                self.widths.groups.longs.insert(variable);
            }
            locals.push(Some(self.declared(parameter, variable)));
        }
        locals.resize(code.locals as usize, None);
        let mut frames: HashMap<u32, Frame> = HashMap::from([(0, Frame { locals, stack: Vec::new() })]);
        let mut waiting = vec![0u32];
        while let Some(pc) = waiting.pop() {
            let mut frame = frames.get(&pc)?.clone();
            let handlers = code.handlers.iter().filter(|handler| (handler.start..handler.end).contains(&pc));
            let thrown = vec![(Operand::Reference(None), false)];
            let caught = handlers.map(|handler| (handler.target, Frame { stack: thrown.clone(), ..frame.clone() }));
            let mut next: Vec<(u32, Frame)> = caught.collect();
            let targets = self.step(method, code, pc, &mut frame)?;
            next.extend(targets.into_iter().map(|target| (target, frame.clone())));
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

    /// Two frames where ways meet.
    fn meet(&mut self, method: &'static Method, pc: u32, one: &Frame, other: &Frame) -> Option<Frame> {
        if one.stack.len() != other.stack.len() {
            return None;
        }
        let either = |one: &Option<Slot>, other: &Option<Slot>| match (one, other) {
            (Some((Operand::Reference(_), _)), Some((Operand::Reference(_), _))) if one != other => {
                Some((Operand::Reference(None), false))
            }
            _ if one == other => *one,
            _ => None,
        };
        let locals = one.locals.iter().zip(&other.locals).map(|(one, other)| either(one, other)).collect();
        let mut stack = Vec::with_capacity(one.stack.len());
        for (at, (one, other)) in one.stack.iter().zip(&other.stack).enumerate() {
            stack.push(match (one.0, other.0) {
                _ if one == other => *one,
                (Operand::Reference(_), Operand::Reference(_)) => (Operand::Reference(None), false),
                (Operand::Reference(_), _) | (_, Operand::Reference(_)) => return None,
                (left, right) => {
                    let joined = Variable::Joined(method.id.index(), pc, at as u32);
                    self.assign(joined, left);
                    self.assign(joined, right);
                    (Operand::Number(joined), one.1)
                }
            });
        }
        Some(Frame { locals, stack })
    }

    /// What a variable of a declared type holds.
    fn declared(&self, descriptor: &str, variable: Variable) -> Slot {
        match Kind::of_descriptor(descriptor) {
            Kind::Reference => (Operand::Reference(self.program.load_descriptor(descriptor).ok()), false),
            kind => held(kind, variable),
        }
    }

    fn touch(&mut self, class: &'static Class, slot: u32) {
        if let Variable::Field(class, slot) = owned(class, slot) {
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

    fn assign(&mut self, variable: Variable, operand: Operand) {
        match operand {
            Operand::Reference(_) => {}
            Operand::Number(other) => self.widths.groups.join(variable, other),
            Operand::Constant(constant) => self.widths.groups.meet(variable, constant),
        }
    }

    fn compare(&mut self, one: Operand, other: Operand) {
        match (one, other) {
            (Operand::Number(one), other) => self.assign(one, other),
            (one, Operand::Number(other)) => self.assign(other, one),
            _ => {}
        }
    }

    /// The group does not matter by its order alone.
    fn compute(&mut self, operand: Operand) {
        if let Operand::Number(variable) = operand {
            self.widths.groups.join(Variable::Computed, variable);
        }
    }

    /// What an instruction does to the stack, and where it goes on.
    fn step(&mut self, method: &'static Method, code: &'static Code, pc: u32, frame: &mut Frame) -> Option<Vec<u32>> {
        let number = method.id.index();
        let local = |at: u16| Variable::Local(number, at as u32);
        let op = code.ops[pc as usize].first();
        let computed = (Operand::Number(Variable::Computed), false);
        let Frame { locals, stack } = frame;
        match op {
            Op::Nop => {}
            Op::Null | Op::String(_) | Op::ClassConstant(_) => stack.push((Operand::Reference(None), false)),
            Op::Int(value) => stack.push((Operand::Constant(value as i64), false)),
            Op::Constant(index) => stack.push(match code.constants[index as usize] {
                Value::Long(value) => (Operand::Constant(value), true),
                Value::Double(_) => (computed.0, true),
                _ => computed,
            }),
            Op::Load(at) => stack.push((*locals.get(at as usize)?)?),
            Op::Store(at) => {
                let (operand, is_wide) = stack.pop()?;
                self.assign(local(at), operand);
                *locals.get_mut(at as usize)? = Some(match operand {
                    Operand::Reference(_) => (operand, false),
                    _ => (Operand::Number(local(at)), is_wide),
                });
            }
            Op::Iinc(at, _) => self.widths.groups.join(Variable::Computed, local(at)),
            Op::Pop | Op::Pop2 | Op::Dup | Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                shuffle(stack, op, |(_, is_wide)| *is_wide)?
            }
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
                // What it holds is not known here.
                self.touch_static(code, site)?;
                let descriptor = code.fields[site as usize].descriptor;
                stack.push(self.declared(descriptor, Variable::Computed));
            }
            Op::PutStatic(site) => {
                self.touch_static(code, site)?;
                let (value, _) = stack.pop()?;
                self.compute(value);
            }
            Op::New(site) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                for owner in class.chain() {
                    for field in owner.fields.iter().filter(|field| !field.is_static() && is_number(field.kind)) {
                        self.widths.groups.meet(Variable::Field(owner.id.index() as u32, field.slot), 0);
                    }
                }
                stack.push((Operand::Reference(Some(class)), false));
            }
            Op::NewArray(site) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                let (length, _) = stack.pop()?;
                self.compute(length);
                stack.push((Operand::Reference(Some(class)), false));
            }
            Op::MultiNewArray(site, dimensions) => {
                let class = self.program.resolve_class(&code.classes[site as usize]).ok()?;
                for _ in 0..dimensions {
                    let (length, _) = stack.pop()?;
                    self.compute(length);
                }
                stack.push((Operand::Reference(Some(class)), false));
            }
            Op::ArrayLength => {
                stack.pop()?;
                stack.push(computed);
            }
            Op::ArrayLoad => {
                let (index, _) = stack.pop()?;
                self.compute(index);
                let (Operand::Reference(Some(class)), _) = stack.pop()? else { return None };
                let component = class.component()?;
                stack.push(match component.kind() {
                    Kind::Reference => (Operand::Reference(Some(component)), false),
                    kind => held(kind, Variable::Computed),
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
                stack.last_mut()?.0 = Operand::Reference(Some(class));
            }
            Op::InstanceOf(_) => {
                stack.pop()?;
                stack.push(computed);
            }
            Op::MonitorEnter | Op::MonitorExit => drop(stack.pop()?),
            Op::Throw => return Some(Vec::new()),
            Op::Return => return Some(Vec::new()),
            Op::ReturnValue => {
                let (value, _) = stack.pop()?;
                self.assign(Variable::Returned(number), value);
                return Some(Vec::new());
            }
            Op::Goto(target) => return Some(vec![target]),
            Op::IfNull(target) | Op::IfNonNull(target) => {
                stack.pop()?;
                return Some(vec![target, pc + 1]);
            }
            Op::IfAcmpEq(target) | Op::IfAcmpNe(target) => {
                stack.pop()?;
                stack.pop()?;
                return Some(vec![target, pc + 1]);
            }
            Op::IfEq(target)
            | Op::IfNe(target)
            | Op::IfLt(target)
            | Op::IfGe(target)
            | Op::IfGt(target)
            | Op::IfLe(target) => {
                let (value, _) = stack.pop()?;
                self.compare(value, Operand::Constant(0));
                return Some(vec![target, pc + 1]);
            }
            Op::IfIcmpEq(target)
            | Op::IfIcmpNe(target)
            | Op::IfIcmpLt(target)
            | Op::IfIcmpGe(target)
            | Op::IfIcmpGt(target)
            | Op::IfIcmpLe(target) => {
                let (right, left) = (stack.pop()?.0, stack.pop()?.0);
                self.compare(left, right);
                return Some(vec![target, pc + 1]);
            }
            Op::TableSwitch(table) => {
                let (value, _) = stack.pop()?;
                self.compute(value);
                let table = &code.tables[table as usize];
                return Some(table.targets.iter().copied().chain([table.default]).collect());
            }
            Op::LookupSwitch(table) => {
                let (value, _) = stack.pop()?;
                self.compute(value);
                let table = &code.lookups[table as usize];
                return Some(table.pairs.iter().map(|(_, target)| *target).chain([table.default]).collect());
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
                stack.push((Operand::Reference(None), false));
            }
            _ => {
                let (taken, is_wide) = arithmetic(op)?;
                for _ in 0..taken {
                    let (value, _) = stack.pop()?;
                    self.compute(value);
                }
                stack.push((computed.0, is_wide));
            }
        }
        Some(vec![pc + 1])
    }

    /// Calls all methods that the site may mean. `dispatch` says whether the class of the receiver decides; there is none for a static method.
    fn call(&mut self, code: &'static Code, site: u32, dispatch: Option<bool>, stack: &mut Vec<Slot>) -> Option<()> {
        let site = &code.calls[site as usize];
        let named = self.program.resolve_call(site).ok()?;
        let first = stack.len().checked_sub(site.arguments as usize)?;
        let arguments = stack.split_off(first);
        let callees = self.callees(named, dispatch)?;
        let (_, result) = descriptor::method(site.descriptor)?;
        stack.extend(self.enter_all(&callees, &arguments, (named.result, result))?);
        Some(())
    }

    /// Hands arguments to methods, one of which is called: what that returns.
    fn enter_all(
        &mut self,
        callees: &[&'static Method],
        arguments: &[Slot],
        (kind, result): (Kind, &str),
    ) -> Option<Option<Slot>> {
        for callee in callees {
            let number = callee.id.index();
            for (at, (operand, _)) in arguments.iter().enumerate() {
                self.assign(Variable::Local(number, at as u32), *operand);
            }
            self.waiting.push(callee);
        }
        let is_wide = matches!(kind, Kind::Long | Kind::Double);
        Some(match (kind, callees.split_first()) {
            (Kind::Void, _) => None,
            (Kind::Reference, _) => Some(self.declared(result, Variable::Computed)),
            (_, Some((first, others))) => {
                let result = Variable::Returned(first.id.index());
                others.iter().for_each(|other| self.widths.groups.join(result, Variable::Returned(other.id.index())));
                Some((Operand::Number(result), is_wide))
            }
            (_, None) => {
                arguments.iter().for_each(|(operand, _)| self.compute(*operand));
                Some((Operand::Number(Variable::Computed), is_wide))
            }
        })
    }

    /// The methods whose code is looked at. Empty for what has no code of its own; none if something else may be called.
    fn callees(&self, named: &'static Method, dispatch: Option<bool>) -> Option<Vec<&'static Method>> {
        let known = self.program.known();
        let class = named.class();
        let has_no_effect = named.name == "<init>"
            && (class.id == known.object.id || class.is_subtype_of(known.throwable) && !class.is_users());
        let is_model = |class: &&'static Class| model_of(class).is_some();
        let is_collection = is_model(&class) || class.name.starts_with("java/util/") && class.is_abstract();
        // A collection of the user's own would be executed.
        if is_collection && self.program.users().iter().any(|other| other.is_subtype_of(class)) {
            return None;
        }
        if has_no_effect || is_collection || class.name == lazuli_vm::natives::contract::CLASS {
            return Some(Vec::new());
        }
        let mut found = vec![named];
        if dispatch == Some(true) {
            let below = self.program.users().iter().filter(|other| other.is_subtype_of(class));
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
        // What overrides a method of the JDK there is not known.
        let is_open = dispatch == Some(true) && !class.is_users();
        (!is_open && found.iter().all(has_code)).then_some(found)
    }
}

/// How many numbers an operation takes, and whether what it gives takes two slots.
fn arithmetic(op: Op) -> Option<(usize, bool)> {
    Some(match op {
        Op::Iadd
        | Op::Isub
        | Op::Imul
        | Op::Idiv
        | Op::Irem
        | Op::Ishl
        | Op::Ishr
        | Op::Iushr
        | Op::Iand
        | Op::Ior
        | Op::Ixor => (2, false),
        Op::Ladd
        | Op::Lsub
        | Op::Lmul
        | Op::Ldiv
        | Op::Lrem
        | Op::Lshl
        | Op::Lshr
        | Op::Lushr
        | Op::Land
        | Op::Lor
        | Op::Lxor => (2, true),
        Op::Ineg | Op::L2i | Op::I2b | Op::I2c | Op::I2s => (1, false),
        Op::Lneg => (1, true),
        _ => return None,
    })
}
