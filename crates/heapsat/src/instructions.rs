//! What does one instruction do to meanings?

use lazuli_logic::circuit::{Circuit, Lit, Word};
use lazuli_vm::interp::dynamic::linked;
use lazuli_vm::program::{Class, Code, FieldSite, LinkError, Op, Piece, ResolvedField};
use lazuli_vm::value::{Kind, ObjId, Value};

use super::Refusal;
use super::calls::Dispatch;
use super::collections::model_of;
use super::events::{EventSet, Events};
use super::exceptions::Thrown;
use super::meaning::{Meaning, Refs, Target, is, resized, same};
use super::stack::shuffle;
use super::translate::{Learned, Next, Translator, refine};
use super::way::{Body, Place, Way};

type Operation = fn(&mut lazuli_logic::circuit::Circuit, &[Lit], &[Lit]) -> Word;

impl Translator<'_> {
    /// Executes an instruction. Says whether the next one follows; if not, the ways out are among the exits and ends.
    pub fn execute(
        &mut self,
        code: &'static Code,
        pc: u32,
        way: &mut Way,
        out: &mut Vec<Next>,
    ) -> Result<bool, Refusal> {
        let op = code.ops[pc as usize].first();
        if let Some(operation) = arithmetic(op) {
            let (right, left) = (self.pop_word(way)?, self.pop_word(way)?);
            let word = self.computed(op, operation, (&left, &right))?;
            let word = self.roughly(word);
            way.push(Meaning::Word(word));
            return Ok(true);
        }
        match op {
            Op::Nop => {}
            Op::Null => way.push(Meaning::null()),
            Op::Int(value) => way.push(Meaning::Word(self.number(32, value as i64))),
            Op::Constant(index) => match code.constants[index as usize] {
                Value::Long(value) => way.push(Meaning::Word(self.number(64, value))),
                _ => return Err(self.unsupported("floating point")),
            },
            Op::Load(local) => {
                let value = way.registers[local as usize].clone();
                way.push(value);
            }
            Op::Store(local) => {
                let value = self.pop(way)?;
                way.registers[local as usize] = value;
            }
            Op::Iinc(local, amount) => {
                let Meaning::Word(word) = way.registers[local as usize].clone() else {
                    return Err(self.unsupported("a number that is not known"));
                };
                let amount = self.number(32, amount as i64);
                let sum = self.computed(op, |circuit, a, b| circuit.add(a, b), (&word, &amount))?;
                way.registers[local as usize] = Meaning::Word(sum);
            }
            Op::Pop | Op::Pop2 | Op::Dup | Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                let moved = shuffle(&mut way.registers, op, Meaning::is_wide);
                moved.ok_or_else(|| self.unsupported("an empty stack"))?
            }
            Op::Ineg | Op::Lneg => {
                let word = self.pop_word(way)?;
                let zero = self.circuit.word_constant(word.len(), 0);
                let negated = self.computed(op, |circuit, a, b| circuit.subtract(a, b), (&zero, &word))?;
                way.push(Meaning::Word(negated));
            }
            Op::Idiv | Op::Irem | Op::Ldiv | Op::Lrem | Op::L2i | Op::I2b | Op::I2s | Op::I2c
                if self.near.is_some() =>
            {
                return Err(self.unsupported(&format!("the instruction {op:?} on numbers of few bits")));
            }
            Op::Idiv | Op::Irem | Op::Ldiv | Op::Lrem => {
                let (right, left) = (self.pop_word(way)?, self.pop_word(way)?);
                let not_zero = self.circuit.any(right.iter().copied());
                self.throws(way, !not_zero, Thrown::New("java/lang/ArithmeticException"))?;
                let is_quotient = matches!(op, Op::Idiv | Op::Ldiv);
                let word = if is_quotient {
                    self.circuit.divide(&left, &right)
                } else {
                    self.circuit.remainder(&left, &right)
                };
                way.push(Meaning::Word(word));
            }
            Op::I2l => {
                let word = self.pop_word(way)?;
                way.push(Meaning::Word(resized(&word, 64, true)));
            }
            Op::L2i => {
                let word = self.pop_word(way)?;
                way.push(Meaning::Word(word[..32].into()));
            }
            Op::I2b | Op::I2s | Op::I2c => {
                let kind = match op {
                    Op::I2b => Kind::Byte,
                    Op::I2s => Kind::Short,
                    _ => Kind::Char,
                };
                let value = self.pop(way)?.kept_as(kind);
                way.push(value);
            }
            Op::Lcmp => {
                let (right, left) = (self.pop_word(way)?, self.pop_word(way)?);
                let less = self.circuit.less(&left, &right);
                let equal = self.circuit.word_equal(&left, &right);
                let (less, equal) = match self.near {
                    None => (less, equal),
                    Some(_) => {
                        let equal = self.if_near((&left, &right), equal)?;
                        let less = self.if_near((&left, &right), less)?;
                        (self.circuit.and(less, !equal), equal)
                    }
                };
                // 1, 0 or -1: the lowest bit says unequal, all others less.
                let bits: Word = std::iter::once(!equal).chain(std::iter::repeat_n(less, 31)).collect();
                way.push(Meaning::Word(bits));
            }
            Op::Goto(target) => {
                out.push(Next::Jump(way.clone(), target));
                return Ok(false);
            }
            Op::TableSwitch(index) => {
                let table = &code.tables[index as usize];
                let cases: Vec<(i32, u32)> =
                    table.targets.iter().enumerate().map(|(at, target)| (table.low + at as i32, *target)).collect();
                return self.switch(way, &cases, table.default, out);
            }
            Op::LookupSwitch(index) => {
                let table = &code.lookups[index as usize];
                return self.switch(way, &table.pairs, table.default, out);
            }
            Op::ReturnValue | Op::Return => {
                let value = if op == Op::Return { Meaning::Nothing } else { self.pop(way)? };
                out.push(Next::Return(way.clone(), value));
                return Ok(false);
            }
            Op::Throw => {
                let refs = self.pop_object(way)?;
                self.throws(way, Lit::TRUE, Thrown::Object(refs))?;
            }
            Op::String(id) if self.whole.is_some() => {
                let text = self.literal(way, id);
                way.push(text);
            }
            Op::Concat(recipe) if self.whole.is_some() => {
                let pieces = code.recipes[recipe as usize].iter();
                let taken = pieces.filter(|piece| matches!(piece, Piece::Argument(_))).count();
                let Some(first) = way.registers.len().checked_sub(taken) else {
                    return Err(self.unsupported("an empty stack"));
                };
                let arguments = way.registers.split_off(first);
                self.may_be_joined(way, &arguments)?;
                // A text that somebody looks into is refused there.
                way.push(Meaning::one(Target::Other));
            }
            Op::ClassConstant(site) if self.universe.tells_classes => {
                let class = self.class_site(code, site)?;
                way.push(Meaning::one(Target::Mirror(class.id.index() as u32)));
            }
            Op::MonitorEnter | Op::MonitorExit if self.whole.is_some() => {
                self.pop_object(way)?;
            }
            Op::GetStatic(site) => {
                let place = self.static_place(code, site)?;
                let value = self.current(way, place)?;
                way.push(value);
            }
            Op::PutStatic(site) if self.whole.is_some() => {
                let place = self.static_place(code, site)?;
                let Place::Static { kind, .. } = place else { unreachable!("a static field is one") };
                let value = self.pop(way)?.kept_as(kind);
                self.change(way, place, Lit::TRUE, &value)?;
            }
            Op::GetField(site) => {
                let field = self.field_site(code, site)?;
                let refs = self.pop_object(way)?;
                let value = self.read(way, &refs, &field)?;
                way.push(value);
            }
            Op::PutField(site) => {
                let field = self.field_site(code, site)?;
                let value = self.pop(way)?.kept_as(field.kind);
                let refs = self.pop_object(way)?;
                self.write_field(way, &refs, &field, &value)?;
            }
            Op::New(site) => {
                let class = self.class_site(code, site)?;
                if class.is_abstract() {
                    let what = format!("{} is abstract", class.java_name());
                    return Err(self.unlinked(LinkError::IncompatibleClassChange(what)));
                }
                self.check_initialised(class)?;
                let body = match model_of(class) {
                    Some(Body::Set(_)) if self.by_object && self.recursion.leads_apart(self.program, way.method) => {
                        let by = self.turn.map(|turn| turn.key);
                        if let Some(ledger) = &mut self.ledger {
                            ledger.made(by, self.events.len());
                        }
                        self.events.push(Events::default());
                        Body::Events(EventSet { number: self.events.len() - 1, is_read: false })
                    }
                    Some(model) => model,
                    None => self.new_object(class)?,
                };
                let object = self.make(way, class, body);
                way.push(object);
            }
            Op::NewArray(_) | Op::MultiNewArray(..) | Op::ArrayLength | Op::ArrayLoad | Op::ArrayStore
                if self.near.is_some() =>
            {
                return Err(self.unsupported("an array with numbers of few bits"));
            }
            Op::NewArray(site) => {
                let class = self.class_site(code, site)?;
                let length = self.pop_word(way)?;
                let array = self.new_arrays(way, class, &[length])?;
                way.push(array);
            }
            Op::MultiNewArray(site, dimensions) => {
                let class = self.class_site(code, site)?;
                let mut lengths = (0..dimensions).map(|_| self.pop_word(way)).collect::<Result<Vec<Word>, _>>()?;
                lengths.reverse();
                let array = self.new_arrays(way, class, &lengths)?;
                way.push(array);
            }
            Op::ArrayLength => {
                let refs = self.pop_object(way)?;
                let length = self.array_length(way, &refs)?;
                way.push(length);
            }
            Op::ArrayLoad => {
                let index = self.pop_word(way)?;
                let refs = self.pop_object(way)?;
                let value = self.load(way, &refs, &index)?;
                way.push(value);
            }
            Op::ArrayStore => {
                let value = self.pop(way)?;
                let index = self.pop_word(way)?;
                let refs = self.pop_object(way)?;
                self.store(way, &refs, &index, value)?;
            }
            Op::CheckCast(site) => {
                let class = self.class_site(code, site)?;
                let Some(Meaning::Ref(refs)) = way.registers.last().cloned() else {
                    return Err(self.unsupported("a cast of a number"));
                };
                let others = refs.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
                let fits = self.has_class(way, &others, class)?;
                let null = is(&refs, Target::Null);
                let fits = self.circuit.or(fits, null);
                self.throws(way, !fits, Thrown::New("java/lang/ClassCastException"))?;
            }
            Op::InstanceOf(site) => {
                let class = self.class_site(code, site)?;
                let refs = self.pop_ref(way)?;
                let others = refs.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
                let fits = self.has_class(way, &others, class)?;
                way.push(Meaning::truth(fits));
            }
            Op::InvokeVirtual(site) | Op::InvokeInterface(site) => {
                self.invoke(code, (site, pc), way, Dispatch::ByClass, out)?;
                return Ok(false);
            }
            Op::InvokeSpecial(site) => {
                self.invoke(code, (site, pc), way, Dispatch::Exact, out)?;
                return Ok(false);
            }
            Op::InvokeStatic(site) => {
                self.invoke(code, (site, pc), way, Dispatch::Static, out)?;
                return Ok(false);
            }
            Op::InvokeDynamic(site) if self.whole.is_some() => {
                let linked = linked(self.program, way.method.class(), &code.dynamics[site as usize]);
                let Ok(method) = linked else { return Err(self.unsupported("a call site that is made at run time")) };
                let first = way.registers.len().checked_sub(method.arguments as usize);
                let Some(first) = first else { return Err(self.unsupported("an empty stack")) };
                let arguments = way.registers.split_off(first);
                let Some(value) = self.call_whole(way, method, arguments)? else {
                    way.guard = Lit::FALSE;
                    return Ok(false);
                };
                if method.result != Kind::Void {
                    way.push(value);
                }
            }
            op => {
                let Some((target, condition, [if_so, if_not])) = self.branch(way, op)? else {
                    return Err(self.unsupported(&format!("the instruction {op:?}")));
                };
                let sides = [(target, condition, if_so), (pc + 1, !condition, if_not)];
                self.split(way, sides, out);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The target of a branch, when it is taken, and what each way learns about a reference.
    #[allow(clippy::type_complexity)]
    pub fn branch(&mut self, way: &mut Way, op: Op) -> Result<Option<(u32, Lit, [Learned; 2])>, Refusal> {
        let split = |refs: &Refs, target: Target| -> [Learned; 2] {
            let (those, others): (Vec<_>, Vec<_>) = refs.iter().copied().partition(|(known, _)| *known == target);
            [Some((refs.clone(), those)), Some((refs.clone(), others))]
        };
        Ok(Some(match op {
            Op::IfNull(target) | Op::IfNonNull(target) => {
                let refs = self.pop_ref(way)?;
                let null = is(&refs, Target::Null);
                let [if_null, if_not] = split(&refs, Target::Null);
                match op {
                    Op::IfNull(_) => (target, null, [if_null, if_not]),
                    _ => (target, !null, [if_not, if_null]),
                }
            }
            Op::IfAcmpEq(target) | Op::IfAcmpNe(target) => {
                let (right, left) = (self.pop_ref(way)?, self.pop_ref(way)?);
                self.may_be_compared(&left, &right)?;
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
                let word = self.pop_word(way)?;
                let zero = self.circuit.word_constant(32, 0);
                (target, self.compare(op, &word, &zero)?, [None, None])
            }
            Op::IfIcmpEq(target)
            | Op::IfIcmpNe(target)
            | Op::IfIcmpLt(target)
            | Op::IfIcmpGe(target)
            | Op::IfIcmpGt(target)
            | Op::IfIcmpLe(target) => {
                let (right, left) = (self.pop_word(way)?, self.pop_word(way)?);
                (target, self.compare(op, &left, &right)?, [None, None])
            }
            _ => return Ok(None),
        }))
    }

    /// A number that is computed, if anybody cares about it.
    fn roughly(&mut self, word: Word) -> Word {
        let is_known = self.circuit.word_constant_of(&word).is_some();
        if !self.is_rough || is_known {
            return word;
        }
        let any = self.circuit.word_input(self.near.unwrap_or(word.len()));
        self.circuit.widen(&any, word.len())
    }

    fn compare(&mut self, op: Op, left: &Word, right: &Word) -> Result<Lit, Refusal> {
        let is_known = |word: &[Lit]| self.circuit.word_constant_of(word).is_some();
        let is_equality = matches!(op, Op::IfEq(_) | Op::IfIcmpEq(_) | Op::IfNe(_) | Op::IfIcmpNe(_));
        // A sign is one bit, and often says that something is wrong.
        let is_sign = self.circuit.word_constant_of(right) == Some(0);
        let is_cheap = is_equality || is_sign || (is_known(left) && is_known(right));
        if self.is_rough && !is_cheap {
            return Ok(self.circuit.input());
        }
        let equal = |translator: &mut Self| translator.circuit.compare_chosen(left, right, Circuit::word_equal);
        let less = |translator: &mut Self, a, b| translator.circuit.compare_chosen(a, b, Circuit::less);
        let holds = match op {
            Op::IfEq(_) | Op::IfIcmpEq(_) => equal(self),
            Op::IfNe(_) | Op::IfIcmpNe(_) => !equal(self),
            Op::IfLt(_) | Op::IfIcmpLt(_) => less(self, left, right),
            Op::IfGe(_) | Op::IfIcmpGe(_) => !less(self, left, right),
            Op::IfGt(_) | Op::IfIcmpGt(_) => less(self, right, left),
            _ => !less(self, right, left),
        };
        self.if_near((left, right), holds)
    }

    fn switch(
        &mut self,
        way: &mut Way,
        cases: &[(i32, u32)],
        default: u32,
        out: &mut Vec<Next>,
    ) -> Result<bool, Refusal> {
        let word = self.pop_word(way)?;
        let mut others = way.guard;
        for (key, target) in cases {
            let key = self.number(32, *key as i64);
            let is_it = self.circuit.word_equal(&word, &key);
            let is_it = self.if_near((&word, &key), is_it)?;
            let mut jumping = way.clone();
            jumping.guard = self.circuit.and(way.guard, is_it);
            others = self.circuit.and(others, !is_it);
            out.push(Next::Jump(jumping, *target));
        }
        let mut left = way.clone();
        left.guard = others;
        out.push(Next::Jump(left, default));
        Ok(false)
    }

    // The operand stack.

    fn pop(&mut self, way: &mut Way) -> Result<Meaning, Refusal> {
        way.registers.pop().ok_or_else(|| self.unsupported("an empty stack"))
    }

    fn pop_word(&mut self, way: &mut Way) -> Result<Word, Refusal> {
        match self.pop(way)? {
            Meaning::Word(word) => Ok(word),
            _ => Err(self.unsupported("a number that is not known")),
        }
    }

    fn pop_ref(&mut self, way: &mut Way) -> Result<Refs, Refusal> {
        match self.pop(way)? {
            Meaning::Ref(refs) => Ok(refs),
            _ => Err(self.unsupported("a reference that is not known")),
        }
    }

    /// A reference to an object; ways on which it is null throw.
    fn pop_object(&mut self, way: &mut Way) -> Result<Refs, Refusal> {
        let refs = self.pop_ref(way)?;
        self.object(way, refs)
    }

    pub fn object(&mut self, way: &mut Way, refs: Refs) -> Result<Refs, Refusal> {
        let null = is(&refs, Target::Null);
        self.throws(way, null, Thrown::New("java/lang/NullPointerException"))?;
        if refs.iter().all(|(target, _)| *target == Target::Null) {
            // No input gets here with an object.
            way.guard = Lit::FALSE;
        }
        if null == Lit::FALSE {
            return Ok(refs);
        }
        let others: Vec<(Target, Lit)> = refs.iter().filter(|(target, _)| *target != Target::Null).copied().collect();
        Ok(refine(way, &refs, others))
    }

    fn field_site(&mut self, code: &'static Code, site: u32) -> Result<ResolvedField, Refusal> {
        self.resolved_field(&code.fields[site as usize], false)
    }

    /// A field whose type is known: inputs have no objects of a type that cannot be loaded, which does not mean that there are none.
    pub fn resolved_field(&self, site: &FieldSite, is_static: bool) -> Result<ResolvedField, Refusal> {
        let field = self.program.resolve_field(site, is_static).map_err(|error| self.unlinked(error))?;
        if field.kind == Kind::Reference {
            self.program.load_descriptor(site.descriptor).map_err(|error| self.unlinked(error))?;
        }
        Ok(field)
    }

    pub fn class_site(&mut self, code: &'static Code, site: u32) -> Result<&'static Class, Refusal> {
        let site = &code.classes[site as usize];
        self.program.resolve_class(site).map_err(|error| self.unlinked(error))
    }

    /// The one of these values whose literal is true.
    pub fn any_of(&mut self, parts: Vec<(Lit, Meaning)>) -> Result<Meaning, Refusal> {
        if parts.is_empty() {
            return Ok(Meaning::Nothing);
        }
        super::meaning::any_of(self.circuit, &parts).ok_or_else(|| self.unsupported("values of different kinds"))
    }

    pub fn held_class(&self, object: u32) -> &'static Class {
        self.statics.heap.class(ObjId::from_index(object as usize))
    }

    pub fn class_of(&self, way: &Way, target: Target) -> Result<&'static Class, Refusal> {
        match target {
            Target::Atom(atom) => Ok(self.universe.atoms[atom as usize].class),
            Target::Made(number) => match way.heap.get(number) {
                Some(made) => Ok(made.class),
                None => Err(self.unsupported("an object that is not there")),
            },
            Target::Held(object) => Ok(self.held_class(object)),
            Target::Mirror(_) => self.program.load("java/lang/Class").map_err(|error| self.unlinked(error)),
            Target::Null => Err(self.unsupported("the class of null")),
            Target::Other => Err(self.unsupported("an object of which nothing is known")),
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
