//! What may a method change? An `assignable` clause as code: every place that was there before and holds something else must be listed.

use lazuli_jml::{Assignable, Expr, ExprKind, StoreRefKind, StoreRefs};
use lazuli_vm::program::{Class, Code, Field, Op};

use super::emit::{Emitter, Layout};
use super::names::find_field;
use super::past::PreStateValue;
use super::resolve::{Resolved, Resolver, ResolverTables};
use super::typed::*;

/// Places that may change.
#[derive(Clone, Debug)]
pub struct Allowed {
    /// The object, or the array, as it was before the method; of a static field, the mirror of its class.
    pub object: Typed,
    /// Which places of the object may change.
    pub places: Places,
}

/// The places of one object.
#[derive(Clone, Debug)]
pub enum Places {
    /// All fields, or all elements.
    All,
    /// A field, and the class that declares it.
    Field(&'static Class, &'static Field),
    /// From the one to the other, both included.
    Between(Typed, Typed),
}

impl Allowed {
    /// The expressions that say which places are allowed; they are evaluated before the method.
    pub fn expressions(&self) -> Vec<&Typed> {
        match &self.places {
            Places::All | Places::Field(..) => vec![&self.object],
            Places::Between(low, high) => vec![&self.object, low, high],
        }
    }
}

impl Resolver<'_, '_> {
    /// The places that a clause lists. None if everything may change.
    pub(super) fn allowed(&mut self, clause: &Assignable) -> Resolved<Option<Vec<Allowed>>> {
        let StoreRefs::Only(locations) = &clause.locations else { return Ok(None) };
        let mut allowed = Vec::new();
        for location in locations {
            allowed.push(match &location.kind {
                StoreRefKind::Place(place) => self.place(place)?,
                StoreRefKind::AllFields(object) => match self.class_named(object) {
                    Some(class) => {
                        let mirror =
                            Typed::new(Type::Reference(self.program().known().class), TypedNode::Mirror(class));
                        Allowed { object: mirror, places: Places::All }
                    }
                    None => Allowed { object: self.before(object)?, places: Places::All },
                },
                StoreRefKind::Elements { array, range } => {
                    let items = self.array(array)?;
                    let places = match range {
                        None => Places::All,
                        Some((low, high)) => Places::Between(self.index_before(low)?, self.index_before(high)?),
                    };
                    Allowed { object: items, places }
                }
            });
        }
        Ok(Some(allowed))
    }

    fn place(&mut self, place: &Expr) -> Resolved<Allowed> {
        if let ExprKind::Index(array, index) = &place.kind {
            let (object, position) = (self.array(array)?, self.index_before(index)?);
            return Ok(Allowed { object, places: Places::Between(position.clone(), position) });
        }
        if let ExprKind::Name(name) | ExprKind::Member(_, name) = &place.kind
            && self.names_model(place, name)?
        {
            return self.complain(place.span, "this is a model field; list the fields on which it depends instead");
        }
        // A field of what `this`, or another expression, refers to; or a static one.
        let found = self.expression(place)?;
        let (on, owner, field) = match (&found.node, &place.kind) {
            (TypedNode::Static(owner, field), _) => {
                let class = self.program().known().class;
                let object = Typed::new(Type::Reference(class), TypedNode::Mirror(owner));
                return Ok(Allowed { object, places: Places::Field(owner, field) });
            }
            (TypedNode::Field(_, owner, field), ExprKind::Member(on, _)) => (self.before(on)?, owner, field),
            (TypedNode::Field(on, owner, field), _) => ((**on).clone(), owner, field),
            (TypedNode::Variable(_), _) => {
                return self.complain(place.span, "a parameter is a copy, which nobody else can see: leave it out");
            }
            _ => return self.complain(place.span, "a field, an element, `x.*` or `a[*]` is expected here"),
        };
        Ok(Allowed { object: on, places: Places::Field(owner, field) })
    }

    /// Is the place a model field, which no method can assign?
    fn names_model(&mut self, place: &Expr, name: &str) -> Resolved<bool> {
        let class = match &place.kind {
            ExprKind::Member(on, _) if self.class_named(on).is_none() => match self.expression(on)?.of {
                Type::Reference(class) => class,
                _ => return Ok(false),
            },
            ExprKind::Member(..) => return Ok(false),
            _ => self.scope.context.class,
        };
        Ok(find_field(class, name).is_none() && self.shared.has_model(class, name))
    }

    /// An object as it was before the method.
    fn before(&mut self, object: &Expr) -> Resolved {
        let found = self.reference(object)?;
        match found.node {
            // The arguments of the target do not change.
            TypedNode::Variable(VariablePlace::Given(_)) => Ok(found),
            _ => self.remember(object, PreStateValue::Value),
        }
    }

    fn array(&mut self, array: &Expr) -> Resolved {
        let found = self.before(array)?;
        match found.of {
            Type::Reference(class) if class.is_array() => Ok(found),
            other => self.complain(array.span, format!("an array is expected here, and not {}", self.type_text(other))),
        }
    }

    fn index_before(&mut self, index: &Expr) -> Resolved {
        let found = self.index(index)?;
        match found.node {
            TypedNode::Int(_) | TypedNode::Variable(VariablePlace::Given(_)) => Ok(found),
            _ => self.remember(index, PreStateValue::Value),
        }
    }
}

impl ResolverTables<'_> {
    /// The code that looks at all places. `guard` says whether the clause applies at all.
    pub(super) fn frame_code(&mut self, guard: Option<&Typed>, allowed: &[Allowed], layout: Layout) -> Code {
        self.asks_entry = true;
        let natives = self.natives;
        let mut emitter = self.emitter(layout);
        let (number, place, object) = (emitter.new_local(), emitter.new_local(), emitter.new_local());
        let (next_object, next_place, allowed_here, kept) =
            (emitter.label(), emitter.label(), emitter.label(), emitter.label());
        let counted = emitter.label();
        if let Some(guard) = guard {
            emitter.branch(guard, false, kept);
        }
        // for (number = 0; number < objects(); number++)
        //     for (object = object(number), place = 0; place < places(number); place++)
        //         if (no location of the clause covers the place && changed(number, place)) return false;
        // return true;
        emitter.int(0);
        emitter.store(number);
        emitter.place(next_object);
        emitter.load(number);
        emitter.call(natives.objects);
        emitter.jump(Op::IfIcmpGe, kept);
        emitter.load(number);
        emitter.call(natives.object);
        emitter.store(object);
        emitter.int(0);
        emitter.store(place);
        emitter.place(next_place);
        emitter.load(place);
        emitter.load(number);
        emitter.call(natives.places);
        emitter.jump(Op::IfIcmpGe, counted);
        for location in allowed {
            let other = emitter.label();
            emitter.location(location, object, other, |emitter| {
                emitter.load(number);
                emitter.load(place);
                emitter.call(natives.index);
            });
            emitter.jump(Op::Goto, allowed_here);
            emitter.place(other);
        }
        emitter.load(number);
        emitter.load(place);
        emitter.call(natives.changed);
        emitter.jump(Op::IfEq, allowed_here);
        emitter.int(0);
        emitter.op(Op::ReturnValue);
        emitter.place(allowed_here);
        emitter.op(Op::Iinc(place as u16, 1));
        emitter.jump(Op::Goto, next_place);
        emitter.place(counted);
        emitter.op(Op::Iinc(number as u16, 1));
        emitter.jump(Op::Goto, next_object);
        emitter.place(kept);
        emitter.int(1);
        emitter.op(Op::ReturnValue);
        emitter.finish()
    }
}

impl Emitter<'_> {
    /// Goes on if the place is one of these, else to `other`. A location that there was not is no place.
    fn location(&mut self, allowed: &Allowed, object: usize, other: super::emit::JumpLabel, index: impl Fn(&mut Self)) {
        self.value_or(&allowed.object, other);
        self.load(object);
        self.jump(Op::IfAcmpNe, other);
        match &allowed.places {
            Places::All => {}
            Places::Field(_, field) => {
                index(self);
                self.int(self.program.slot_of(field) as i32);
                self.jump(Op::IfIcmpNe, other);
            }
            Places::Between(low, high) => {
                let position = self.new_local();
                index(self);
                self.store(position);
                self.value_or(low, other);
                self.load(position);
                self.jump(Op::IfIcmpGt, other);
                self.value_or(high, other);
                self.load(position);
                self.jump(Op::IfIcmpLt, other);
            }
        }
    }
}
