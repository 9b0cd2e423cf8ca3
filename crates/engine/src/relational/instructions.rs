//! What does one instruction do to meanings?

use std::rc::Rc;

use lazuli_logic::circuit::{Circuit, Lit, Word};

use super::Refusal;
use super::collections::model_of;
use super::events::{EventSet, Events};
use super::exceptions::{Thrown, is_covered};
use super::meaning::{Meaning, Refs, Target, choose, is, resized, same};
use super::stack::shuffle;
use super::translate::{Learned, Next, Translator, refine};
use super::way::{Body, Place, Way};
use crate::interp::dynamic::linked;
use crate::program::{CallSite, Class, Code, Method, Op, Piece, ResolvedField};
use crate::value::{Kind, ObjId, Value};

/// A reference that may be more than this is worth asking the solver what it may be.
const FEW: usize = 3;

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
            let word = operation(self.circuit, &left, &right);
            let word = self.roughly(word);
            way.push(Meaning::Word(word));
            return Ok(true);
        }
        match op {
            Op::Nop => {}
            Op::Null => way.push(Meaning::null()),
            Op::Int(value) => way.push(Meaning::Word(self.circuit.word_constant(32, value as i64))),
            Op::Constant(index) => match code.constants[index as usize] {
                Value::Long(value) => way.push(Meaning::Word(self.circuit.word_constant(64, value))),
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
                let amount = self.circuit.word_constant(32, amount as i64);
                way.registers[local as usize] = Meaning::Word(self.circuit.add(&word, &amount));
            }
            Op::Pop | Op::Pop2 | Op::Dup | Op::DupX1 | Op::DupX2 | Op::Dup2 | Op::Dup2X1 | Op::Dup2X2 | Op::Swap => {
                let moved = shuffle(&mut way.registers, op, Meaning::is_wide);
                moved.ok_or_else(|| self.unsupported("an empty stack"))?
            }
            Op::Ineg | Op::Lneg => {
                let word = self.pop_word(way)?;
                way.push(Meaning::Word(self.circuit.negate(&word)));
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
                way.registers.truncate(way.registers.len() - taken);
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
                self.check_initialised(class)?;
                let body = match model_of(class) {
                    Some(Body::Set(_)) if self.by_object && self.recursion.leads_apart(self.program, way.method) => {
                        self.events.push(Events::default());
                        Body::Events(EventSet { number: self.events.len() - 1, is_read: false })
                    }
                    Some(model) => model,
                    None => self.new_object(class)?,
                };
                let object = self.make(way, class, body);
                way.push(object);
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
                (target, self.compare(op, &word, &zero), [None, None])
            }
            Op::IfIcmpEq(target)
            | Op::IfIcmpNe(target)
            | Op::IfIcmpLt(target)
            | Op::IfIcmpGe(target)
            | Op::IfIcmpGt(target)
            | Op::IfIcmpLe(target) => {
                let (right, left) = (self.pop_word(way)?, self.pop_word(way)?);
                (target, self.compare(op, &left, &right), [None, None])
            }
            _ => return Ok(None),
        }))
    }

    /// A number that is computed, if anybody cares about it.
    fn roughly(&mut self, word: Word) -> Word {
        let is_known = self.circuit.word_constant_of(&word).is_some();
        if self.is_rough && !is_known { self.circuit.word_input(word.len()) } else { word }
    }

    fn compare(&mut self, op: Op, left: &[Lit], right: &[Lit]) -> Lit {
        let is_known = |word: &[Lit]| self.circuit.word_constant_of(word).is_some();
        let is_equality = matches!(op, Op::IfEq(_) | Op::IfIcmpEq(_) | Op::IfNe(_) | Op::IfIcmpNe(_));
        // A sign is one bit, and often says that something is wrong.
        let is_sign = self.circuit.word_constant_of(right) == Some(0);
        let is_cheap = is_equality || is_sign || (is_known(left) && is_known(right));
        if self.is_rough && !is_cheap {
            return self.circuit.input();
        }
        let equal = |translator: &mut Self| translator.circuit.compare_chosen(left, right, Circuit::word_equal);
        let less = |translator: &mut Self, a, b| translator.circuit.compare_chosen(a, b, Circuit::less);
        match op {
            Op::IfEq(_) | Op::IfIcmpEq(_) => equal(self),
            Op::IfNe(_) | Op::IfIcmpNe(_) => !equal(self),
            Op::IfLt(_) | Op::IfIcmpLt(_) => less(self, left, right),
            Op::IfGe(_) | Op::IfIcmpGe(_) => !less(self, left, right),
            Op::IfGt(_) | Op::IfIcmpGt(_) => less(self, right, left),
            _ => !less(self, right, left),
        }
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
            let key = self.circuit.word_constant(32, *key as i64);
            let is_it = self.circuit.word_equal(&word, &key);
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

    /// Nobody knows whether two objects of which nothing is known are the same.
    fn may_be_compared(&self, left: &Refs, right: &Refs) -> Result<(), Refusal> {
        let is_other = |refs: &Refs| refs.iter().any(|(target, _)| *target == Target::Other);
        let atoms = |refs: &Refs| -> Vec<u32> {
            let atoms = refs.iter().filter_map(|(target, _)| match target {
                Target::Atom(atom) => Some(*atom),
                _ => None,
            });
            atoms.collect()
        };
        let (one, two) = (atoms(left), atoms(right));
        let may_be_same = |a: &u32, b: &u32| self.universe.may_be_one(self.program, *a, *b);
        let may_be_held = |refs: &Refs, atoms: &[u32]| {
            refs.iter().any(|(target, _)| match target {
                Target::Held(object) => {
                    let class = self.held_class(*object);
                    atoms.iter().any(|atom| self.universe.may_be_held(self.program, *atom, *object, class))
                }
                _ => false,
            })
        };
        // A caller may hand in the very text that a constant is.
        let string = self.program.known().string;
        let is_text = |atom: &u32| {
            let class = self.universe.atoms[*atom as usize].class;
            self.universe.is_stranger(*atom) && self.program.split(class, string).yes.is_some()
        };
        let may_be_literal = |refs: &Refs, atoms: &[u32]| {
            let is_literal =
                |(target, _): &(Target, Lit)| matches!(target, Target::Made(number) if self.is_literal(*number));
            refs.iter().any(is_literal) && atoms.iter().any(is_text)
        };
        let may_be_mirror = |one: &Refs, other: &Refs| {
            let is_class = |class: &'static Class| match class.is_open() {
                true => class.possible().is_some_and(|possible| possible.bound.id == self.program.known().object.id),
                false => class.name == "java/lang/Class",
            };
            let may_be = |(target, _): &(Target, Lit)| match target {
                Target::Held(object) => is_class(self.held_class(*object)),
                Target::Atom(atom) => is_class(self.universe.atoms[*atom as usize].class),
                _ => false,
            };
            one.iter().any(|(target, _)| matches!(target, Target::Mirror(_))) && other.iter().any(may_be)
        };
        // Texts that are the same are equal, and whoever asks for that does not care.
        let is_equality = self.at.is_some_and(|(method, _)| {
            matches!(method.class().name, "java/lang/String" | "java/util/Objects") && method.name == "equals"
        });
        let is_unclear = one.iter().any(|a| two.iter().any(|b| may_be_same(a, b)))
            || !is_equality && (may_be_held(left, &two) || may_be_held(right, &one))
            || !is_equality && (may_be_literal(left, &two) || may_be_literal(right, &one))
            || may_be_mirror(left, right)
            || may_be_mirror(right, left);
        let is_older = |(target, _): &(Target, Lit)| match target {
            Target::Held(_) | Target::Mirror(_) => true,
            Target::Made(number) => self.is_literal(*number),
            _ => false,
        };
        let is_there = |refs: &Refs, atoms: &[u32]| !atoms.is_empty() || refs.iter().any(is_older);
        let other_atom = is_other(left) && is_there(right, &two) || is_other(right) && is_there(left, &one);
        if is_other(left) && is_other(right) || is_unclear || other_atom && self.whole.is_some() {
            return Err(self.unsupported("a comparison of objects of which nothing is known"));
        }
        Ok(())
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

    // Objects.

    fn field_site(&mut self, code: &'static Code, site: u32) -> Result<ResolvedField, Refusal> {
        let site = &code.fields[site as usize];
        self.program.resolve_field(site, false).map_err(|error| self.unsupported(&error.to_string()))
    }

    pub fn class_site(&mut self, code: &'static Code, site: u32) -> Result<&'static Class, Refusal> {
        let site = &code.classes[site as usize];
        self.program.resolve_class(site).map_err(|error| self.unsupported(&error.to_string()))
    }

    /// What a field of what the reference may be holds.
    fn read(&mut self, way: &mut Way, refs: &Refs, field: &ResolvedField) -> Result<Meaning, Refusal> {
        let mut parts = Vec::new();
        for (target, when) in refs.iter() {
            if !self.may_have(way, *target, field) {
                continue;
            }
            let value = match target {
                Target::Atom(atom) => {
                    self.may_be_read(way, *atom, field)?;
                    let slot = self.universe.slot(*atom, field);
                    Some(self.current(way, Place::Field { atom: *atom, slot, kind: field.kind })?)
                }
                Target::Made(number) => match way.heap.get(*number).map(|made| &made.body) {
                    Some(Body::Fields(fields)) => fields.get(field.slot as usize).cloned(),
                    _ => None,
                },
                Target::Held(object) => {
                    Some(self.current(way, Place::Held { object: *object, slot: field.slot, kind: field.kind })?)
                }
                Target::Null => continue,
                Target::Mirror(_) | Target::Other => None,
            };
            let value = value.ok_or_else(|| self.unsupported("a field of an object whose class is not known"))?;
            parts.push((*when, value));
        }
        if parts.is_empty() {
            way.guard = Lit::FALSE;
        }
        match self.any_of(parts)? {
            Meaning::Ref(refs) if refs.len() > FEW => Ok(Meaning::Ref(self.narrow(way.guard, refs)?)),
            other => Ok(other),
        }
    }

    /// The one of these values whose literal is true.
    pub fn any_of(&mut self, parts: Vec<(Lit, Meaning)>) -> Result<Meaning, Refusal> {
        if parts.is_empty() {
            return Ok(Meaning::Nothing);
        }
        super::meaning::any_of(self.circuit, &parts).ok_or_else(|| self.unsupported("values of different kinds"))
    }

    fn write_field(
        &mut self,
        way: &mut Way,
        refs: &Refs,
        field: &ResolvedField,
        value: &Meaning,
    ) -> Result<(), Refusal> {
        let having = refs.iter().copied().filter(|(target, _)| self.may_have(way, *target, field));
        let (input, made): (Vec<_>, Vec<_>) =
            having.partition(|(target, _)| matches!(target, Target::Atom(_) | Target::Held(_)));
        if !input.is_empty() && self.whole.is_none() {
            return Err(self.unsupported("a write to the input"));
        }
        for (target, when) in input {
            let place = match target {
                Target::Atom(atom) => {
                    self.may_be_written(atom, field)?;
                    Place::Field { atom, slot: self.universe.slot(atom, field), kind: field.kind }
                }
                Target::Held(object) => Place::Held { object, slot: field.slot, kind: field.kind },
                _ => unreachable!("others were sorted out"),
            };
            self.change(way, place, when, value)?;
        }
        let slot = field.slot as usize;
        let place = |body: &mut Body| match body {
            Body::Fields(fields) if slot < fields.len() => Some(slot),
            _ => None,
        };
        self.write(way, &made.into(), place, value)
    }

    /// May this be an object with the field? A variable of unknown type may seem to refer to objects that have no such field.
    fn may_have(&self, way: &Way, target: Target, field: &ResolvedField) -> bool {
        match target {
            Target::Atom(atom) => {
                self.program.split(self.universe.atoms[atom as usize].class, field.class).yes.is_some()
            }
            Target::Made(number) => way.heap.get(number).is_none_or(|made| made.class.is_subtype_of(field.class)),
            Target::Held(object) => self.held_class(object).is_subtype_of(field.class),
            Target::Null | Target::Mirror(_) | Target::Other => true,
        }
    }

    /// An object of the input may have two names: one as what the field refers to that holds it, another as what its class says. Whoever changes it by one name
    /// does not change it by the other.
    fn may_be_written(&mut self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        match self.universe.namesakes(self.program, atom, field).is_empty() || !self.universe.is_stranger(atom) {
            true => Ok(()),
            false => Err(self.unsupported("a write to an object that may be known under another type as well")),
        }
    }

    fn may_be_read(&mut self, way: &Way, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        self.may_be_opened(atom, field)?;
        if way.heap.written.is_empty() || !self.universe.is_stranger(atom) {
            return Ok(());
        }
        for other in self.universe.namesakes(self.program, atom, field) {
            let slot = self.universe.slot(other, field);
            if way.heap.written.contains_key(&Place::Field { atom: other, slot, kind: field.kind }) {
                return Err(self.unsupported("a read of an object that may have been changed under another type"));
            }
        }
        Ok(())
    }

    /// What the JDK's objects keep within them obeys rules that nobody here knows.
    fn may_be_opened(&self, atom: u32, field: &ResolvedField) -> Result<(), Refusal> {
        // A text that is known as one has characters.
        let is_text = self.universe.atoms[atom as usize].class.id == self.program.known().string.id;
        let is_known = Kind::of_box(field.class.name).is_some() || is_text;
        match self.universe.is_stranger(atom) && !field.class.is_users() && !is_known {
            true => Err(self.unsupported(&format!("what an object of {} consists of", field.class.java_name()))),
            false => Ok(()),
        }
    }

    /// What a variable that was there at entry holds now.
    pub fn current(&mut self, way: &Way, place: Place) -> Result<Meaning, Refusal> {
        match way.heap.written.get(&place) {
            Some(value) => Ok(value.clone()),
            None => self.at_entry(place),
        }
    }

    /// What it held at entry.
    pub fn at_entry(&mut self, place: Place) -> Result<Meaning, Refusal> {
        match place {
            Place::Field { atom, slot, kind } => self.universe.read(self.circuit, (atom, slot), kind),
            Place::Held { object, slot, .. } => {
                let object = ObjId::from_index(object as usize);
                let value = match self.statics.heap.length(object) {
                    Some(_) => self.statics.heap.element(object, slot as i32),
                    None => Some(self.statics.heap.field(object, slot as usize)),
                };
                let meaning = value.and_then(|value| self.meaning_of(value));
                meaning.ok_or_else(|| self.unsupported("what an object of a static field holds"))
            }
            Place::Static { class, slot, kind } => self.static_at_entry(class, slot, kind),
        }
    }

    /// Changes such a variable where a condition is true.
    pub fn change(&mut self, way: &mut Way, place: Place, when: Lit, value: &Meaning) -> Result<(), Refusal> {
        let before = self.current(way, place)?;
        let after = choose(self.circuit, when, value, &before);
        Rc::make_mut(&mut way.heap.written).insert(place, after);
        Ok(())
    }

    /// Writes to a place of each object that the code made itself.
    pub fn write(
        &mut self,
        way: &mut Way,
        refs: &Refs,
        place: impl Fn(&mut Body) -> Option<usize>,
        value: &Meaning,
    ) -> Result<(), Refusal> {
        for (target, when) in refs.iter() {
            let Target::Made(number) = target else { return Err(self.unsupported("a write to the input")) };
            let Some(made) = way.heap.get(*number) else { return Err(self.unsupported("an object that is not there")) };
            let mut made = (**made).clone();
            let at = place(&mut made.body);
            let (Some(at), Body::Fields(places) | Body::Elements(places)) = (at, &mut made.body) else {
                return Err(self.unsupported("a write to an object of the library"));
            };
            places[at] = choose(self.circuit, *when, value, &places[at]);
            way.heap.set(*number, made);
        }
        Ok(())
    }

    pub fn meaning_of(&self, value: Value) -> Option<Meaning> {
        match value {
            Value::Int(value) => Some(Meaning::Word(self.circuit.word_constant(32, value as i64))),
            Value::Long(value) => Some(Meaning::Word(self.circuit.word_constant(64, value))),
            Value::Ref(None) => Some(Meaning::null()),
            // An input is known by another name.
            Value::Ref(Some(object)) if self.universe.tells_classes && self.statics.symbols.input(object).is_none() => {
                Some(Meaning::one(Target::Held(object.index() as u32)))
            }
            _ => None,
        }
    }

    /// A static field of a class that is initialised.
    fn static_place(&mut self, code: &'static Code, site: u32) -> Result<Place, Refusal> {
        let site = &code.fields[site as usize];
        let field = self.program.resolve_field(site, true).map_err(|error| self.unsupported(&error.to_string()))?;
        if !self.is_initialised(field.class) && self.whole.is_some() {
            return Err(Refusal::Late(field.class.id.index() as u32));
        }
        let is_final =
            field.class.field(site.name).is_some_and(|field| field.access & crate::program::access::FINAL != 0);
        let is_kept = is_final || self.whole.is_some() && field.class.is_users();
        if !is_kept || !self.is_initialised(field.class) {
            return Err(self.unsupported(&format!("the static field {}", site.name)));
        }
        Ok(Place::Static { class: field.class.id.index() as u32, slot: field.slot, kind: field.kind })
    }

    /// What a static field held at entry: what the initialiser of its class gave it, or anything.
    fn static_at_entry(&mut self, class: u32, slot: u32, kind: Kind) -> Result<Meaning, Refusal> {
        let owner = self.program.class_at(class as usize);
        let mirror = self.statics.classes.slot(owner.id).mirror;
        let value = mirror.map_or(Value::Unread, |mirror| self.statics.heap.field(mirror, slot as usize));
        let name = || {
            let field = owner.fields.iter().find(|field| field.is_static() && self.program.slot_of(field) == slot);
            format!("the static field {}", field.map_or("?", |field| field.name))
        };
        match (value, self.universe.statics.get(&(class, slot))) {
            (Value::Unread, Some(known)) => Ok(known.clone()),
            (Value::Unread, None) if kind != Kind::Reference && self.whole.is_some() => {
                self.universe.read_static(self.circuit, (class, slot), kind)
            }
            (Value::Unread, None) => Err(self.unsupported(&name())),
            (known, _) => self.meaning_of(known).ok_or_else(|| self.unsupported(&name())),
        }
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
            Target::Mirror(_) => {
                self.program.load("java/lang/Class").map_err(|error| self.unsupported(&error.to_string()))
            }
            Target::Null => Err(self.unsupported("the class of null")),
            Target::Other => Err(self.unsupported("an object of which nothing is known")),
        }
    }

    // Calls.

    /// Calls what the site at an instruction names; the ways on from there are among the exits.
    fn invoke(
        &mut self,
        code: &'static Code,
        (site, pc): (u32, u32),
        way: &mut Way,
        dispatch: Dispatch,
        out: &mut Vec<Next>,
    ) -> Result<(), Refusal> {
        let site: &CallSite = &code.calls[site as usize];
        let method = self.program.resolve_call(site).map_err(|error| self.unsupported(&error.to_string()))?;
        let Some(first) = way.registers.len().checked_sub(site.arguments as usize) else {
            return Err(self.unsupported("an empty stack"));
        };
        let mut arguments = way.registers.split_off(first);
        let is_last = is_last(code, pc);
        let groups = if dispatch == Dispatch::Static {
            vec![(Callee::Method(method), Vec::new())]
        } else {
            let Meaning::Ref(receiver) = arguments[0].clone() else {
                return Err(self.unsupported("a call on a number"));
            };
            let receiver = self.object(way, receiver)?;
            if way.guard == Lit::FALSE {
                return Ok(());
            }
            self.callees(way, &receiver, method, dispatch)?
        };
        let is_only = groups.len() == 1;
        for (callee, targets) in groups {
            let mut one = way.clone();
            if !is_only {
                let when = self.circuit.any(targets.iter().map(|(_, when)| *when));
                one.guard = self.circuit.and(way.guard, when);
            }
            if !targets.is_empty() {
                arguments[0] = Meaning::Ref(targets.into());
            }
            let called = self.call_one(&mut one, callee, method, (&arguments, is_last), out);
            let Some(Some(value)) = self.unless_left_out(&one, called)? else { continue };
            if one.guard == Lit::FALSE {
                continue;
            }
            if method.result != Kind::Void {
                one.push(value);
            }
            out.push(Next::Jump(one, pc + 1));
        }
        Ok(())
    }

    /// What a call returns. None if it goes on elsewhere, or nowhere.
    fn call_one(
        &mut self,
        way: &mut Way,
        callee: Callee,
        named: &'static Method,
        (arguments, is_last): (&[Meaning], bool),
        out: &mut Vec<Next>,
    ) -> Result<Option<Meaning>, Refusal> {
        let arguments = arguments.to_vec();
        Ok(Some(match callee {
            Callee::Nothing => Meaning::Nothing,
            Callee::Unknown => {
                let what =
                    format!("a call of {} on an object of a class that is not on the class path", named.full_name());
                return Err(self.unsupported(&what));
            }
            Callee::Method(method) if self.whole.is_some() => return self.call_whole(way, method, arguments),
            Callee::Model(number) => self.call_model(way, number, named, &arguments[1..])?,
            Callee::Method(method) if self.recursion.is_apart(self.program, method) => {
                if is_last && !self.by_object && !is_covered(way) {
                    out.push(Next::Become(way.clone(), method, arguments));
                    return Ok(None);
                }
                self.promise(way, method, arguments)?
            }
            Callee::Method(method) if self.must_wait(way, method, &arguments) => {
                self.promise_at_last(way, method, arguments)?
            }
            Callee::Method(method) => self.call(way, method, arguments)?,
        }))
    }

    /// The receivers of a call by what they do.
    #[allow(clippy::type_complexity)]
    fn callees(
        &mut self,
        way: &Way,
        receiver: &Refs,
        method: &'static Method,
        dispatch: Dispatch,
    ) -> Result<Vec<(Callee, Vec<(Target, Lit)>)>, Refusal> {
        let mut groups: Vec<(Callee, Vec<(Target, Lit)>)> = Vec::new();
        for (target, when) in receiver.iter() {
            let callees = match target {
                Target::Made(number) if self.is_model(way, *number) => vec![(Callee::Model(*number), Lit::TRUE)],
                // Of Object, or of what is about to be thrown.
                _ if method.name == "<init>" && self.makes_nothing(method.class()) => {
                    vec![(Callee::Nothing, Lit::TRUE)]
                }
                _ if dispatch == Dispatch::Exact => vec![(Callee::Method(method), Lit::TRUE)],
                _ => {
                    let found = self.implementations(way, *target, method)?;
                    found
                        .into_iter()
                        .map(|(method, when)| (method.map_or(Callee::Unknown, Callee::Method), when))
                        .collect()
                }
            };
            for (callee, which) in callees {
                let when = self.circuit.and(*when, which);
                match groups.iter_mut().find(|(other, _)| other.is_same(&callee)) {
                    _ if when == Lit::FALSE => {}
                    Some((_, targets)) => targets.push((*target, when)),
                    None => groups.push((callee, vec![(*target, when)])),
                }
            }
        }
        Ok(groups)
    }

    /// An object as it is before its constructor runs.
    pub fn new_object(&mut self, class: &'static Class) -> Result<Body, Refusal> {
        if class.is_users() || self.whole.is_some() {
            let fields = class.defaults.iter().map(|value| self.meaning_of(*value)).collect::<Option<_>>();
            if let Some(fields) = fields {
                return Ok(Body::Fields(fields));
            }
        } else if class.is_subtype_of(self.program.known().throwable) {
            // What is thrown counts as false, whatever it is.
            return Ok(Body::Fields(Vec::new()));
        }
        Err(self.unsupported(&format!("an object of {}", class.java_name())))
    }

    /// Has the constructor of a class no effect that anybody could see?
    fn makes_nothing(&self, class: &'static Class) -> bool {
        let known = self.program.known();
        match self.whole {
            Some(_) => class.id == known.object.id || class.is_subtype_of(known.throwable) && !class.is_users(),
            None => !class.is_users(),
        }
    }

    fn is_model(&self, way: &Way, number: u32) -> bool {
        way.heap.get(number).is_some_and(|made| matches!(made.body, Body::Set(_) | Body::Events(_) | Body::List(_)))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Dispatch {
    Static,
    Exact,
    ByClass,
}

enum Callee {
    Nothing,
    /// Nobody knows.
    Unknown,
    Method(&'static Method),
    Model(u32),
}

impl Callee {
    fn is_same(&self, other: &Callee) -> bool {
        match (self, other) {
            (Callee::Method(one), Callee::Method(other)) => one.id == other.id,
            (Callee::Model(one), Callee::Model(other)) => one == other,
            (Callee::Nothing, Callee::Nothing) | (Callee::Unknown, Callee::Unknown) => true,
            _ => false,
        }
    }
}

/// Is what the instruction gives returned as it is?
fn is_last(code: &Code, pc: u32) -> bool {
    let mut next = pc + 1;
    loop {
        match code.ops.get(next as usize).map(|op| op.first()) {
            Some(Op::Goto(target)) if target > next => next = target,
            Some(Op::ReturnValue | Op::Return) => return true,
            _ => return false,
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
