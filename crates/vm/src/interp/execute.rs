//! How is one instruction executed after the other?
//!
//! The loop holds what is hot: registers, arithmetic, jumps, and the usual case of field and array accesses and calls. It keeps `pc`, `sp`
//! and the registers of the top frame in local variables. Everything else needs the whole state: `leave!` writes `pc` and `sp` back,
//! calls a method of a sibling file, and loads the top frame again, which may be another one by then.

use std::sync::atomic::Ordering;
use std::time::Instant;

use super::{LOOP_INTERVAL, POLL_INTERVAL, Trouble, Vm, arithmetic, flow, guard};
use crate::outcome::{End, Limit, Stop};
use crate::program::Op;
use crate::state::State;
use crate::value::{Kind, ObjId, Value};

impl Vm {
    /// The loop over instructions. Invariant: an instruction that asks a question or needs a class initialised still has its
    /// operands, and `pc` and `sp` belong to its start, so that it can run again once the answer is in the state.
    pub(super) fn execute<const NOTES_STEPS: bool, const HAS_THREADS: bool>(
        &mut self,
        state: &mut State,
    ) -> Result<std::convert::Infallible, Stop> {
        'frame: loop {
            if NOTES_STEPS {
                self.note_frame(state);
                if state.thread.watch.is_some() {
                    self.take_events(state)?;
                }
            }
            if HAS_THREADS && state.threads.as_ref().is_some_and(|threads| threads.now().entering.is_some()) {
                self.look(state)?;
            }
            let depth = state.thread.frames.len();
            let State { heap, thread, classes, strings, symbols, monitor, .. } = &mut *state;
            let frame = thread.frames.last_mut().expect("the entry frame ends the loop when it returns");
            let code = frame.code;
            let ops = &code.ops[..];
            let base = frame.base as usize;
            let registers = &mut thread.stack[base..base + code.registers as usize];
            let mut pc = frame.pc as usize;
            let mut sp = frame.sp as usize;

            // Leaves the loop for something that needs the whole state. The frame is brought up to date first.
            macro_rules! leave {
                ($call:expr) => {{
                    frame.pc = pc as u32;
                    frame.sp = sp as u32;
                    $call?;
                    continue 'frame;
                }};
            }
            macro_rules! trouble {
                ($trouble:expr) => {
                    leave!(self.raise(state, $trouble))
                };
            }
            macro_rules! malformed {
                ($what:expr) => {
                    leave!(self.malformed(state, $what))
                };
            }
            // The instruction has operands that are not concrete: it is run elsewhere.
            macro_rules! symbolic {
                () => {
                    leave!(if HAS_THREADS { self.symbolic_with_threads(state) } else { self.symbolic(state) })
                };
            }
            macro_rules! push {
                ($value:expr) => {{
                    registers[sp] = $value;
                    sp += 1;
                    pc += 1;
                }};
            }
            macro_rules! binary {
                ($from:ident, $to:ident, $operation:expr) => {{
                    let (Value::$from(left), Value::$from(right)) = (registers[sp - 2], registers[sp - 1]) else {
                        symbolic!()
                    };
                    registers[sp - 2] = Value::$to($operation(left, right));
                    sp -= 1;
                    pc += 1;
                }};
            }
            macro_rules! shift {
                ($kind:ident, $operation:expr) => {{
                    let (Value::$kind(left), Value::Int(right)) = (registers[sp - 2], registers[sp - 1]) else {
                        symbolic!()
                    };
                    registers[sp - 2] = Value::$kind($operation(left, right));
                    sp -= 1;
                    pc += 1;
                }};
            }
            macro_rules! divide {
                ($kind:ident, $operation:expr) => {{
                    let (Value::$kind(left), Value::$kind(right)) = (registers[sp - 2], registers[sp - 1]) else {
                        symbolic!()
                    };
                    if right == 0 {
                        trouble!(Trouble::DivisionByZero)
                    }
                    registers[sp - 2] = Value::$kind($operation(left, right));
                    sp -= 1;
                    pc += 1;
                }};
            }
            macro_rules! unary {
                ($from:ident, $to:ident, $operation:expr) => {{
                    let Value::$from(value) = registers[sp - 1] else { symbolic!() };
                    registers[sp - 1] = Value::$to($operation(value));
                    pc += 1;
                }};
            }
            // Jumps back are where endless loops are, so that is where limits are looked at.
            macro_rules! jump {
                ($target:expr) => {{
                    let target = $target as usize;
                    if target <= pc {
                        self.fuel -= 1;
                        if self.fuel == 0 {
                            leave!(self.poll(state));
                        }
                    }
                    pc = target;
                }};
            }
            macro_rules! branch {
                ($kind:ident, $test:expr, $target:expr) => {{
                    let Value::$kind(value) = registers[sp - 1] else { symbolic!() };
                    if $test(value) {
                        jump!($target)
                    } else {
                        pc += 1
                    }
                    sp -= 1;
                }};
            }
            macro_rules! compare {
                ($kind:ident, $operator:tt, $target:expr) => {{
                    let (Value::$kind(left), Value::$kind(right)) = (registers[sp - 2], registers[sp - 1]) else {
                        symbolic!()
                    };
                    if left $operator right {
                        jump!($target)
                    } else {
                        pc += 1
                    }
                    sp -= 2;
                }};
            }

            // Boxes may be the same object although they are two here: see `boxes`.
            macro_rules! compare_identity {
                ($operator:tt, $target:expr) => {{
                    if let (Value::Ref(Some(left)), Value::Ref(Some(right))) = (registers[sp - 2], registers[sp - 1])
                        && left != right
                        && self.is_exploring
                        && (heap.class(left).is_valued || heap.class(right).is_valued || symbols.has_more_held)
                    {
                        symbolic!()
                    }
                    compare!(Ref, $operator, $target)
                }};
            }

            // The sequences of `fuse`. Where one does not apply, they do only their first instruction.
            macro_rules! compare_locals {
                ($operator:tt, $left:expr, $right:expr, $target:expr) => {{
                    let left = registers[$left as usize];
                    if let (Value::Int(left), Value::Int(right)) = (left, $right) {
                        if left $operator right {
                            jump!($target)
                        } else {
                            pc += 3
                        }
                    } else {
                        push!(left)
                    }
                }};
            }
            macro_rules! test_local {
                ($local:expr, $pattern:pat, $condition:expr, $target:expr) => {{
                    let value = registers[$local as usize];
                    if let $pattern = value {
                        if $condition(value) { jump!($target) } else { pc += 2 }
                    } else {
                        push!(value)
                    }
                }};
            }
            macro_rules! with_int {
                ($value:expr, $operation:expr) => {{
                    if let Value::Int(left) = registers[sp - 1] {
                        registers[sp - 1] = Value::Int($operation(left, $value));
                        pc += 2;
                    } else {
                        push!(Value::Int($value))
                    }
                }};
            }
            macro_rules! with_local {
                ($local:expr, $operation:expr) => {{
                    let right = registers[$local as usize];
                    if let (Value::Int(left), Value::Int(right)) = (registers[sp - 1], right) {
                        registers[sp - 1] = Value::Int($operation(left, right));
                        pc += 2;
                    } else {
                        push!(right)
                    }
                }};
            }

            loop {
                if NOTES_STEPS {
                    self.note_step(frame.method, code, (pc, depth), heap, registers);
                    self.note_flow(heap, code, registers, flow::InstructionPosition { base, pc, sp, depth });
                }
                // Other threads may go first before what they could notice.
                if HAS_THREADS && ops[pc].unfused().may_be_visible() && !std::mem::take(&mut self.may_pass) {
                    leave!(self.look(state))
                }
                match if NOTES_STEPS || HAS_THREADS { ops[pc].unfused() } else { ops[pc] } {
                    Op::LoadTwo(first, second) => {
                        registers[sp] = registers[first as usize];
                        registers[sp + 1] = registers[second as usize];
                        sp += 2;
                        pc += 2;
                    }
                    Op::LoadInt(local, value) => {
                        registers[sp] = registers[local as usize];
                        registers[sp + 1] = Value::Int(value);
                        sp += 2;
                        pc += 2;
                    }
                    Op::LoadField(local, site) => {
                        let object = registers[local as usize];
                        registers[sp] = object;
                        if let (Value::Ref(Some(object)), Some(field)) =
                            (object, code.fields[site as usize].resolved.get())
                        {
                            let value = heap.field(object, field.slot as usize);
                            if !matches!(value, Value::Unread) {
                                registers[sp] = value;
                                pc += 1;
                            }
                        }
                        sp += 1;
                        pc += 1;
                    }
                    Op::LoadElement(array, index) => {
                        let array = registers[array as usize];
                        registers[sp] = array;
                        if let (Value::Ref(Some(array)), Value::Int(index)) = (array, registers[index as usize])
                            && let Some(element) = heap.element(array, index)
                        {
                            registers[sp] = element;
                            pc += 2;
                        }
                        sp += 1;
                        pc += 1;
                    }
                    Op::LocalsEq(left, right, target) => compare_locals!(==, left, registers[right as usize], target),
                    Op::LocalsNe(left, right, target) => compare_locals!(!=, left, registers[right as usize], target),
                    Op::LocalsLt(left, right, target) => compare_locals!(<, left, registers[right as usize], target),
                    Op::LocalsGe(left, right, target) => compare_locals!(>=, left, registers[right as usize], target),
                    Op::LocalsGt(left, right, target) => compare_locals!(>, left, registers[right as usize], target),
                    Op::LocalsLe(left, right, target) => compare_locals!(<=, left, registers[right as usize], target),
                    Op::LocalEq(left, right, target) => compare_locals!(==, left, Value::Int(right as i32), target),
                    Op::LocalNe(left, right, target) => compare_locals!(!=, left, Value::Int(right as i32), target),
                    Op::LocalLt(left, right, target) => compare_locals!(<, left, Value::Int(right as i32), target),
                    Op::LocalGe(left, right, target) => compare_locals!(>=, left, Value::Int(right as i32), target),
                    Op::LocalGt(left, right, target) => compare_locals!(>, left, Value::Int(right as i32), target),
                    Op::LocalLe(left, right, target) => compare_locals!(<=, left, Value::Int(right as i32), target),
                    Op::LocalIfEq(local, target) => {
                        test_local!(local, Value::Int(_), |value| value == Value::Int(0), target)
                    }
                    Op::LocalIfNe(local, target) => {
                        test_local!(local, Value::Int(_), |value| value != Value::Int(0), target)
                    }
                    Op::LocalIfNull(local, target) => {
                        test_local!(local, Value::Ref(_), |value| value == Value::NULL, target)
                    }
                    Op::LocalIfNonNull(local, target) => {
                        test_local!(local, Value::Ref(_), |value| value != Value::NULL, target)
                    }
                    Op::AddLocal(local) => with_local!(local, i32::wrapping_add),
                    Op::SubtractLocal(local) => with_local!(local, i32::wrapping_sub),
                    Op::AddInt(value) => with_int!(value, i32::wrapping_add),
                    Op::SubtractInt(value) => with_int!(value, i32::wrapping_sub),
                    Op::AndInt(value) => with_int!(value, |left: i32, right: i32| left & right),
                    Op::ShiftLeftInt(value) => {
                        with_int!(value, |left: i32, right: i32| left.wrapping_shl(right as u32))
                    }
                    Op::ShiftRightInt(value) => {
                        with_int!(value, |left: i32, right: i32| left.wrapping_shr(right as u32))
                    }
                    Op::ShiftRightUnsignedInt(value) => {
                        with_int!(value, |left: i32, right: i32| (left as u32).wrapping_shr(right as u32) as i32)
                    }
                    Op::AddStore(local) => {
                        let (Value::Int(left), Value::Int(right)) = (registers[sp - 2], registers[sp - 1]) else {
                            symbolic!()
                        };
                        registers[local as usize] = Value::Int(left.wrapping_add(right));
                        sp -= 2;
                        pc += 2;
                    }
                    Op::AddLongStore(local) => {
                        let (Value::Long(left), Value::Long(right)) = (registers[sp - 2], registers[sp - 1]) else {
                            symbolic!()
                        };
                        registers[local as usize] = Value::Long(left.wrapping_add(right));
                        sp -= 2;
                        pc += 2;
                    }
                    Op::IncrementGoto(local, amount, target) => {
                        let Value::Int(value) = registers[local as usize] else { symbolic!() };
                        // The jump may leave to look at the limits, and is then done again: it must come first.
                        jump!(target);
                        registers[local as usize] = Value::Int(value.wrapping_add(amount as i32));
                    }
                    Op::Load(index) => push!(registers[index as usize]),
                    Op::Store(index) => {
                        sp -= 1;
                        registers[index as usize] = registers[sp];
                        pc += 1;
                    }
                    Op::Int(value) => push!(Value::Int(value)),
                    Op::Null => push!(Value::NULL),
                    Op::Constant(index) => push!(code.constants[index as usize]),
                    Op::Iinc(index, amount) => {
                        let Value::Int(value) = registers[index as usize] else { symbolic!() };
                        registers[index as usize] = Value::Int(value.wrapping_add(amount as i32));
                        pc += 1;
                    }
                    Op::Iadd => binary!(Int, Int, i32::wrapping_add),
                    Op::Isub => binary!(Int, Int, i32::wrapping_sub),
                    Op::Imul => binary!(Int, Int, i32::wrapping_mul),
                    Op::Iand => binary!(Int, Int, |left: i32, right: i32| left & right),
                    Op::Ior => binary!(Int, Int, |left: i32, right: i32| left | right),
                    Op::Ixor => binary!(Int, Int, |left: i32, right: i32| left ^ right),
                    Op::Ladd => binary!(Long, Long, i64::wrapping_add),
                    Op::Lsub => binary!(Long, Long, i64::wrapping_sub),
                    Op::Lmul => binary!(Long, Long, i64::wrapping_mul),
                    Op::Land => binary!(Long, Long, |left: i64, right: i64| left & right),
                    Op::Lor => binary!(Long, Long, |left: i64, right: i64| left | right),
                    Op::Lxor => binary!(Long, Long, |left: i64, right: i64| left ^ right),
                    Op::Fadd => binary!(Float, Float, |left: f32, right: f32| left + right),
                    Op::Fsub => binary!(Float, Float, |left: f32, right: f32| left - right),
                    Op::Fmul => binary!(Float, Float, |left: f32, right: f32| left * right),
                    Op::Fdiv => binary!(Float, Float, |left: f32, right: f32| left / right),
                    Op::Frem => binary!(Float, Float, |left: f32, right: f32| left % right),
                    Op::Dadd => binary!(Double, Double, |left: f64, right: f64| left + right),
                    Op::Dsub => binary!(Double, Double, |left: f64, right: f64| left - right),
                    Op::Dmul => binary!(Double, Double, |left: f64, right: f64| left * right),
                    Op::Ddiv => binary!(Double, Double, |left: f64, right: f64| left / right),
                    Op::Drem => binary!(Double, Double, |left: f64, right: f64| left % right),
                    Op::Ishl => shift!(Int, |left: i32, right: i32| left.wrapping_shl(right as u32)),
                    Op::Ishr => shift!(Int, |left: i32, right: i32| left.wrapping_shr(right as u32)),
                    Op::Iushr => shift!(Int, |left: i32, right: i32| (left as u32).wrapping_shr(right as u32) as i32),
                    Op::Lshl => shift!(Long, |left: i64, right: i32| left.wrapping_shl(right as u32)),
                    Op::Lshr => shift!(Long, |left: i64, right: i32| left.wrapping_shr(right as u32)),
                    Op::Lushr => shift!(Long, |left: i64, right: i32| (left as u64).wrapping_shr(right as u32) as i64),
                    Op::Idiv => divide!(Int, i32::wrapping_div),
                    Op::Irem => divide!(Int, i32::wrapping_rem),
                    Op::Ldiv => divide!(Long, i64::wrapping_div),
                    Op::Lrem => divide!(Long, i64::wrapping_rem),
                    Op::Ineg => unary!(Int, Int, i32::wrapping_neg),
                    Op::Lneg => unary!(Long, Long, i64::wrapping_neg),
                    Op::Fneg => unary!(Float, Float, |value: f32| -value),
                    Op::Dneg => unary!(Double, Double, |value: f64| -value),
                    Op::I2l => unary!(Int, Long, |value: i32| value as i64),
                    Op::I2f => unary!(Int, Float, |value: i32| value as f32),
                    Op::I2d => unary!(Int, Double, |value: i32| value as f64),
                    Op::L2i => unary!(Long, Int, |value: i64| value as i32),
                    Op::L2f => unary!(Long, Float, |value: i64| value as f32),
                    Op::L2d => unary!(Long, Double, |value: i64| value as f64),
                    // Rust's `as` saturates and turns NaN into zero, just as JVMS §6.5.f2i asks for.
                    Op::F2i => unary!(Float, Int, |value: f32| value as i32),
                    Op::F2l => unary!(Float, Long, |value: f32| value as i64),
                    Op::F2d => unary!(Float, Double, |value: f32| value as f64),
                    Op::D2i => unary!(Double, Int, |value: f64| value as i32),
                    Op::D2l => unary!(Double, Long, |value: f64| value as i64),
                    Op::D2f => unary!(Double, Float, |value: f64| value as f32),
                    Op::I2b => unary!(Int, Int, |value: i32| value as i8 as i32),
                    Op::I2c => unary!(Int, Int, |value: i32| value as u16 as i32),
                    Op::I2s => unary!(Int, Int, |value: i32| value as i16 as i32),
                    Op::Lcmp => binary!(Long, Int, arithmetic::compare_long),
                    Op::Fcmpl => binary!(Float, Int, |left, right| arithmetic::compare_float(left, right, -1)),
                    Op::Fcmpg => binary!(Float, Int, |left, right| arithmetic::compare_float(left, right, 1)),
                    Op::Dcmpl => binary!(Double, Int, |left, right| arithmetic::compare_double(left, right, -1)),
                    Op::Dcmpg => binary!(Double, Int, |left, right| arithmetic::compare_double(left, right, 1)),
                    Op::IfEq(target) => branch!(Int, |value| value == 0, target),
                    Op::IfNe(target) => branch!(Int, |value| value != 0, target),
                    Op::IfLt(target) => branch!(Int, |value| value < 0, target),
                    Op::IfGe(target) => branch!(Int, |value| value >= 0, target),
                    Op::IfGt(target) => branch!(Int, |value| value > 0, target),
                    Op::IfLe(target) => branch!(Int, |value| value <= 0, target),
                    Op::IfIcmpEq(target) => compare!(Int, ==, target),
                    Op::IfIcmpNe(target) => compare!(Int, !=, target),
                    Op::IfIcmpLt(target) => compare!(Int, <, target),
                    Op::IfIcmpGe(target) => compare!(Int, >=, target),
                    Op::IfIcmpGt(target) => compare!(Int, >, target),
                    Op::IfIcmpLe(target) => compare!(Int, <=, target),
                    Op::IfAcmpEq(target) => compare_identity!(==, target),
                    Op::IfAcmpNe(target) => compare_identity!(!=, target),
                    Op::IfNull(target) => branch!(Ref, |value: Option<ObjId>| value.is_none(), target),
                    Op::IfNonNull(target) => branch!(Ref, |value: Option<ObjId>| value.is_some(), target),
                    Op::Goto(target) => jump!(target),
                    Op::Nop => pc += 1,
                    Op::Pop => {
                        sp -= 1;
                        pc += 1;
                    }
                    Op::Dup => push!(registers[sp - 1]),
                    Op::Pop2 => {
                        sp -= if registers[sp - 1].is_wide() { 1 } else { 2 };
                        pc += 1;
                    }
                    Op::Swap => {
                        registers.swap(sp - 1, sp - 2);
                        pc += 1;
                    }
                    op @ (Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2) => {
                        sp = arithmetic::duplicate(op, registers, sp);
                        pc += 1;
                    }
                    Op::ArrayLoad => {
                        let (Value::Ref(array), Value::Int(index)) = (registers[sp - 2], registers[sp - 1]) else {
                            symbolic!()
                        };
                        let Some(array) = array else { trouble!(Trouble::NullPointer) };
                        match heap.element(array, index) {
                            Some(value) => {
                                registers[sp - 2] = value;
                                sp -= 1;
                                pc += 1;
                            }
                            None if heap.length(array).is_none() => symbolic!(),
                            None => trouble!(Trouble::IndexOutOfBounds { array, index }),
                        }
                    }
                    Op::ArrayStore => {
                        let (Value::Ref(array), Value::Int(index)) = (registers[sp - 3], registers[sp - 2]) else {
                            symbolic!()
                        };
                        let Some(array) = array else { trouble!(Trouble::NullPointer) };
                        let value = registers[sp - 1];
                        if matches!(value, Value::Term(..) | Value::Unknown(_)) || heap.class(array).is_open() {
                            symbolic!()
                        }
                        if let Value::Ref(Some(element)) = value
                            && let Some(component) = heap.class(array).component()
                            && !heap.class(element).is_subtype_of(component)
                            && heap.length(array).is_some_and(|length| (index as usize) < length)
                        {
                            if heap.class(element).is_open() {
                                symbolic!()
                            }
                            let class = heap.class(element);
                            trouble!(Trouble::ArrayStore(class))
                        }
                        if heap.set_element(array, index, value) {
                            sp -= 3;
                            pc += 1;
                        } else if heap.length(array).is_none() {
                            symbolic!()
                        } else {
                            trouble!(Trouble::IndexOutOfBounds { array, index })
                        }
                    }
                    Op::ArrayLength => {
                        let Value::Ref(array) = registers[sp - 1] else { symbolic!() };
                        let Some(array) = array else { trouble!(Trouble::NullPointer) };
                        match heap.length(array) {
                            Some(length) => {
                                registers[sp - 1] = Value::Int(length as i32);
                                pc += 1;
                            }
                            None => symbolic!(),
                        }
                    }
                    Op::GetField(site) => {
                        let Some(field) = code.fields[site as usize].resolved.get() else {
                            leave!(self.resolve_field(state, site, false))
                        };
                        let Value::Ref(object) = registers[sp - 1] else { symbolic!() };
                        let Some(object) = object else { trouble!(Trouble::NullPointer) };
                        let value = heap.field(object, field.slot as usize);
                        if matches!(value, Value::Unread) {
                            symbolic!()
                        }
                        registers[sp - 1] = value;
                        pc += 1;
                    }
                    Op::PutField(site) => {
                        let Some(field) = code.fields[site as usize].resolved.get() else {
                            leave!(self.resolve_field(state, site, false))
                        };
                        let Value::Ref(object) = registers[sp - 2] else { symbolic!() };
                        let Some(object) = object else { trouble!(Trouble::NullPointer) };
                        if matches!(registers[sp - 1], Value::Term(..)) && field.kind != Kind::Int {
                            symbolic!()
                        }
                        if thread.is_guarded && self.may_be_input(field.class) && symbols.input(object).is_some() {
                            leave!(self.check_write(state, object, Some(field.slot as usize)))
                        }
                        let value = arithmetic::narrow(field.kind, registers[sp - 1]);
                        heap.set_field(object, field.slot as usize, value);
                        sp -= 2;
                        pc += 1;
                        if NOTES_STEPS && monitor.is_some() {
                            leave!(self.note_write(state, Some(object), site))
                        }
                    }
                    Op::GetStatic(site) => {
                        let Some(field) = code.fields[site as usize].resolved.get() else {
                            leave!(self.resolve_field(state, site, true))
                        };
                        self.note_static(frame.method, field);
                        if !classes.is_usable(field.class) {
                            leave!(self.initialise(state, field.class))
                        }
                        let Some(mirror) = classes.slot(field.class.id).mirror else {
                            leave!(self.make_mirror(state, field.class))
                        };
                        let value = heap.field(mirror, field.slot as usize);
                        if matches!(value, Value::Unread) {
                            symbolic!()
                        }
                        push!(value);
                    }
                    Op::PutStatic(site) => {
                        let Some(field) = code.fields[site as usize].resolved.get() else {
                            leave!(self.resolve_field(state, site, true))
                        };
                        self.note_static(frame.method, field);
                        if !classes.is_usable(field.class) {
                            leave!(self.initialise(state, field.class))
                        }
                        let Some(mirror) = classes.slot(field.class.id).mirror else {
                            leave!(self.make_mirror(state, field.class))
                        };
                        if matches!(registers[sp - 1], Value::Term(..)) && field.kind != Kind::Int {
                            symbolic!()
                        }
                        if thread.is_guarded && guard::is_guarded_static(classes, field.class) {
                            leave!(self.check_static_write(state, field.class, field.slot))
                        }
                        let value = arithmetic::narrow(field.kind, registers[sp - 1]);
                        heap.set_field(mirror, field.slot as usize, value);
                        sp -= 1;
                        pc += 1;
                        if NOTES_STEPS && monitor.is_some() {
                            leave!(self.note_write(state, None, site))
                        }
                    }
                    Op::String(id) => match strings.get(id) {
                        Some(string) => push!(string.into()),
                        None => leave!(self.make_interned(state, id)),
                    },
                    Op::New(site) => {
                        if let Some(class) = code.classes[site as usize].resolved.get()
                            && classes.is_usable(class)
                            && !heap.is_collection_due()
                            && !class.is_abstract()
                        {
                            push!(heap.allocate(class).into())
                        } else {
                            leave!(self.prepare_new(state, site))
                        }
                    }
                    Op::InstanceOf(site) => {
                        let Value::Ref(value) = registers[sp - 1] else { symbolic!() };
                        let answer = match (value, code.classes[site as usize].resolved.get()) {
                            (None, _) => false,
                            (Some(object), Some(class)) => {
                                let own = heap.class(object);
                                let answer = own.is_subtype_of(class);
                                if !answer && own.is_open() {
                                    symbolic!()
                                }
                                answer
                            }
                            (Some(_), None) => leave!(self.resolve_class(state, site)),
                        };
                        registers[sp - 1] = Value::bool(answer);
                        pc += 1;
                    }
                    Op::CheckCast(site) => {
                        let Value::Ref(value) = registers[sp - 1] else { symbolic!() };
                        match (value, code.classes[site as usize].resolved.get()) {
                            (None, _) => {}
                            (Some(object), Some(class)) => {
                                let own = heap.class(object);
                                if !own.is_subtype_of(class) {
                                    if own.is_open() {
                                        symbolic!()
                                    }
                                    trouble!(Trouble::ClassCast { from: own, to: class })
                                }
                            }
                            (Some(_), None) => leave!(self.resolve_class(state, site)),
                        }
                        pc += 1;
                    }
                    Op::InvokeVirtual(site) => {
                        let call = &code.calls[site as usize];
                        if let Some(method) = call.resolved.get()
                            && let Some(vindex) = method.vindex
                            && let Value::Ref(Some(receiver)) = registers[sp - call.arguments as usize]
                        {
                            let class = heap.class(receiver);
                            if !class.is_open() {
                                leave!(self.invoke(state, class.vtable[vindex as usize], call.arguments))
                            }
                        }
                        leave!(self.invoke_virtual(state, site))
                    }
                    Op::InvokeInterface(site) => leave!(self.invoke_virtual(state, site)),
                    Op::InvokeSpecial(site) => leave!(self.invoke_special(state, site)),
                    Op::InvokeStatic(site) => {
                        let call = &code.calls[site as usize];
                        if let Some(method) = call.resolved.get()
                            && classes.is_usable(method.class())
                            && method.is_static()
                        {
                            leave!(self.invoke(state, method, call.arguments))
                        }
                        leave!(self.invoke_static(state, site))
                    }
                    Op::InvokeDynamic(site) => leave!(self.invoke_dynamic(state, site)),
                    Op::ReturnValue => {
                        let value = registers[sp - 1];
                        leave!(self.return_from(state, value))
                    }
                    Op::Return => leave!(self.return_from(state, Value::Top)),
                    Op::TableSwitch(index) => {
                        let Value::Int(key) = registers[sp - 1] else { symbolic!() };
                        let table = &code.tables[index as usize];
                        let at = key as i64 - table.low as i64;
                        let target = usize::try_from(at).ok().and_then(|at| table.targets.get(at));
                        jump!(target.copied().unwrap_or(table.default));
                        sp -= 1;
                    }
                    Op::LookupSwitch(index) => {
                        let Value::Int(key) = registers[sp - 1] else { symbolic!() };
                        let table = &code.lookups[index as usize];
                        let found = table.pairs.binary_search_by_key(&key, |(key, _)| *key);
                        jump!(found.map_or(table.default, |at| table.pairs[at].1));
                        sp -= 1;
                    }
                    Op::Jsr(target) => {
                        registers[sp] = Value::Return(pc as u32 + 1);
                        sp += 1;
                        pc = target as usize;
                    }
                    Op::Ret(index) => {
                        let Value::Return(target) = registers[index as usize] else {
                            malformed!("ret without a return address")
                        };
                        jump!(target)
                    }
                    Op::Throw => {
                        let Value::Ref(exception) = registers[sp - 1] else { symbolic!() };
                        match exception {
                            Some(exception) => leave!(self.throw(state, exception)),
                            None => trouble!(Trouble::NullPointer),
                        }
                    }
                    Op::ClassConstant(site) => leave!(self.class_constant(state, site)),
                    Op::OtherConstant(index) => leave!(self.other_constant(state, index)),
                    Op::NewArray(site) => leave!(self.new_array(state, site)),
                    Op::MultiNewArray(site, dimensions) => leave!(self.multi_new_array(state, site, dimensions)),
                    Op::MonitorEnter => leave!(self.monitor_enter(state)),
                    Op::MonitorExit => leave!(self.monitor_exit(state)),
                    Op::Concat(recipe) => leave!(self.concat(state, recipe)),
                }
            }
        }
    }

    /// The jumps back and calls after which the limits are looked at again.
    pub(super) fn full(&self) -> u32 {
        self.rules.iterations.map_or(POLL_INTERVAL, |most| most.clamp(1, LOOP_INTERVAL))
    }

    /// Looks at the limits, now and then.
    pub(super) fn poll(&mut self, state: &mut State) -> Result<(), Stop> {
        self.fuel = self.full();
        self.look_at_loop(state)?;
        // The jump that led here is done again, and counted again.
        self.fuel += 1;
        if self.limits.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            return Err(End::Limit(Limit::Time).into());
        }
        if self.limits.stop.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(End::Limit(Limit::Stopped).into());
        }
        if let Some(limit) = self.limits.memory
            && self.host.resident_bytes() > limit
        {
            return Err(End::Limit(Limit::Memory).into());
        }
        Ok(())
    }

    /// Code that no verifier would pass ends the path.
    pub(super) fn malformed(&mut self, state: &State, what: &str) -> Result<(), Stop> {
        let at = self.describe_position(state);
        Err(End::Malformed { what: what.to_string(), at }.into())
    }
}

impl State {
    /// The operand `depth` below the top of the current frame's stack.
    pub(crate) fn operand(&self, depth: usize) -> Value {
        let top = self.thread.top();
        self.thread.stack[top - 1 - depth]
    }

    /// Commits an instruction: takes `pop` operands, pushes a result, goes to the next instruction.
    pub(crate) fn complete(&mut self, pop: usize, result: Option<Value>) {
        let frame = self.thread.frames.last_mut().expect("an instruction runs in a frame");
        frame.sp -= pop as u32;
        frame.pc += 1;
        if let Some(value) = result {
            let at = (frame.base + frame.sp) as usize;
            frame.sp += 1;
            self.thread.stack[at] = value;
        }
    }

    pub(crate) fn reference_operand(&self, depth: usize) -> Option<ObjId> {
        match self.operand(depth) {
            Value::Ref(id) => id,
            _ => None,
        }
    }
}
