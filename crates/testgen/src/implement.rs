//! How does a test implement code that is not there?
//!
//! Each object whose class is not there gets a class of the test, which implements the types that the object must have. What its methods do stands in
//! the plan, call by call ([`PlannedCall`]): they return what they returned on the path, or throw, and write the fields that a program can name.

use lazuli_explore::{CallHistory, CaseRefill, CaseRefusal, CaseValue, CaseWrite};
use lazuli_reach::plan::{PlannedCall, PlannedRefill, PlannedRefusal, PlannedValue, PlannedWrite};
use lazuli_vm::program::{Class, Method, Possible, access, descriptor};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::unknown_code::CallRole;
use lazuli_vm::value::Kind;

use crate::input::InputBuilder;
use crate::{NoPlan, Operand, PlanReference};

impl InputBuilder<'_> {
    /// The open class of an object, if a test can have a class that implements its types.
    pub(crate) fn implementable(&self, class: &'static Class) -> Result<&'static Class, NoPlan> {
        let possible = class.possible().ok_or_else(|| NoPlan::NoConstructor { class: class.java_name() })?;
        let package = self.options.package;
        let is_named = |class: &&'static Class| class.source_name(package).is_some();
        let is_extensible = match possible.bound.is_interface() {
            true => true,
            // A constructor of the user's may set fields as no path has seen.
            false if possible.bound.is_users() => {
                let constructor = possible.bound.own_method("<init>", "()V");
                let can_call = |constructor: &'static Method| self.vm.program.can_call(constructor, package);
                class.defaults.is_empty() && constructor.is_some_and(can_call)
            }
            false => has_plain_constructor(possible.bound),
        };
        let all = [possible.bound].into_iter().chain(possible.also.iter().copied());
        let interfaces = possible.also.iter().all(|class| class.is_interface());
        let methods = methods_to_implement(possible);
        let can_write = |method: &&'static Method| {
            let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
            let names = parameters.into_iter().chain([result]).filter(|name| *name != "V");
            names.into_iter().all(|name| {
                let loaded = self.vm.program.load_descriptor(name);
                loaded.is_ok_and(|class| class.source_name(package).is_some())
            }) && (method.access & access::PUBLIC != 0 || method.class().package() == package)
        };
        match is_extensible && interfaces && all.clone().all(|class| is_named(&class)) && methods.iter().all(can_write)
        {
            true => Ok(class),
            false => Err(NoPlan::NoConstructor { class: possible.bound.java_name() }),
        }
    }

    /// Plans what code does that is not there. The objects that it gives are made.
    pub(crate) fn plan_calls(&mut self, history: &CallHistory) -> Result<(), NoPlan> {
        let case = self.case;
        let mut found = Vec::new();
        for call in &case.unknown_calls {
            let receiver = match call.receiver {
                Some(cell) => match self.given(history, Datum::Object(cell), Kind::Reference)? {
                    Operand::Made(step) => Some(step),
                    _ if call.role != CallRole::Program => None,
                    _ => return Err(NoPlan::NotMade(PlanReference::Argument)),
                },
                None => None,
            };
            let end = match call.end {
                Ok(value) => Ok(self.planned(history, value, call.method.result, call.receiver)?),
                Err(class) if has_plain_constructor(class) => Err(class),
                Err(class) => return Err(NoPlan::NoConstructor { class: class.java_name() }),
            };
            let mut writes = Vec::new();
            for CaseWrite { object, class, slot, value } in &call.writes {
                let declared = class.declaration_at(*slot).filter(|_| !class.is_array());
                let is_direct = declared.is_none_or(|(owner, field)| self.is_direct(class, owner, field));
                if let Some((owner, field)) = declared.filter(|(owner, _)| !is_direct && !owner.is_users()) {
                    return Err(NoPlan::LibraryField { class: owner.java_name(), field: field.name.to_string() });
                }
                let kind = declared.map_or(class.component_kind().unwrap_or(Kind::Reference), |(_, field)| field.kind);
                let object = self.planned(history, *object, Kind::Reference, call.receiver)?;
                let value = self.planned(history, *value, kind, call.receiver)?;
                writes.push(PlannedWrite { object, class, slot: *slot, value, is_direct });
            }
            let mut refills = Vec::new();
            for CaseRefill { object, is_map, values } in &call.refills {
                let object = self.planned(history, *object, Kind::Reference, call.receiver)?;
                let mut elements = Vec::new();
                for value in values {
                    elements.push(self.planned(history, *value, Kind::Reference, call.receiver)?);
                }
                refills.push(PlannedRefill { object, is_map: *is_map, values: elements });
            }
            let mut makes = Vec::new();
            for made in &call.makes {
                makes.push(self.given(history, *made, Kind::Reference)?);
            }
            found.push(PlannedCall { receiver, method: call.method, end, writes, refills, makes, role: call.role });
        }
        self.calls = found;
        if let Some(CaseRefusal { receiver, method, told }) = &case.refused
            && let Operand::Made(receiver) = self.given(history, Datum::Object(*receiver), Kind::Reference)?
        {
            self.refused = Some(PlannedRefusal { receiver, method, told: told.clone() });
        }
        Ok(())
    }

    /// A value that a call on the object of this cell gives or writes.
    fn planned(
        &mut self,
        history: &CallHistory,
        value: CaseValue,
        kind: Kind,
        receiver: Option<usize>,
    ) -> Result<PlannedValue, NoPlan> {
        Ok(match value {
            // Each class of the test keeps the arguments of its own calls.
            CaseValue::Handed { call, .. } if self.case.unknown_calls[call].receiver != receiver => {
                return Err(NoPlan::NotMade(PlanReference::StepResult));
            }
            CaseValue::Handed { call, argument } => PlannedValue::Handed { call, argument },
            CaseValue::Known(Datum::Object(cell)) => {
                self.make_whole(cell)?;
                PlannedValue::Operand(self.given(history, Datum::Object(cell), kind)?)
            }
            CaseValue::Known(datum) => PlannedValue::Operand(self.given(history, datum, kind)?),
        })
    }
}

/// Has the class a constructor without parameters that a test may call?
fn has_plain_constructor(class: &'static Class) -> bool {
    let constructor = class.own_method("<init>", "()V");
    constructor.is_some_and(|constructor| constructor.access & (access::PUBLIC | access::PROTECTED) != 0)
}

/// The methods that a class must have which implements these types: those without code, each once.
pub(crate) fn methods_to_implement(possible: &Possible) -> Vec<&'static Method> {
    let mut types: Vec<&'static Class> = Vec::new();
    let mut waiting: Vec<&'static Class> = possible.also.iter().rev().copied().chain([possible.bound]).collect();
    while let Some(class) = waiting.pop() {
        if types.iter().any(|known| known.id == class.id) {
            continue;
        }
        types.push(class);
        waiting.extend(class.interfaces.iter().rev().copied());
        waiting.extend(class.super_class.filter(|_| !class.is_interface()));
    }
    let is_same = |one: &Method, other: &Method| one.name == other.name && one.descriptor == other.descriptor;
    let all = || types.iter().flat_map(|class| class.methods.iter().copied());
    let of_object = |method: &Method| {
        matches!(
            (method.name, method.descriptor),
            ("equals", "(Ljava/lang/Object;)Z") | ("hashCode", "()I") | ("toString", "()Ljava/lang/String;")
        )
    };
    let has_code = |method: &Method| all().any(|other| is_same(method, other) && !other.is_abstract());
    let mut found: Vec<&'static Method> = Vec::new();
    for method in all().filter(|method| method.is_abstract() && !of_object(method) && !has_code(method)) {
        if !found.iter().any(|known| is_same(known, method)) {
            found.push(method);
        }
    }
    found
}
