//! How does one instruction transform a path?

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::interp::dynamic::linked;
use lazuli_vm::program::{Class, Code, FieldSite, LinkError, Op, Piece, ResolvedField};
use lazuli_vm::value::{Kind, ObjId};

use crate::Refusal;
use crate::exec::calls::Dispatch;
use crate::exec::exceptions::Thrown;
use crate::exec::executor::{Executor, Successor};
use crate::exec::feasibility::{Refinement, refine};
use crate::exec::path::{EntryLocation, GuardedPath, ObjectBody};
use crate::exec::value::{Pointee, PointsTo, SymValue, guard_of, resized, same};
use crate::library::collections::model_of;
use crate::library::unordered_set::UnorderedSet;

type Operation = fn(&mut lazuli_logic::circuit::Circuit, &[Lit], &[Lit]) -> Word;

impl Executor<'_> {
    /// Executes an instruction. Says whether the next one follows; if not, the paths that go on are among the successors.
    pub(crate) fn execute(
        &mut self,
        code: &'static Code,
        pc: u32,
        path: &mut GuardedPath,
        out: &mut Vec<Successor>,
    ) -> Result<bool, Refusal> {
        let op = code.ops[pc as usize].first();
        if let Some(operation) = arithmetic(op) {
            let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
            let word = self.apply(op, operation, (&left, &right))?;
            let word = self.havoc_result(word);
            path.push(SymValue::Word(word));
            return Ok(true);
        }
        if self.floating(path, op)? {
            return Ok(true);
        }
        if let Some(shuffle) = op.shuffle() {
            let moved = shuffle.apply(&mut path.registers, SymValue::is_wide);
            moved.ok_or_else(|| self.unsupported("an empty stack"))?;
            return Ok(true);
        }
        match op {
            // Constants, local variables and the operand stack.
            Op::Nop => {}
            Op::Null => path.push(SymValue::null()),
            Op::Int(value) => path.push(SymValue::Word(self.number(32, value as i64))),
            Op::Constant(index) => {
                let Some(value) = self.value_of(code.constants[index as usize]) else {
                    return Err(self.unsupported("floating point with numbers of few bits"));
                };
                path.push(value);
            }
            Op::Load(local) => {
                let value = path.registers[local as usize].clone();
                path.push(value);
            }
            Op::Store(local) => {
                let value = self.pop(path)?;
                path.registers[local as usize] = value;
            }
            Op::Iinc(local, amount) => {
                let SymValue::Word(word) = path.registers[local as usize].clone() else {
                    return Err(self.unsupported("a number that is not known"));
                };
                let amount = self.number(32, amount as i64);
                let sum = self.apply(op, |circuit, a, b| circuit.add(a, b), (&word, &amount))?;
                path.registers[local as usize] = SymValue::Word(sum);
            }
            // Arithmetic and conversions that are no plain operation on two words.
            Op::Ineg | Op::Lneg => {
                let word = self.pop_word(path)?;
                let zero = self.circuit.word_constant(word.len(), 0);
                let negated = self.apply(op, |circuit, a, b| circuit.subtract(a, b), (&zero, &word))?;
                path.push(SymValue::Word(negated));
            }
            Op::Idiv | Op::Irem | Op::Ldiv | Op::Lrem | Op::L2i | Op::I2b | Op::I2s | Op::I2c
                if self.arithmetic.is_saturating() =>
            {
                return Err(self.unsupported(&format!("the instruction {op:?} on numbers of few bits")));
            }
            Op::Idiv | Op::Irem | Op::Ldiv | Op::Lrem => {
                let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
                let not_zero = self.circuit.any(right.iter().copied());
                self.throws(path, !not_zero, Thrown::New("java/lang/ArithmeticException"))?;
                let is_quotient = matches!(op, Op::Idiv | Op::Ldiv);
                let word = if is_quotient {
                    self.circuit.divide(&left, &right)
                } else {
                    self.circuit.remainder(&left, &right)
                };
                path.push(SymValue::Word(word));
            }
            Op::I2l => {
                let word = self.pop_word(path)?;
                path.push(SymValue::Word(resized(&word, 64, true)));
            }
            Op::L2i => {
                let word = self.pop_word(path)?;
                path.push(SymValue::Word(word[..32].into()));
            }
            Op::I2b | Op::I2s | Op::I2c => {
                let kind = match op {
                    Op::I2b => Kind::Byte,
                    Op::I2s => Kind::Short,
                    _ => Kind::Char,
                };
                let value = self.pop(path)?.stored_as(kind);
                path.push(value);
            }
            Op::Lcmp => {
                let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
                let less = self.circuit.less(&left, &right);
                let equal = self.circuit.word_equal(&left, &right);
                let (less, equal) = match self.arithmetic.saturation() {
                    None => (less, equal),
                    Some(_) => {
                        let equal = self.compare_saturating((&left, &right), equal)?;
                        let less = self.compare_saturating((&left, &right), less)?;
                        (self.circuit.and(less, !equal), equal)
                    }
                };
                // 1, 0 or -1: the lowest bit says unequal, all others less.
                let bits: Word = std::iter::once(!equal).chain(std::iter::repeat_n(less, 31)).collect();
                path.push(SymValue::Word(bits));
            }
            // Control flow.
            Op::Goto(target) => {
                out.push(Successor::Jump(path.clone(), target));
                return Ok(false);
            }
            Op::TableSwitch(index) => {
                let table = &code.tables[index as usize];
                let cases: Vec<(i32, u32)> =
                    table.targets.iter().enumerate().map(|(at, target)| (table.low + at as i32, *target)).collect();
                return self.switch(path, &cases, table.default, out);
            }
            Op::LookupSwitch(index) => {
                let table = &code.lookups[index as usize];
                return self.switch(path, &table.pairs, table.default, out);
            }
            Op::ReturnValue | Op::Return => {
                let value = if op == Op::Return { SymValue::Undefined } else { self.pop(path)? };
                out.push(Successor::Return(path.clone(), value));
                return Ok(false);
            }
            Op::Throw => {
                let refs = self.pop_object(path)?;
                self.throws(path, Lit::TRUE, Thrown::Object(refs))?;
            }
            // Constants that are objects, monitors, and static fields.
            Op::String(id) if self.mode.is_method() => {
                let text = self.literal(path, id);
                path.push(text);
            }
            Op::Concat(recipe) if self.mode.is_method() => {
                let pieces = code.recipes[recipe as usize].iter();
                let taken = pieces.filter(|piece| matches!(piece, Piece::Argument(_))).count();
                let Some(first) = path.registers.len().checked_sub(taken) else {
                    return Err(self.unsupported("an empty stack"));
                };
                let arguments = path.registers.split_off(first);
                self.may_be_joined(path, &arguments)?;
                // Code that accesses its characters is refused there.
                path.push(SymValue::one(Pointee::Unknown));
            }
            Op::ClassConstant(site) if self.universe.models_classes => {
                let class = self.class_site(code, site)?;
                path.push(SymValue::one(Pointee::Mirror(class.id.index() as u32)));
            }
            Op::MonitorEnter | Op::MonitorExit if self.mode.is_method() => {
                self.pop_object(path)?;
            }
            Op::GetStatic(site) => {
                let place = self.static_place(code, site)?;
                let value = self.current(path, place)?;
                path.push(value);
            }
            Op::PutStatic(site) if self.mode.is_method() => {
                let place = self.static_place(code, site)?;
                let EntryLocation::Static { kind, .. } = place else { unreachable!("a static field is one") };
                let value = self.pop(path)?.stored_as(kind);
                self.change(path, place, Lit::TRUE, &value)?;
            }
            // Objects and arrays.
            Op::GetField(site) => {
                let field = self.field_site(code, site)?;
                let refs = self.pop_object(path)?;
                let value = self.read(path, &refs, &field)?;
                path.push(value);
            }
            Op::PutField(site) => {
                let field = self.field_site(code, site)?;
                let value = self.pop(path)?.stored_as(field.kind);
                let refs = self.pop_object(path)?;
                self.write_field(path, &refs, &field, &value)?;
            }
            Op::New(site) => {
                let class = self.class_site(code, site)?;
                if class.is_abstract() {
                    let what = format!("{} is abstract", class.java_name());
                    return Err(self.unlinked(LinkError::IncompatibleClassChange(what)));
                }
                self.check_initialised(class)?;
                let body = match model_of(class) {
                    Some(ObjectBody::Set(_))
                        if self.recursion.is_per_object() && self.call_graph.leads_apart(self.program, path.method) =>
                    {
                        ObjectBody::Unordered(UnorderedSet { number: self.recursion.new_set(), is_read: false })
                    }
                    Some(model) => model,
                    None => self.new_object(class)?,
                };
                let object = self.allocate(path, class, body);
                path.push(object);
            }
            Op::NewArray(_) | Op::MultiNewArray(..) | Op::ArrayLength | Op::ArrayLoad | Op::ArrayStore
                if self.arithmetic.is_saturating() =>
            {
                return Err(self.unsupported("an array with numbers of few bits"));
            }
            Op::NewArray(site) => {
                let class = self.class_site(code, site)?;
                let length = self.pop_word(path)?;
                let array = self.new_arrays(path, class, &[length])?;
                path.push(array);
            }
            Op::MultiNewArray(site, dimensions) => {
                let class = self.class_site(code, site)?;
                let mut lengths = (0..dimensions).map(|_| self.pop_word(path)).collect::<Result<Vec<Word>, _>>()?;
                lengths.reverse();
                let array = self.new_arrays(path, class, &lengths)?;
                path.push(array);
            }
            Op::ArrayLength => {
                let refs = self.pop_object(path)?;
                let length = self.array_length(path, &refs)?;
                path.push(length);
            }
            Op::ArrayLoad => {
                let index = self.pop_word(path)?;
                let refs = self.pop_object(path)?;
                let value = self.load(path, &refs, &index)?;
                path.push(value);
            }
            Op::ArrayStore => {
                let value = self.pop(path)?;
                let index = self.pop_word(path)?;
                let refs = self.pop_object(path)?;
                self.store(path, &refs, &index, value)?;
            }
            Op::CheckCast(site) => {
                let class = self.class_site(code, site)?;
                let Some(SymValue::Ref(refs)) = path.registers.last().cloned() else {
                    return Err(self.unsupported("a cast of a number"));
                };
                let others = refs.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
                let fits = self.has_class(path, &others, class)?;
                let null = guard_of(&refs, Pointee::Null);
                let fits = self.circuit.or(fits, null);
                self.throws(path, !fits, Thrown::New("java/lang/ClassCastException"))?;
            }
            Op::InstanceOf(site) => {
                let class = self.class_site(code, site)?;
                let refs = self.pop_ref(path)?;
                let others = refs.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
                let fits = self.has_class(path, &others, class)?;
                path.push(SymValue::truth(fits));
            }
            // Calls end the block: their successors are the paths behind the call.
            Op::InvokeVirtual(site) | Op::InvokeInterface(site) => {
                self.invoke(code, (site, pc), path, Dispatch::ByClass, out)?;
                return Ok(false);
            }
            Op::InvokeSpecial(site) => {
                self.invoke(code, (site, pc), path, Dispatch::Exact, out)?;
                return Ok(false);
            }
            Op::InvokeStatic(site) => {
                self.invoke(code, (site, pc), path, Dispatch::Static, out)?;
                return Ok(false);
            }
            Op::InvokeDynamic(site) if self.mode.is_method() => {
                let linked = linked(self.program, path.method.class(), &code.dynamics[site as usize]);
                let Ok(method) = linked else { return Err(self.unsupported("a call site that is made at run time")) };
                let first = path.registers.len().checked_sub(method.arguments as usize);
                let Some(first) = first else { return Err(self.unsupported("an empty stack")) };
                let arguments = path.registers.split_off(first);
                let Some(value) = self.call_unrolled(path, method, arguments)? else {
                    path.guard = Lit::FALSE;
                    return Ok(false);
                };
                if method.result != Kind::Void {
                    path.push(value);
                }
            }
            op => {
                let Some((target, condition, [if_so, if_not])) = self.branch(path, op)? else {
                    return Err(self.unsupported(&format!("the instruction {op:?}")));
                };
                let sides = [(target, condition, if_so), (pc + 1, !condition, if_not)];
                self.split(path, sides, out);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The target of a branch, its condition, and the refinement of a reference on each side.
    #[allow(clippy::type_complexity)]
    pub(crate) fn branch(
        &mut self,
        path: &mut GuardedPath,
        op: Op,
    ) -> Result<Option<(u32, Lit, [Refinement; 2])>, Refusal> {
        // A comparison with one pointee splits the points-to set: that one on the equal side, the others on the unequal side.
        let split = |refs: &PointsTo, target: Pointee| -> [Refinement; 2] {
            let (those, others): (Vec<_>, Vec<_>) = refs.iter().copied().partition(|(known, _)| *known == target);
            [Some((refs.clone(), those)), Some((refs.clone(), others))]
        };
        Ok(Some(match op {
            Op::IfNull(target) | Op::IfNonNull(target) => {
                let refs = self.pop_ref(path)?;
                let null = guard_of(&refs, Pointee::Null);
                let [if_null, if_not] = split(&refs, Pointee::Null);
                match op {
                    Op::IfNull(_) => (target, null, [if_null, if_not]),
                    _ => (target, !null, [if_not, if_null]),
                }
            }
            Op::IfAcmpEq(target) | Op::IfAcmpNe(target) => {
                let (right, left) = (self.pop_ref(path)?, self.pop_ref(path)?);
                self.require_comparable(&left, &right)?;
                let same = same(self.circuit, &left, &right);
                let [if_same, if_not] = match (&left[..], &right[..]) {
                    ([(only, Lit::TRUE)], _) => split(&right, *only),
                    (_, [(only, Lit::TRUE)]) => split(&left, *only),
                    _ => [None, None],
                };
                match op {
                    Op::IfAcmpEq(_) => (target, same, [if_same, if_not]),
                    _ => (target, !same, [if_not, if_same]),
                }
            }
            Op::IfEq(target)
            | Op::IfNe(target)
            | Op::IfLt(target)
            | Op::IfGe(target)
            | Op::IfGt(target)
            | Op::IfLe(target) => {
                let word = self.pop_word(path)?;
                let zero = self.circuit.word_constant(32, 0);
                (target, self.compare(op, &word, &zero)?, [None, None])
            }
            Op::IfIcmpEq(target)
            | Op::IfIcmpNe(target)
            | Op::IfIcmpLt(target)
            | Op::IfIcmpGe(target)
            | Op::IfIcmpGt(target)
            | Op::IfIcmpLe(target) => {
                let (right, left) = (self.pop_word(path)?, self.pop_word(path)?);
                (target, self.compare(op, &left, &right)?, [None, None])
            }
            _ => return Ok(None),
        }))
    }

    /// The result of an operation, or any number if results are havocked.
    pub(crate) fn havoc_result(&mut self, word: Word) -> Word {
        let is_known = self.circuit.word_constant_of(&word).is_some();
        if !self.arithmetic.havocs() || is_known {
            return word;
        }
        let any = self.circuit.word_input(self.arithmetic.saturation().unwrap_or(word.len()));
        self.circuit.widen(&any, word.len())
    }

    fn compare(&mut self, op: Op, left: &Word, right: &Word) -> Result<Lit, Refusal> {
        let is_known = |word: &[Lit]| self.circuit.word_constant_of(word).is_some();
        let is_equality = matches!(op, Op::IfEq(_) | Op::IfIcmpEq(_) | Op::IfNe(_) | Op::IfIcmpNe(_));
        // A comparison with zero is one bit, and often tests for a failure value.
        let is_sign = self.circuit.word_constant_of(right) == Some(0);
        let is_cheap = is_equality || is_sign || (is_known(left) && is_known(right));
        if self.arithmetic.havocs() && !is_cheap {
            return Ok(self.circuit.input());
        }
        let equal = |executor: &mut Self| executor.circuit.compare_chosen(left, right, Circuit::word_equal);
        let less = |executor: &mut Self, a, b| executor.circuit.compare_chosen(a, b, Circuit::less);
        let holds = match op {
            Op::IfEq(_) | Op::IfIcmpEq(_) => equal(self),
            Op::IfNe(_) | Op::IfIcmpNe(_) => !equal(self),
            Op::IfLt(_) | Op::IfIcmpLt(_) => less(self, left, right),
            Op::IfGe(_) | Op::IfIcmpGe(_) => !less(self, left, right),
            Op::IfGt(_) | Op::IfIcmpGt(_) => less(self, right, left),
            _ => !less(self, right, left),
        };
        self.compare_saturating((left, right), holds)
    }

    fn switch(
        &mut self,
        path: &mut GuardedPath,
        cases: &[(i32, u32)],
        default: u32,
        out: &mut Vec<Successor>,
    ) -> Result<bool, Refusal> {
        let word = self.pop_word(path)?;
        let mut others = path.guard;
        for (key, target) in cases {
            let key = self.number(32, *key as i64);
            let is_it = self.circuit.word_equal(&word, &key);
            let is_it = self.compare_saturating((&word, &key), is_it)?;
            let mut jumping = path.clone();
            jumping.guard = self.circuit.and(path.guard, is_it);
            others = self.circuit.and(others, !is_it);
            out.push(Successor::Jump(jumping, *target));
        }
        let mut left = path.clone();
        left.guard = others;
        out.push(Successor::Jump(left, default));
        Ok(false)
    }

    // The operand stack.

    fn pop(&mut self, path: &mut GuardedPath) -> Result<SymValue, Refusal> {
        path.registers.pop().ok_or_else(|| self.unsupported("an empty stack"))
    }

    pub(crate) fn pop_word(&mut self, path: &mut GuardedPath) -> Result<Word, Refusal> {
        match self.pop(path)? {
            SymValue::Word(word) => Ok(word),
            _ => Err(self.unsupported("a number that is not known")),
        }
    }

    fn pop_ref(&mut self, path: &mut GuardedPath) -> Result<PointsTo, Refusal> {
        match self.pop(path)? {
            SymValue::Ref(refs) => Ok(refs),
            _ => Err(self.unsupported("a reference that is not known")),
        }
    }

    /// Pops a reference to an object; where it is null, the path throws.
    fn pop_object(&mut self, path: &mut GuardedPath) -> Result<PointsTo, Refusal> {
        let refs = self.pop_ref(path)?;
        self.object(path, refs)
    }

    pub(crate) fn object(&mut self, path: &mut GuardedPath, refs: PointsTo) -> Result<PointsTo, Refusal> {
        let null = guard_of(&refs, Pointee::Null);
        self.throws(path, null, Thrown::New("java/lang/NullPointerException"))?;
        if refs.iter().all(|(target, _)| *target == Pointee::Null) {
            // No input gets here with an object.
            path.guard = Lit::FALSE;
        }
        if null == Lit::FALSE {
            return Ok(refs);
        }
        let others: Vec<(Pointee, Lit)> = refs.iter().filter(|(target, _)| *target != Pointee::Null).copied().collect();
        Ok(refine(path, &refs, others))
    }

    fn field_site(&mut self, code: &'static Code, site: u32) -> Result<ResolvedField, Refusal> {
        self.resolved_field(&code.fields[site as usize], false)
    }

    /// A field whose type is known: inputs have no objects of a type that cannot be loaded, which does not mean that there are none.
    pub(crate) fn resolved_field(&self, site: &FieldSite, is_static: bool) -> Result<ResolvedField, Refusal> {
        let field = self.program.resolve_field(site, is_static).map_err(|error| self.unlinked(error))?;
        if field.kind == Kind::Reference {
            self.program.load_descriptor(site.descriptor).map_err(|error| self.unlinked(error))?;
        }
        Ok(field)
    }

    pub(crate) fn class_site(&mut self, code: &'static Code, site: u32) -> Result<&'static Class, Refusal> {
        let site = &code.classes[site as usize];
        self.program.resolve_class(site).map_err(|error| self.unlinked(error))
    }

    /// The one of these values whose literal is true.
    pub(crate) fn any_of(&mut self, parts: Vec<(Lit, SymValue)>) -> Result<SymValue, Refusal> {
        if parts.is_empty() {
            return Ok(SymValue::Undefined);
        }
        crate::exec::value::any_of(self.circuit, &parts).ok_or_else(|| self.unsupported("values of different kinds"))
    }

    pub(crate) fn concrete_class(&self, object: u32) -> &'static Class {
        self.statics.heap.class(ObjId::from_index(object as usize))
    }

    pub(crate) fn class_of(&self, path: &GuardedPath, target: Pointee) -> Result<&'static Class, Refusal> {
        match target {
            Pointee::Atom(atom) => Ok(self.universe.atoms[atom as usize].class),
            Pointee::Allocated(number) => match path.heap.get(number) {
                Some(made) => Ok(made.class),
                None => Err(self.unsupported("an object that is not there")),
            },
            Pointee::Concrete(object) => Ok(self.concrete_class(object)),
            Pointee::Mirror(_) => self.program.load("java/lang/Class").map_err(|error| self.unlinked(error)),
            Pointee::Null => Err(self.unsupported("the class of null")),
            Pointee::Unknown => Err(self.unsupported("an object of which nothing is known")),
        }
    }
}

/// The operations on two numbers that never throw.
fn arithmetic(op: Op) -> Option<Operation> {
    Some(match op {
        Op::Iadd | Op::Ladd => |circuit, a, b| circuit.add(a, b),
        Op::Isub | Op::Lsub => |circuit, a, b| circuit.subtract(a, b),
        Op::Imul | Op::Lmul => |circuit, a, b| circuit.multiply(a, b),
        Op::Iand | Op::Land => |circuit, a, b| circuit.word_and(a, b),
        Op::Ior | Op::Lor => |circuit, a, b| circuit.word_or(a, b),
        Op::Ixor | Op::Lxor => |circuit, a, b| circuit.word_xor(a, b),
        Op::Ishl | Op::Lshl => |circuit, a, b| circuit.shift_left(a, b),
        Op::Ishr | Op::Lshr => |circuit, a, b| circuit.shift_right(a, b),
        Op::Iushr | Op::Lushr => |circuit, a, b| circuit.shift_right_unsigned(a, b),
        _ => return None,
    })
}
