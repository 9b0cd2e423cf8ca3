//! What does each instruction do to the kinds of the registers? (JVMS §4.10.1.9)

use super::types::{Signature, VerificationType};
use super::{Check, FELL_OFF, NO_SITE, Next, SubroutineCall, Verifier};
use crate::program::code::{Op, OtherConstant, Piece};
use crate::program::effect::{Effect, OperandKind, Shuffle};
use crate::value::Value;

const EMPTY: &str = "the operand stack is empty";
const WRONG_KIND: &str = "an operand of the wrong kind";
const UNKNOWN: &str = "an instruction that no class file contains";
const WORDS: &str = "half of a long or double is moved on its own";

/// A body with more activations of subroutines is refused.
const MOST_ACTIVATIONS: usize = 1000;

impl Verifier<'_, '_> {
    fn push(&mut self, pushed: VerificationType) -> Check {
        let slot = self.registers.get_mut(self.code.locals as usize + self.height);
        *slot.ok_or("the operand stack is higher than the method declares")? = pushed;
        self.height += 1;
        Ok(())
    }

    fn pop(&mut self) -> Check<VerificationType> {
        self.height = self.height.checked_sub(1).ok_or(EMPTY)?;
        Ok(self.registers[self.code.locals as usize + self.height])
    }

    fn take(&mut self, wanted: VerificationType) -> Check {
        let found = self.pop()?;
        if self.classes.fits(found, wanted) { Ok(()) } else { Err(WRONG_KIND) }
    }

    fn take_reference(&mut self) -> Check<VerificationType> {
        let found = self.pop()?;
        if found.is_reference() { Ok(found) } else { Err("an operand is no reference") }
    }

    /// Takes a value of one word.
    fn take_word(&mut self) -> Check<VerificationType> {
        let found = self.pop()?;
        if found.is_wide() { Err(WORDS) } else { Ok(found) }
    }

    fn local(&self, index: u16) -> Check<VerificationType> {
        let locals = &self.registers[..self.code.locals as usize];
        locals.get(index as usize).copied().ok_or("there is no such local variable")
    }

    /// Takes the operands of an operation and pushes its result.
    fn compute(&mut self, operands: &[VerificationType], result: VerificationType) -> Check<Next> {
        for operand in operands.iter().rev() {
            self.take(*operand)?;
        }
        self.push(result)?;
        Ok(Next::Follows)
    }

    fn push_object_of(&mut self, class: &'static str) -> Check<Next> {
        let object = self.classes.of_class(class).ok_or(NO_SITE)?;
        self.compute(&[], object)
    }

    /// Does what the table of effects says: takes the operands, pushes a result that is a number, and brings the rest to the targets.
    fn follow_table(&mut self, op: Op) -> Check<Next> {
        let Effect::Computes(operands, result) = op.effect() else { return Err(UNKNOWN) };
        for operand in operands.iter().rev() {
            match operand {
                OperandKind::Reference => drop(self.take_reference()?),
                operand => self.take(type_of(*operand).ok_or(UNKNOWN)?)?,
            }
        }
        if let Some(result) = result {
            self.push(type_of(result).ok_or(UNKNOWN)?)?;
        }
        let code = self.code;
        code.targets(op).ok_or(NO_SITE)?.try_for_each(|target| self.reach(target, self.activation, None))?;
        Ok(if op.falls_through() { Next::Follows } else { Next::Ends })
    }

    /// Takes the arguments of a call, of which the first may be a receiver, and pushes its result.
    fn call(&mut self, descriptor: &'static str, arguments: usize, receiver: Option<VerificationType>) -> Check<Next> {
        let broken = "a call with a broken descriptor";
        let first = self.height.checked_sub(arguments).ok_or(EMPTY)?;
        let operands = self.code.locals as usize + first..self.code.locals as usize + self.height;
        let mut operands = self.registers[operands].iter();
        if let Some(receiver) = receiver {
            let found = operands.next().ok_or(broken)?;
            if !self.classes.fits(*found, receiver) {
                return Err("a method is called on an object of another class");
            }
        }
        let mut signature = Signature::new(descriptor).ok_or(broken)?;
        while let Some(wanted) = signature.parameter(self.classes) {
            let found = operands.next().ok_or(broken)?;
            if !self.classes.fits(*found, wanted) {
                return Err("an argument of the wrong kind");
            }
        }
        let is_complete = operands.next().is_none();
        let result = signature.result(self.classes).filter(|_| is_complete).ok_or(broken)?;
        self.height = first;
        if let Some(result) = result {
            self.push(result)?;
        }
        Ok(Next::Follows)
    }

    /// The type of a field by index of its site.
    fn field(&mut self, site: u32) -> Check<VerificationType> {
        let site = self.code.fields.get(site as usize).ok_or(NO_SITE)?;
        self.classes.of_descriptor(site.descriptor).ok_or("a field with a broken descriptor")
    }

    /// Takes an object that has the field.
    fn take_owner(&mut self, site: u32) -> Check {
        let site = self.code.fields.get(site as usize).ok_or(NO_SITE)?;
        let owner = self.classes.of_class(site.class).ok_or("a field of a class with a broken name")?;
        match self.pop()? {
            VerificationType::Array(..) => Err("a field of an array"),
            found if self.classes.fits(found, owner) => Ok(()),
            _ => Err("a field of an object of another class"),
        }
    }

    /// The type of the objects of a class by index of its site.
    fn class(&mut self, site: u32) -> Check<VerificationType> {
        let site = self.code.classes.get(site as usize).ok_or(NO_SITE)?;
        self.classes.of_class(site.name).ok_or("an array class with a broken name")
    }

    /// Drops, copies or exchanges operands.
    fn shuffle(&mut self, shuffle: Shuffle) -> Check<Next> {
        match shuffle {
            Shuffle::Drop(words) => drop(self.take_words(words)?),
            Shuffle::Copy { words, under } => {
                let copies = self.take_words(words)?;
                let others = self.take_words(under)?;
                for value in copies.iter().chain(&others).chain(&copies).flatten() {
                    self.push(*value)?;
                }
            }
            Shuffle::Swap => {
                let (top, below) = (self.take_word()?, self.take_word()?);
                self.push(top)?;
                self.push(below)?;
            }
        }
        Ok(Next::Follows)
    }

    /// Takes values of that many words together, lowest first.
    fn take_words(&mut self, words: usize) -> Check<[Option<VerificationType>; 2]> {
        Ok(match words {
            0 => [None, None],
            1 => [None, Some(self.take_word()?)],
            _ => {
                let top = self.pop()?;
                if top.is_wide() { [None, Some(top)] } else { [Some(self.take_word()?), Some(top)] }
            }
        })
    }

    /// Enters a subroutine. One that is entered again without having gone back was left by a jump: its activation is over.
    fn activate(&mut self, subroutine: u32) -> Check<u16> {
        let back_to = self.at as u32 + 1;
        let mut caller = self.activation;
        let mut above = self.activation;
        while above != 0 {
            let activation = &self.activations[above as usize];
            if activation.subroutine == subroutine {
                caller = activation.caller;
            }
            above = activation.caller;
        }
        let is_same =
            |known: &SubroutineCall| (known.subroutine, known.back_to, known.caller) == (subroutine, back_to, caller);
        if let Some(index) = self.activations.iter().skip(1).position(is_same) {
            return Ok(index as u16 + 1);
        }
        if self.activations.len() >= MOST_ACTIVATIONS {
            return Err("subroutines are nested too deeply");
        }
        self.activations.push(SubroutineCall { subroutine, back_to, caller });
        Ok(self.activations.len() as u16 - 1)
    }

    /// The effect of one instruction.
    pub(super) fn step(&mut self, op: Op, handlers_know: &mut bool) -> Check<Next> {
        use VerificationType::{Double, Float, Int, Long, Null};
        if op.first() != op {
            // Sequences are put together after verification.
            return Err(UNKNOWN);
        }
        if let Some(shuffle) = op.shuffle() {
            return self.shuffle(shuffle);
        }
        match op {
            // These cases know more about the types than the table of effects. Each pops what the rule of the instruction expects,
            // in the order from the top of the stack, and pushes its result. `Next::Ends` cuts off code that cannot be reached.
            Op::Null => self.compute(&[], Null),
            Op::Constant(index) => {
                let constant = match self.code.constants.get(index as usize).ok_or(NO_SITE)? {
                    Value::Int(_) => Int,
                    Value::Long(_) => Long,
                    Value::Float(_) => Float,
                    Value::Double(_) => Double,
                    Value::Ref(None) => Null,
                    _ => return Err("a constant that is none"),
                };
                self.compute(&[], constant)
            }
            Op::String(_) => self.push_object_of("java/lang/String"),
            Op::ClassConstant(site) => {
                self.class(site)?;
                self.push_object_of("java/lang/Class")
            }
            Op::OtherConstant(index) => match self.code.others.get(index as usize).ok_or(NO_SITE)?.0 {
                OtherConstant::MethodHandle { .. } => self.push_object_of("java/lang/invoke/MethodHandle"),
                OtherConstant::MethodType(_) => self.push_object_of("java/lang/invoke/MethodType"),
                // The interpreter ends the path there, so nothing follows.
                OtherConstant::Dynamic(_) => Ok(Next::Ends),
            },
            Op::Load(index) => match self.local(index)? {
                VerificationType::Unusable => Err("a local variable is read that has no value on some way"),
                found => self.compute(&[], found),
            },
            Op::Store(index) => {
                let stored = self.pop()?;
                // Handlers were told the old type of the local variable.
                if self.local(index)? != stored {
                    self.registers[index as usize] = stored;
                    *handlers_know = false;
                }
                Ok(Next::Follows)
            }
            Op::Iinc(index, _) if self.local(index)? == Int => Ok(Next::Follows),
            Op::Iinc(..) => Err("a local variable is incremented that is no int"),
            Op::ArrayLoad => {
                self.take(Int)?;
                match self.take_reference()? {
                    // Always a NullPointerException: nothing follows.
                    Null => Ok(Next::Ends),
                    array => self.compute(&[], array.element().ok_or("an element of something that is no array")?),
                }
            }
            Op::ArrayStore => {
                let stored = self.pop()?;
                self.take(Int)?;
                match self.take_reference()? {
                    Null => Ok(Next::Ends),
                    array => match array.element() {
                        None => Err("an element of something that is no array"),
                        // Which references an array accepts is checked when it happens.
                        Some(element) if stored == element || stored.is_reference() && element.is_reference() => {
                            Ok(Next::Follows)
                        }
                        Some(_) => Err(WRONG_KIND),
                    },
                }
            }
            Op::Jsr(target) => {
                let activation = self.activate(target)?;
                self.push(VerificationType::Return(activation))?;
                self.reach(target, activation, None)?;
                Ok(Next::Ends)
            }
            Op::Ret(index) => {
                let VerificationType::Return(activation) = self.local(index)? else {
                    return Err("a subroutine goes back to something that is no return address");
                };
                let SubroutineCall { back_to, caller, .. } = self.activations[activation as usize];
                if back_to as usize >= self.code.ops.len() {
                    return Err(FELL_OFF);
                }
                self.reach(back_to, caller, None)?;
                Ok(Next::Ends)
            }
            Op::ReturnValue => {
                let result = self.result.ok_or("a value is returned from a void method")?;
                self.take(result)?;
                Ok(Next::Ends)
            }
            Op::Return if self.result.is_none() => Ok(Next::Ends),
            Op::Return => Err("a method that has a result returns without one"),
            Op::GetStatic(site) => {
                let field = self.field(site)?;
                self.compute(&[], field)
            }
            Op::PutStatic(site) => {
                let field = self.field(site)?;
                self.take(field)?;
                Ok(Next::Follows)
            }
            Op::GetField(site) => {
                let field = self.field(site)?;
                self.take_owner(site)?;
                self.compute(&[], field)
            }
            Op::PutField(site) => {
                let field = self.field(site)?;
                self.take(field)?;
                self.take_owner(site)?;
                Ok(Next::Follows)
            }
            Op::InvokeVirtual(site) | Op::InvokeSpecial(site) | Op::InvokeInterface(site) => {
                let call = self.code.calls.get(site as usize).ok_or(NO_SITE)?;
                let receiver = self.classes.of_class(call.class).ok_or("a call of a class with a broken name")?;
                self.call(call.descriptor, call.arguments as usize, Some(receiver))
            }
            Op::InvokeStatic(site) => {
                let call = self.code.calls.get(site as usize).ok_or(NO_SITE)?;
                self.call(call.descriptor, call.arguments as usize, None)
            }
            Op::InvokeDynamic(site) => {
                let site = self.code.dynamics.get(site as usize).ok_or(NO_SITE)?;
                let mut signature = Signature::new(site.descriptor).ok_or(NO_SITE)?;
                let arguments = std::iter::from_fn(|| signature.parameter(self.classes)).count();
                self.call(site.descriptor, arguments, None)
            }
            Op::New(site) => {
                let class = self.class(site)?;
                self.compute(&[], class)
            }
            Op::NewArray(site) => match self.class(site)? {
                array @ VerificationType::Array(..) => self.compute(&[Int], array),
                _ => Err("an array of a class that is no array class"),
            },
            Op::MultiNewArray(site, dimensions) => match self.class(site)? {
                array @ VerificationType::Array(depth, ..) if dimensions > 0 && dimensions <= depth => {
                    (0..dimensions).try_for_each(|_| self.take(Int))?;
                    self.compute(&[], array)
                }
                _ => Err("an array of more dimensions than its class has"),
            },
            Op::ArrayLength => match self.take_reference()? {
                Null | VerificationType::Array(..) => self.compute(&[], Int),
                _ => Err("the length of something that is no array"),
            },
            Op::Throw => {
                let throwable = self.classes.of_class("java/lang/Throwable").ok_or(NO_SITE)?;
                self.take(throwable)?;
                Ok(Next::Ends)
            }
            Op::CheckCast(site) => {
                let class = self.class(site)?;
                self.compute(&[VerificationType::OBJECT], class)
            }
            Op::InstanceOf(site) => {
                self.class(site)?;
                self.follow_table(op)
            }
            Op::Concat(recipe) => {
                let pieces = self.code.recipes.get(recipe as usize).ok_or(NO_SITE)?;
                for piece in pieces.iter().rev() {
                    if let Piece::Argument(kind) = piece {
                        self.take(VerificationType::of_piece(*kind))?;
                    }
                }
                self.push_object_of("java/lang/String")
            }
            _ => self.follow_table(op),
        }
    }
}

/// The type of an operand that the table of effects decides.
fn type_of(operand: OperandKind) -> Option<VerificationType> {
    Some(match operand {
        OperandKind::Int => VerificationType::Int,
        OperandKind::Long => VerificationType::Long,
        OperandKind::Float => VerificationType::Float,
        OperandKind::Double => VerificationType::Double,
        OperandKind::Reference => VerificationType::OBJECT,
        OperandKind::Any => return None,
    })
}
