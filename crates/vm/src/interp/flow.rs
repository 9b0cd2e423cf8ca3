//! Where does a value come from: from the arguments and the heap at entry, or from what the program computed?
//!
//! A concrete run is followed instruction by instruction. Beside each register, field and element stands an [`Origin`]. Moves hand it on;
//! everything else makes a new one of those of its operands. Runs that nothing asks about pay nothing: the hook is in the instance of the
//! loop that notes steps, see `execute`. Example: in `void add(int n) { log.post(n); log.post(n - 1); }`, the argument of the first
//! call is parameter 1 as it came, that of the second is computed of parameter 1 and a constant.
//!
//! Origins are numbered in the order in which they arise. So whether a value was there before a call is a comparison of two numbers.

use std::collections::{HashMap, HashSet};

use smallvec::SmallVec;

use super::decisive::{WayTaken, is_chosen_by_receiver, is_decisive};
use super::{Vm, arithmetic};
use crate::frame::{Frame, Purpose};
use crate::heap::Heap;
use crate::program::{Class, ClassId, Code, Method, Op, access, descriptor};
use crate::state::State;
use crate::value::{ObjId, Value};

/// Longer runs are not followed to their end.
const MOST_ORIGINS: usize = 4_000_000;

/// Conditions before a return that are looked at, the last ones.
const MOST_DECISIVE: usize = 1_000;

/// The number of an origin.
pub type OriginId = u32;

/// Where a value comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// An object, a length or the contents of a place at entry.
    Entry,
    /// An argument of the run, the receiver included.
    Parameter(u32),
    /// A place of the heap at entry to which the code around handed null: by an earlier call, or inside of an argument.
    HandedNull,
    /// It stands in the code, or comes from outside.
    Constant,
    /// An instruction or a native method made it of these.
    Computed(SmallVec<[OriginId; 2]>),
}

/// A conditional jump or a switch that was executed.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The call in which it stands, see [`Activation::number`].
    pub activation: u32,
    /// The origins of its operands.
    pub operands: SmallVec<[OriginId; 2]>,
    way: WayTaken,
}

/// One call of a method.
#[derive(Clone, Debug)]
pub struct Activation {
    /// Different for all calls of a run.
    pub number: u32,
    /// The method that was called.
    pub method: &'static Method,
    /// Origins from this number on arose in the call, or after it.
    pub born: OriginId,
    /// How many guards had been executed before the call.
    pub first_guard: usize,
    /// The origins of the arguments, the receiver included.
    pub arguments: SmallVec<[OriginId; 4]>,
    /// How many guards had been executed when the call last began to make a throwable.
    made_throwable: Option<usize>,
    /// Did the compiler add the call? `s::length` and `outer.new Inner()` begin with `Objects.requireNonNull` of a copy of their object, whose result is dropped.
    pub is_compilers: bool,
    /// Does its result go to the caller?
    is_call: bool,
    /// The result of the call is this value as it came: a box of it, or what is in the box.
    hands_on: Option<OriginId>,
    /// The last number of its code that it used, and where that stands.
    constant: Option<(OriginId, u32)>,
}

/// The situation in which an exception was made.
#[derive(Clone, Debug)]
pub struct ThrowContext {
    /// The calls from the target to the one that made it, that one last. Constructors of the exception are not among them.
    pub calls: Vec<Activation>,
    /// The guards before it are those that count.
    pub guards: usize,
    /// Did the program make it by `new`? Else the virtual machine, or a native method.
    pub is_explicit: bool,
    /// The references that were null, of an implicit NullPointerException.
    pub nulls: SmallVec<[OriginId; 2]>,
}

/// The data flow of one run.
#[derive(Default)]
pub struct Flow {
    origins: Vec<Origin>,
    /// Beside the registers of the thread.
    registers: Vec<OriginId>,
    objects: HashMap<ObjId, ContentOrigins>,
    /// The static fields that were written: class and slot.
    statics: HashMap<(ClassId, u32), OriginId>,
    activations: Vec<Activation>,
    calls: u32,
    guards: Vec<Guard>,
    thrown: HashMap<ObjId, ThrowContext>,
    pending: Option<PendingEffect>,
    /// The reference that the current instruction dereferences.
    dereferenced: Option<OriginId>,
    throwables: HashSet<&'static str>,
    /// Was the run too long to be followed?
    pub is_cut: bool,
}

/// The origins of the contents of an object.
struct ContentOrigins {
    /// Of what was not written since.
    others: OriginId,
    written: HashMap<u32, OriginId>,
}

/// An instruction whose effect shows only when the next one begins.
enum PendingEffect {
    /// A call: its result, if it has one, comes to this register.
    Call { depth: usize, pc: u32, at: usize, given: SmallVec<[(Value, OriginId); 4]>, hands_on: bool },
    /// A return with this value.
    Return { depth: usize, value: OriginId },
    /// A new object will lie in this register.
    Made { depth: usize, pc: u32, at: usize },
}

impl Flow {
    /// Of a run of a method with so many arguments.
    pub fn new(arguments: u32) -> Flow {
        let origins: Vec<Origin> =
            std::iter::once(Origin::Entry).chain((0..arguments).map(Origin::Parameter)).collect();
        let registers = (1..=arguments).collect();
        Flow { origins, registers, ..Flow::default() }
    }

    /// These fields and elements contain null at entry because the code around handed it over.
    pub fn with_handed_nulls(mut self, places: &[(ObjId, u32)]) -> Flow {
        if !places.is_empty() {
            let handed = self.add(Origin::HandedNull);
            places.iter().for_each(|(object, place)| self.write(*object, *place, handed));
        }
        self
    }

    /// An origin by its number.
    pub fn origin(&self, id: OriginId) -> &Origin {
        &self.origins[id as usize]
    }

    /// The conditional jumps and switches of the run, in order.
    pub fn guards(&self) -> &[Guard] {
        &self.guards
    }

    /// The situation in which an exception was made.
    pub fn thrown(&self, exception: ObjId) -> Option<&ThrowContext> {
        self.thrown.get(&exception).filter(|_| !self.is_cut)
    }

    fn add(&mut self, origin: Origin) -> OriginId {
        if self.origins.len() >= MOST_ORIGINS {
            self.is_cut = true;
            return 0;
        }
        self.origins.push(origin);
        self.origins.len() as OriginId - 1
    }

    fn constant(&mut self) -> OriginId {
        self.add(Origin::Constant)
    }

    fn computed(&mut self, of: impl IntoIterator<Item = OriginId>) -> OriginId {
        self.add(Origin::Computed(of.into_iter().collect()))
    }

    fn register(&self, at: usize) -> OriginId {
        self.registers.get(at).copied().unwrap_or(0)
    }

    fn set(&mut self, at: usize, origin: OriginId) {
        if at >= self.registers.len() {
            self.registers.resize((at + 1).next_power_of_two(), 0);
        }
        self.registers[at] = origin;
    }

    fn is_as_at_entry(&self, origin: OriginId) -> bool {
        matches!(self.origin(origin), Origin::Entry | Origin::Parameter(_) | Origin::HandedNull)
    }

    /// The contents of a place of an object; `reference` is the origin of the reference through which it is read.
    fn contents(&mut self, object: ObjId, place: u32, reference: OriginId) -> OriginId {
        match self.objects.get(&object) {
            Some(contents) => match contents.written.get(&place) {
                Some(written) => *written,
                None if contents.others != 0 => contents.others,
                None => self.of_reference(reference),
            },
            None => self.of_reference(reference),
        }
    }

    /// The origin of a value that is read through a reference: a part of an unchanged object from entry was there at entry too.
    fn of_reference(&mut self, reference: OriginId) -> OriginId {
        if self.is_as_at_entry(reference) { 0 } else { self.computed([reference]) }
    }

    fn write(&mut self, object: ObjId, place: u32, origin: OriginId) {
        let contents =
            self.objects.entry(object).or_insert_with(|| ContentOrigins { others: 0, written: HashMap::new() });
        contents.written.insert(place, origin);
    }

    fn made(&mut self, object: ObjId, others: OriginId) {
        self.objects.insert(object, ContentOrigins { others, written: HashMap::new() });
    }

    fn guard(&mut self, at: usize, operands: impl IntoIterator<Item = OriginId>) {
        let Some(activation) = self.activations.last() else { return };
        let way = WayTaken { at: at as u32, next: at as u32 };
        let guard = Guard { activation: activation.number, operands: operands.into_iter().collect(), way };
        self.guards.push(guard);
        self.is_cut |= self.guards.len() >= MOST_ORIGINS;
    }

    /// The origin of a value that the current call returns: a constant comes from the conditions that decided it.
    fn decided(&mut self, code: &Code, value: OriginId) -> OriginId {
        let Some(activation) = self.activations.last() else { return value };
        let Some((_, constant)) = activation.constant.filter(|(origin, _)| *origin == value) else { return value };
        let own = self.guards[activation.first_guard..].iter().rev().take(MOST_DECISIVE);
        let own = own.filter(|guard| guard.activation == activation.number);
        let decisive = own.filter(|guard| is_decisive(code, guard.way, constant));
        let receiver = activation.arguments.first().filter(|_| is_chosen_by_receiver(activation.method)).copied();
        let of: SmallVec<[OriginId; 2]> =
            decisive.flat_map(|guard| guard.operands.iter().copied()).chain(receiver).collect();
        if of.is_empty() { value } else { self.computed(of) }
    }

    /// Brings the calls up to date. To be called whenever the interpreter looks at the top frame anew.
    fn look_at_frames(&mut self, state: &State) {
        let frames = &state.thread.frames;
        let (depth, Some(top)) = (frames.len(), frames.last()) else { return };
        let mut hands_on = None;
        let mut given = SmallVec::new();
        match self.pending.take() {
            Some(PendingEffect::Return { depth: from, value })
                if from == depth + 1 && self.activations.last().is_some_and(|ended| ended.is_call) =>
            {
                let value = self.activations.last().and_then(|ended| ended.hands_on).unwrap_or(value);
                self.set((top.base + top.sp) as usize - 1, value);
            }
            // The method has no code of its own that was run. Otherwise it threw, and the exception was caught here.
            Some(PendingEffect::Call { depth: from, pc, at, given, hands_on: is_same })
                if from == depth && top.pc == pc + 1 && (top.base + top.sp) as usize > at =>
            {
                let result = match given.first() {
                    Some((_, first)) if is_same => *first,
                    _ => self.computed(given.iter().map(|(_, origin)| *origin)),
                };
                self.set(at, result);
                let value = state.thread.stack.get(at).copied().and_then(Value::object);
                if let Some(object) =
                    value.filter(|object| !given.iter().any(|(known, _)| known.object() == Some(*object)))
                    && !self.is_as_at_entry(result)
                {
                    self.objects
                        .entry(object)
                        .or_insert_with(|| ContentOrigins { others: result, written: HashMap::new() });
                }
            }
            Some(PendingEffect::Call { depth: from, given: values, hands_on: is_same, .. }) if from < depth => {
                hands_on = values.first().map(|(_, first)| *first).filter(|_| is_same);
                given = values;
            }
            Some(PendingEffect::Made { depth: from, pc, at }) if from == depth && top.pc == pc + 1 => {
                self.settle_made(state.thread.stack[at], at)
            }
            _ => {}
        }
        self.activations.truncate(depth);
        while self.activations.len() < depth {
            let frame = frames[self.activations.len()];
            let from = frame.base as usize;
            let is_passed_on =
                self.activations.len() + 1 == depth && depth >= 2 && frames[depth - 2].method.native.is_some();
            for at in from..from + frame.method.arguments as usize {
                match frame.purpose {
                    Purpose::Entry => {}
                    // A native method hands arguments on, in an order of its own.
                    Purpose::Call if is_passed_on => {
                        let value = state.thread.stack[at];
                        let same = given.iter().find(|(known, _)| *known == value).map(|(_, origin)| *origin);
                        let origin = same.unwrap_or_else(|| self.computed(given.iter().map(|(_, origin)| *origin)));
                        self.set(at, origin);
                    }
                    Purpose::Call => {}
                    Purpose::Initialise(_)
                    | Purpose::Detour
                    | Purpose::Make
                    | Purpose::Refill
                    | Purpose::Judge(_)
                    | Purpose::Assume
                    | Purpose::Thread => {
                        let origin = self.constant();
                        self.set(at, origin);
                    }
                }
            }
            let arguments = (from..from + frame.method.arguments as usize).map(|at| self.register(at)).collect();
            self.calls += 1;
            self.activations.push(Activation {
                number: self.calls,
                method: frame.method,
                born: self.origins.len() as OriginId,
                first_guard: self.guards.len(),
                arguments,
                made_throwable: None,
                is_compilers: self
                    .activations
                    .len()
                    .checked_sub(1)
                    .is_some_and(|caller| adds_null_check(&frames[caller])),
                is_call: matches!(frame.purpose, Purpose::Call),
                hands_on: hands_on.take(),
                constant: None,
            });
        }
        // At the start of a handler, the exception is the only operand.
        if top.sp == top.code.locals + 1 && top.code.handlers.iter().any(|handler| handler.target == top.pc) {
            let exception = self.constant();
            self.set((top.base + top.code.locals) as usize, exception);
        }
    }

    fn settle_made(&mut self, value: Value, at: usize) {
        if let Some(object) = value.object() {
            let origin = self.register(at);
            self.made(object, origin);
        }
    }

    /// Follows one instruction, which is about to be executed. It may be executed again, so that what is read here is not changed here.
    fn step(&mut self, heap: &Heap, code: &Code, registers: &[Value], at: InstructionPosition) {
        let InstructionPosition { base, pc, sp, depth } = at;
        if let Some(PendingEffect::Made { depth: from, pc: made, at }) = self.pending
            && from == depth
            && made as usize + 1 == pc
        {
            self.settle_made(registers[at - base], at);
            self.pending = None;
        }
        if let Some(guard) = self.guards.last_mut().filter(|guard| guard.way.at == guard.way.next) {
            guard.way.next = pc as u32;
        }
        let top = base + sp;
        let op = code.ops[pc].unfused();
        self.dereferenced = match op {
            Op::GetField(_) | Op::ArrayLength | Op::Throw | Op::MonitorEnter | Op::MonitorExit => Some(top - 1),
            Op::PutField(_) | Op::ArrayLoad => Some(top - 2),
            Op::ArrayStore => Some(top - 3),
            Op::InvokeVirtual(site) | Op::InvokeInterface(site) | Op::InvokeSpecial(site) => {
                Some(top - code.calls[site as usize].arguments as usize)
            }
            _ => None,
        }
        .map(|at| self.register(at));
        match op {
            Op::Load(local) => {
                let origin = self.register(base + local as usize);
                self.set(top, origin);
            }
            Op::Store(local) => {
                let origin = self.register(top - 1);
                self.set(base + local as usize, origin);
            }
            Op::Int(_) => {
                let origin = self.constant();
                self.set(top, origin);
                if let Some(activation) = self.activations.last_mut() {
                    activation.constant = Some((origin, pc as u32));
                }
            }
            Op::Null | Op::Constant(_) | Op::String(_) | Op::ClassConstant(_) | Op::OtherConstant(_) | Op::Jsr(_) => {
                let origin = self.constant();
                self.set(top, origin);
            }
            Op::Dup => {
                let origin = self.register(top - 1);
                self.set(top, origin);
            }
            Op::Swap => {
                let (one, other) = (self.register(top - 1), self.register(top - 2));
                self.set(top - 1, other);
                self.set(top - 2, one);
            }
            Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 => self.duplicate(op, registers, at),
            Op::Iinc(local, _) => {
                let at = base + local as usize;
                let origin = self.computed([self.register(at)]);
                self.set(at, origin);
            }
            Op::GetField(site) => {
                let reference = self.register(top - 1);
                if let (Value::Ref(Some(object)), Some(field)) =
                    (registers[sp - 1], code.fields[site as usize].resolved.get())
                {
                    let origin = self.contents(object, field.slot, reference);
                    self.set(top - 1, origin);
                }
            }
            Op::PutField(site) => {
                if let (Value::Ref(Some(object)), Some(field)) =
                    (registers[sp - 2], code.fields[site as usize].resolved.get())
                {
                    let origin = self.register(top - 1);
                    self.write(object, field.slot, origin);
                }
            }
            Op::GetStatic(site) => {
                let field = code.fields[site as usize].resolved.get();
                let written = field.and_then(|field| self.statics.get(&(field.class.id, field.slot)).copied());
                let is_state = field.is_some_and(|field| {
                    field.class.is_users() && !is_final(field.class, code.fields[site as usize].name)
                });
                let origin = match written {
                    Some(written) => written,
                    None if is_state => 0,
                    None => self.constant(),
                };
                self.set(top, origin);
            }
            Op::PutStatic(site) => {
                if let Some(field) = code.fields[site as usize].resolved.get() {
                    let origin = self.register(top - 1);
                    self.statics.insert((field.class.id, field.slot), origin);
                }
            }
            Op::ArrayLoad => {
                let reference = self.register(top - 2);
                if let (Value::Ref(Some(array)), Value::Int(index)) = (registers[sp - 2], registers[sp - 1]) {
                    let contents = self.contents(array, index as u32, reference);
                    // A value found in a table of the program's own depends on where it was looked up.
                    let origin = match self.is_as_at_entry(contents) {
                        true => contents,
                        false => self.computed([contents, self.register(top - 1)]),
                    };
                    self.set(top - 2, origin);
                }
            }
            Op::ArrayStore => {
                if let (Value::Ref(Some(array)), Value::Int(index)) = (registers[sp - 3], registers[sp - 2]) {
                    let origin = self.register(top - 1);
                    self.write(array, index as u32, origin);
                }
            }
            Op::ArrayLength => {
                let origin = self.of_reference(self.register(top - 1));
                self.set(top - 1, origin);
            }
            Op::New(site) => {
                let origin = self.constant();
                self.set(top, origin);
                self.pending = Some(PendingEffect::Made { depth, pc: pc as u32, at: top });
                let class = code.classes[site as usize].resolved.get();
                if class.is_some_and(|class| self.is_throwable(class.name, class.chain().map(|class| class.name)))
                    && let Some(activation) = self.activations.last_mut()
                {
                    activation.made_throwable = Some(self.guards.len());
                }
            }
            Op::NewArray(_) => {
                let origin = self.computed([self.register(top - 1)]);
                self.set(top - 1, origin);
                self.pending = Some(PendingEffect::Made { depth, pc: pc as u32, at: top - 1 });
            }
            Op::MultiNewArray(_, dimensions) => {
                let first = top - dimensions as usize;
                let of: SmallVec<[OriginId; 2]> = (first..top).map(|at| self.register(at)).collect();
                let origin = self.computed(of);
                self.set(first, origin);
                self.pending = Some(PendingEffect::Made { depth, pc: pc as u32, at: first });
            }
            Op::CheckCast(_) | Op::Nop | Op::Pop | Op::Pop2 | Op::Goto(_) | Op::Ret(_) | Op::Return | Op::Throw => {}
            Op::MonitorEnter | Op::MonitorExit => {}
            Op::IfEq(_) | Op::IfNe(_) | Op::IfLt(_) | Op::IfGe(_) | Op::IfGt(_) | Op::IfLe(_) => {
                self.guard(pc, [self.register(top - 1)])
            }
            Op::IfNull(_) | Op::IfNonNull(_) | Op::TableSwitch(_) | Op::LookupSwitch(_) => {
                self.guard(pc, [self.register(top - 1)])
            }
            Op::IfIcmpEq(_)
            | Op::IfIcmpNe(_)
            | Op::IfIcmpLt(_)
            | Op::IfIcmpGe(_)
            | Op::IfIcmpGt(_)
            | Op::IfIcmpLe(_)
            | Op::IfAcmpEq(_)
            | Op::IfAcmpNe(_) => self.guard(pc, [self.register(top - 2), self.register(top - 1)]),
            Op::ReturnValue => {
                let value = self.decided(code, self.register(top - 1));
                self.pending = Some(PendingEffect::Return { depth, value });
            }
            Op::InvokeVirtual(site) | Op::InvokeSpecial(site) | Op::InvokeStatic(site) | Op::InvokeInterface(site) => {
                let call = &code.calls[site as usize];
                let hands_on = is_boxing(call.class, call.name);
                self.call(registers, at, call.arguments as usize, hands_on);
                if (call.class, call.name) == ("java/lang/System", "arraycopy") {
                    self.copy_elements(heap, &registers[sp - 5..sp], top);
                }
            }
            Op::InvokeDynamic(site) => {
                let arguments = descriptor::kinds(code.dynamics[site as usize].descriptor);
                let arguments = arguments.map_or(0, |(parameters, _)| parameters.len());
                self.call(registers, at, arguments, false);
            }
            Op::InstanceOf(_) => self.compute(top, 1),
            Op::Concat(_) => self.compute_all(top),
            Op::Ineg | Op::Lneg | Op::Fneg | Op::Dneg => self.compute(top, 1),
            Op::I2l | Op::I2f | Op::I2d | Op::L2i | Op::L2f | Op::L2d | Op::F2i | Op::F2l | Op::F2d => {
                self.compute(top, 1)
            }
            Op::D2i | Op::D2l | Op::D2f | Op::I2b | Op::I2c | Op::I2s => self.compute(top, 1),
            // All others are arithmetic on two operands: the fused ones were taken apart.
            _ => self.compute(top, 2),
        }
    }

    fn compute(&mut self, top: usize, operands: usize) {
        let Some(first) = top.checked_sub(operands) else { return };
        let of: SmallVec<[OriginId; 2]> = (first..top).map(|at| self.register(at)).collect();
        let origin = self.computed(of);
        self.set(first, origin);
    }

    /// A concatenation is synthetic code: all operands of its frame are the pieces.
    fn compute_all(&mut self, top: usize) {
        let of: SmallVec<[OriginId; 2]> =
            self.activations.last().map_or(SmallVec::new(), |call| call.arguments.iter().copied().collect());
        let origin = self.computed(of);
        self.set(top, origin);
    }

    fn call(&mut self, registers: &[Value], at: InstructionPosition, arguments: usize, hands_on: bool) {
        let InstructionPosition { base, pc, sp, depth } = at;
        let first = sp - arguments;
        let given = (first..sp).map(|at| (registers[at], self.register(base + at))).collect();
        self.pending = Some(PendingEffect::Call { depth, pc: pc as u32, at: base + first, given, hands_on });
    }

    fn duplicate(&mut self, op: Op, registers: &[Value], at: InstructionPosition) {
        let InstructionPosition { base, sp, .. } = at;
        // The numbers stand in for the values, which only say how wide they are.
        let mut shuffled: Vec<Value> = registers[..sp].to_vec();
        shuffled.extend([Value::Top; 2]);
        let mut places: Vec<Value> = (0..sp + 2).map(|place| Value::Int(place as i32)).collect();
        for (place, value) in places.iter_mut().zip(&shuffled) {
            if value.is_wide() {
                *place = Value::Long(match place {
                    Value::Int(number) => *number as i64,
                    _ => 0,
                });
            }
        }
        let end = arithmetic::duplicate(op, &mut places, sp);
        let before: Vec<OriginId> = (0..sp).map(|place| self.register(base + place)).collect();
        for (place, from) in places[..end].iter().enumerate() {
            let from = match from {
                Value::Int(number) => *number as usize,
                Value::Long(number) => *number as usize,
                _ => continue,
            };
            if let Some(origin) = before.get(from) {
                self.set(base + place, *origin);
            }
        }
    }

    fn copy_elements(&mut self, heap: &Heap, given: &[Value], top: usize) {
        let [Value::Ref(Some(from)), Value::Int(first), Value::Ref(Some(to)), Value::Int(at), Value::Int(count)] =
            given
        else {
            return;
        };
        let length = |array: &ObjId| heap.length(*array).unwrap_or(0) as i64;
        let fits = *first >= 0 && *at >= 0 && *count >= 0;
        if !fits || *first as i64 + *count as i64 > length(from) || *at as i64 + *count as i64 > length(to) {
            return;
        }
        let reference = self.register(top - 5);
        let origins: Vec<OriginId> =
            (0..*count).map(|index| self.contents(*from, (first + index) as u32, reference)).collect();
        for (index, origin) in origins.into_iter().enumerate() {
            self.write(*to, *at as u32 + index as u32, origin);
        }
    }

    fn is_throwable(&mut self, name: &'static str, mut chain: impl Iterator<Item = &'static str>) -> bool {
        if self.throwables.contains(name) {
            return true;
        }
        let is_one = chain.any(|name| name == "java/lang/Throwable");
        if is_one {
            self.throwables.insert(name);
        }
        is_one
    }

    /// An exception gets its stack trace. The innermost calls of its own constructors are not part of it.
    fn exception_made(&mut self, exception: ObjId, state: &State) {
        let class = state.heap.class(exception);
        let is_own = |call: &Activation| {
            call.method.name == "fillInStackTrace"
                || call.method.name == "<init>" && class.is_subtype_of(call.method.class())
        };
        let mut calls = self.activations.clone();
        while calls.last().is_some_and(is_own) {
            calls.pop();
        }
        let guards = calls.last().and_then(|call| call.made_throwable).unwrap_or(self.guards.len());
        self.thrown.insert(exception, ThrowContext { calls, guards, is_explicit: true, nulls: SmallVec::new() });
    }

    /// It was the virtual machine, or a native method, that made the exception.
    fn exception_raised(&mut self, exception: ObjId, is_native: bool) {
        let nulls = match &self.pending {
            Some(PendingEffect::Call { given, .. }) if is_native => {
                given.iter().filter(|(value, _)| *value == Value::NULL).map(|(_, origin)| *origin).collect()
            }
            _ => self.dereferenced.into_iter().collect(),
        };
        if let Some(thrown) = self.thrown.get_mut(&exception) {
            // Nothing was being made when the fault arose.
            (thrown.is_explicit, thrown.nulls, thrown.guards) = (false, nulls, self.guards.len());
        }
    }
}

/// Where an instruction stands.
#[derive(Clone, Copy)]
pub(super) struct InstructionPosition {
    pub base: usize,
    pub pc: usize,
    pub sp: usize,
    pub depth: usize,
}

impl Vm {
    /// The interpreter looks at the top frame anew: something was called, returned or thrown.
    pub(super) fn note_frame(&mut self, state: &State) {
        self.note_performed(state);
        if let Some(flow) = &mut self.flow
            && !flow.is_cut
        {
            flow.look_at_frames(state);
        }
    }

    /// An instruction is about to be executed.
    pub(super) fn note_flow(&mut self, heap: &Heap, code: &Code, registers: &[Value], at: InstructionPosition) {
        if let Some(flow) = &mut self.flow
            && !flow.is_cut
        {
            flow.step(heap, code, registers, at);
        }
    }

    /// An exception gets its stack trace.
    pub(super) fn note_exception(&mut self, state: &State, exception: ObjId) {
        if let Some(flow) = &mut self.flow {
            flow.exception_made(exception, state);
        }
    }

    /// An exception was made by the virtual machine, or by a native method.
    pub(super) fn note_raised(&mut self, exception: ObjId, is_native: bool) {
        if let Some(flow) = &mut self.flow {
            flow.exception_raised(exception, is_native);
        }
    }
}

fn is_final(class: &Class, name: &str) -> bool {
    class.fields.iter().any(|field| field.name == name && field.is_static() && field.access & access::FINAL != 0)
}

/// A box has the origin of the number in it.
fn is_boxing(class: &str, name: &str) -> bool {
    let is_box = matches!(
        class,
        "java/lang/Integer"
            | "java/lang/Long"
            | "java/lang/Short"
            | "java/lang/Byte"
            | "java/lang/Character"
            | "java/lang/Boolean"
            | "java/lang/Double"
            | "java/lang/Float"
            | "java/lang/Number"
    );
    is_box && (name == "valueOf" || name.ends_with("Value"))
}

/// Is the call that a frame is about to make between a `dup` and a `pop`, as a null check that javac adds? `Objects.requireNonNull(x)` of the source has no copy.
fn adds_null_check(caller: &Frame) -> bool {
    let at = |pc: Option<usize>| pc.and_then(|pc| caller.code.ops.get(pc)).map(|op| op.unfused());
    let pc = caller.pc as usize;
    matches!((at(pc.checked_sub(1)), at(pc.checked_add(1))), (Some(Op::Dup), Some(Op::Pop)))
}
