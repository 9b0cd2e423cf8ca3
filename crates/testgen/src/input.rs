//! How is an input built object by object: by constructors where these help, and by setting the fields that they leave?
//!
//! A constructor is chosen by execution: each candidate call is performed in a fork of the state, and the one after which the fewest
//! fields are left to set is taken, where a field that needs reflection counts as ten.

use lazuli_explore::{CallHistory, Case, StaticInput};
use lazuli_reach::plan::{Operand, Plan, PlannedCall, PlannedRefusal, Stage, Step};
use lazuli_vm::interp::Vm;
use lazuli_vm::library::{LibraryForm, LibraryRecipe};
use lazuli_vm::program::{Class, Field, Method, access, descriptor, parameter_names};
use lazuli_vm::snapshot::{Cell, Contents, Datum, reachable};
use lazuli_vm::value::{Kind, Value};

use crate::{NoPlan, PlanReference};

/// The means that a builder may use.
#[derive(Clone, Copy)]
pub(crate) struct BuildOptions<'a> {
    /// The package of the test, with slashes.
    pub package: &'a str,
    /// May constructors be called? If one of them does too much, objects come without.
    pub has_constructors: bool,
    /// May strings be literals? If the program looks at their identity, they may not.
    pub has_literals: bool,
}

/// Calls of constructors that are tried for one object.
const MOST_TRIALS: usize = 64;

/// Elements of an array that are listed where it is made. Of longer ones, those that matter are set one by one.
const MOST_LISTED: usize = 64;

/// The cost of a step for the reader.
const DIRECT: usize = 1;
const REFLECTIVE: usize = 10;

pub(crate) struct InputBuilder<'a> {
    pub(crate) vm: &'a mut Vm,
    pub(crate) case: &'a Case,
    pub(crate) options: BuildOptions<'a>,
    pub(crate) stage: Stage,
    pub(crate) steps: Vec<Step>,
    /// The operand by which each object of the case is used, once it is there.
    pub(crate) operands: Vec<Option<Operand>>,
    /// Objects that were made as parts of others, so that their fields are not set.
    pub(crate) finished: Vec<bool>,
    /// Objects of the library that have their elements.
    pub(crate) filled: Vec<bool>,
    /// The calls of code that is not there.
    pub(crate) calls: Vec<PlannedCall>,
    /// The call whose precondition is false.
    pub(crate) refused: Option<PlannedRefusal>,
}

impl<'a> InputBuilder<'a> {
    pub(crate) fn new(vm: &'a mut Vm, stage: Stage, case: &'a Case, options: BuildOptions<'a>) -> InputBuilder<'a> {
        let count = case.heap.len();
        InputBuilder {
            vm,
            case,
            options,
            stage,
            steps: Vec::new(),
            operands: vec![None; count],
            finished: vec![false; count],
            filled: vec![false; count],
            calls: Vec::new(),
            refused: None,
        }
    }

    /// Takes over steps that make an object and all that it refers to.
    pub(crate) fn take_over(&mut self, root: usize, steps: &[Step], parts: &[usize]) -> Result<(), NoPlan> {
        let first = self.steps.len();
        for step in steps {
            self.perform(shifted(step, first))?;
        }
        self.operands[root] = Some(Operand::Made(first + root_of(steps)));
        parts.iter().chain([&root]).for_each(|part| self.finished[*part] = true);
        Ok(())
    }

    /// Makes what is not there yet. The error names an object or a field that cannot be made.
    pub(crate) fn finish(mut self) -> Result<(Plan, Stage), NoPlan> {
        let case = self.case;
        for datum in case.arguments.iter().chain(case.statics.iter().map(|input| &input.value)) {
            if let Datum::Object(root) = datum {
                self.make_from(*root)?;
            }
        }
        for cell in 0..case.heap.len() {
            if !self.finished[cell] {
                self.complete(cell)?;
            }
        }
        for input in &case.statics {
            self.set_static(input)?;
        }
        self.choose(&CallHistory::default())?;
        self.plan_calls(&CallHistory::default())?;
        let kinds = case.arguments.iter().map(|datum| self.operand(*datum, Kind::Reference));
        let arguments = kinds.collect::<Option<Vec<Operand>>>().ok_or(NoPlan::NotMade(PlanReference::Argument))?;
        Ok(self.plan(arguments))
    }

    /// The steps so far, before a call with these arguments.
    pub(crate) fn plan(self, arguments: Vec<Operand>) -> (Plan, Stage) {
        (Plan { steps: self.steps, arguments, calls: self.calls, refused: self.refused }.without_unused(), self.stage)
    }

    /// Has a static field hold its value, which is made if it is not there yet.
    pub(crate) fn set_static(&mut self, input: &StaticInput) -> Result<(), NoPlan> {
        if let Datum::Object(cell) = input.value {
            self.make_whole(cell)?;
        }
        let kind = input.field.kind;
        let value = self.operand(input.value, kind).ok_or(NoPlan::NotMade(PlanReference::StaticField))?;
        let is_final = input.field.access & access::FINAL != 0;
        let is_direct = !is_final && self.vm.program.can_use_field(input.owner, input.field, self.options.package);
        if !is_direct && !input.owner.is_users() {
            return Err(NoPlan::StaticOutOfReach {
                class: input.owner.java_name(),
                field: input.field.name.to_string(),
            });
        }
        self.perform(Step::SetStatic { owner: input.owner, field: input.field, value, is_direct }).map(drop)
    }

    /// Makes an object and all that it refers to, unless it is there.
    pub(crate) fn make_whole(&mut self, root: usize) -> Result<(), NoPlan> {
        self.make_from(root)?;
        for cell in reachable(&self.case.heap, &[root]) {
            if self.operands[cell].is_some() && !std::mem::replace(&mut self.finished[cell], true) {
                self.complete(cell)?;
            }
        }
        Ok(())
    }

    pub(crate) fn perform(&mut self, step: Step) -> Result<usize, NoPlan> {
        self.stage.perform(self.vm, &step).map_err(NoPlan::Step)?;
        self.steps.push(step);
        Ok(self.steps.len() - 1)
    }

    /// Makes an object after those that it refers to, but for those that refer back to it.
    fn make_from(&mut self, root: usize) -> Result<(), NoPlan> {
        let mut visited = vec![false; self.case.heap.len()];
        let mut waiting = vec![(root, false)];
        while let Some((cell, is_ready)) = waiting.pop() {
            if self.operands[cell].is_some() || self.finished[cell] {
                continue;
            }
            if is_ready {
                self.make(cell)?;
                continue;
            }
            if std::mem::replace(&mut visited[cell], true) {
                continue;
            }
            waiting.push((cell, true));
            waiting.extend(self.case.heap[cell].references().into_iter().rev().map(|below| (below, false)));
        }
        Ok(())
    }

    fn make(&mut self, index: usize) -> Result<(), NoPlan> {
        let Cell { class, contents } = &self.case.heap[index];
        if let Some(operand) = Operand::inline(&self.case.heap[index], self.options.has_literals) {
            self.operands[index] = Some(operand);
            return Ok(());
        }
        let step = match contents {
            Contents::Text(units) => Step::Text { units: units.clone() },
            Contents::Boxed { value, .. } => Step::Box { class, value: *value },
            Contents::Elements(elements) => {
                let kind = class.component_kind().unwrap_or(Kind::Reference);
                let is_listed = elements.len() <= MOST_LISTED;
                let usual = Operand::Plain(Datum::default_of(kind));
                let given = |datum: &Datum| self.operand(*datum, kind).filter(|_| is_listed).unwrap_or(usual.clone());
                Step::Array { class, elements: elements.iter().map(given).collect() }
            }
            Contents::Fields(fields) => self.best_beginning(class, fields)?,
            Contents::Library { recipe, values, .. } if recipe.form == LibraryForm::Optional => {
                self.filled[index] = true;
                let (name, descriptor) = match values.as_slice() {
                    [] => ("empty", "()Ljava/util/Optional;"),
                    _ => ("of", "(Ljava/lang/Object;)Ljava/util/Optional;"),
                };
                let method = class.own_method(name, descriptor);
                let method = method.ok_or_else(|| NoPlan::LibraryObject { class: class.java_name() })?;
                let arguments = self.operands_of(values, Kind::Reference)?;
                Step::Call { method, receiver: None, arguments, result: Some(class) }
            }
            Contents::Library { recipe, values, .. } if recipe.form == LibraryForm::Entry => {
                self.filled[index] = true;
                let constructor = class.own_method("<init>", "(Ljava/lang/Object;Ljava/lang/Object;)V");
                let constructor = constructor.ok_or_else(|| NoPlan::LibraryObject { class: class.java_name() })?;
                Step::New { constructor, arguments: self.operands_of(values, Kind::Reference)? }
            }
            Contents::Library {
                recipe: LibraryRecipe { class: stream, form: LibraryForm::Stream { of }, .. },
                values,
                ..
            } => {
                self.filled[index] = true;
                let element = of.map_or("Ljava/lang/Object;", |of| of.descriptor);
                let load = |class: &str| self.vm.program.load_descriptor(class);
                let unknown = || NoPlan::LibraryObject { class: class.java_name() };
                let (array, stream) = (load(&format!("[{element}")), load(&format!("L{stream};")));
                let (Ok(array), Ok(stream)) = (array, stream) else { return Err(unknown()) };
                let factory = stream.own_method("of", &format!("([{element})L{};", stream.name));
                let elements = self.operands_of(values, Kind::of_descriptor(element))?;
                let array = self.perform(Step::Array { class: array, elements })?;
                let arguments = vec![Operand::Made(array)];
                Step::Call { method: factory.ok_or_else(unknown)?, receiver: None, arguments, result: Some(stream) }
            }
            Contents::Library { recipe, values, constants } => {
                let step = match recipe.form {
                    LibraryForm::Constants => {
                        let all = self.vm.program.load(recipe.class).ok();
                        let none = "(Ljava/lang/Class;)Ljava/util/EnumSet;";
                        let factory = all.and_then(|all| all.own_method("noneOf", none));
                        factory.map(|method| (method, all))
                    }
                    LibraryForm::PairsOfConstants => {
                        class.own_method("<init>", "(Ljava/lang/Class;)V").map(|method| (method, None))
                    }
                    _ => class.own_method("<init>", "()V").map(|method| (method, None)),
                };
                let Some((method, result)) = step else {
                    return Err(NoPlan::LibraryObject { class: class.java_name() });
                };
                let arguments: Vec<Operand> =
                    constants.iter().map(|constants| Operand::ClassObject { name: constants.name }).collect();
                let made = self.perform(match method.is_static() {
                    true => Step::Call { method, receiver: None, arguments, result },
                    false => Step::New { constructor: method, arguments },
                })?;
                self.operands[index] = Some(Operand::Made(made));
                let is_there = |datum: &Datum| self.operand(*datum, Kind::Reference).is_some();
                // An element that refers back to the collection is not there yet.
                return if values.iter().all(is_there) { self.fill(index) } else { Ok(()) };
            }
            Contents::Opaque => Step::Implement { class: self.implementable(class)? },
            Contents::Foreign | Contents::Held { .. } => {
                return Err(NoPlan::LibraryObject { class: class.java_name() });
            }
        };
        let made = self.perform(step)?;
        self.operands[index] = Some(Operand::Made(made));
        Ok(())
    }

    fn operands_of(&mut self, values: &[Datum], kind: Kind) -> Result<Vec<Operand>, NoPlan> {
        let operands = values.iter().map(|datum| self.operand(*datum, kind));
        operands.collect::<Option<_>>().ok_or(NoPlan::NotMade(PlanReference::Argument))
    }

    /// The call of a constructor after which the fewest fields are left to set, or an object without one.
    fn best_beginning(&mut self, class: &'static Class, fields: &[Datum]) -> Result<Step, NoPlan> {
        let mut best: Option<(usize, Step)> = None;
        let bare = Step::Allocate { class };
        if class.is_users()
            && let Ok(cost) = self.cost(&bare, class, fields)
        {
            best = Some((cost + REFLECTIVE + DIRECT, bare));
        }
        if self.options.has_constructors && !class.is_abstract() {
            let program = self.vm.program.clone();
            let is_usable =
                |method: &&&'static Method| method.name == "<init>" && program.can_call(method, self.options.package);
            let mut constructors: Vec<&'static Method> = class.methods.iter().filter(is_usable).copied().collect();
            constructors.sort_by_key(|constructor| constructor.parameters.len());
            for constructor in constructors {
                for arguments in self.arguments_for(constructor, class, fields) {
                    let step = Step::New { constructor, arguments };
                    if let Ok(cost) = self.cost(&step, class, fields)
                        && best.as_ref().is_none_or(|(least, _)| cost < *least)
                    {
                        best = Some((cost, step));
                    }
                }
            }
        }
        best.map(|(_, step)| step).ok_or_else(|| NoPlan::NoConstructor { class: class.java_name() })
    }

    /// The cost of the fields that are left to set after a step, if they can be set.
    fn cost(&mut self, step: &Step, class: &'static Class, fields: &[Datum]) -> Result<usize, NoPlan> {
        let mut tried = self.stage.fork();
        tried.perform(self.vm, step).map_err(NoPlan::Step)?;
        let object = tried.made.last().copied().flatten().ok_or(NoPlan::NotMade(PlanReference::StepResult))?;
        let is_record = class.super_class.is_some_and(|above| above.name == "java/lang/Record");
        let mut cost = 0;
        for (slot, datum) in fields.iter().enumerate() {
            let Some((owner, field)) = class.declaration_at(slot as u32) else { continue };
            let is_set = match self.operand(*datum, field.kind) {
                _ if *datum == Datum::Any => true,
                Some(operand) => {
                    tried.value(self.vm, &operand).map_err(NoPlan::Step)? == tried.state.heap.field(object, slot)
                }
                None => false,
            };
            if !is_set {
                if is_record || !owner.is_users() {
                    return Err(NoPlan::FinalField);
                }
                cost += if self.is_direct(class, owner, field) { DIRECT } else { REFLECTIVE };
            }
        }
        Ok(cost)
    }

    /// The arguments to try: what the fields of those types must hold, the field of the parameter's name first.
    fn arguments_for(
        &mut self,
        constructor: &'static Method,
        class: &'static Class,
        fields: &[Datum],
    ) -> Vec<Vec<Operand>> {
        let (types, _) = descriptor::method(constructor.descriptor).unwrap_or_default();
        let names = parameter_names(constructor);
        let mut all: Vec<Vec<Operand>> = vec![Vec::new()];
        for (position, (wanted, name)) in types.iter().zip(&names).enumerate() {
            let kind = Kind::of_descriptor(wanted);
            let mut possible: Vec<Operand> = Vec::new();
            let slots = (0..fields.len()).filter_map(|slot| Some((slot, class.declaration_at(slot as u32)?.1)));
            let (named, others): (Vec<_>, Vec<_>) = slots.partition(|(_, field)| field.name == *name);
            for (slot, field) in named.into_iter().chain(others) {
                if field.descriptor == *wanted
                    && fields[slot] != Datum::Any
                    && let Some(operand) = self.operand(fields[slot], kind)
                    && !possible.contains(&operand)
                {
                    possible.push(operand);
                }
            }
            let usual = Operand::Plain(Datum::default_of(kind));
            // The object around an inner object is there.
            let is_around = position == 0 && class.is_inner();
            if !is_around && !possible.contains(&usual) {
                possible.push(usual);
            }
            if is_around {
                possible.retain(|operand| *operand != Operand::Plain(Datum::Null));
            }
            let longer = all.iter().flat_map(|first| {
                possible.iter().map(|last| first.iter().cloned().chain([last.clone()]).collect::<Vec<Operand>>())
            });
            all = longer.take(MOST_TRIALS).collect();
        }
        all
    }

    /// Adds the elements to an object of the library.
    fn fill(&mut self, index: usize) -> Result<(), NoPlan> {
        let Cell { class, contents: Contents::Library { recipe, values, .. } } = &self.case.heap[index] else {
            return Ok(());
        };
        let Some(Operand::Made(receiver)) = self.operands[index] else { return Ok(()) };
        if std::mem::replace(&mut self.filled[index], true) {
            return Ok(());
        }
        let each = recipe.values_of_element();
        let (name, descriptor) = match each {
            2 => ("put", "(Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;"),
            _ => ("add", "(Ljava/lang/Object;)Z"),
        };
        // The class of a set of constants is not public.
        let collection = self.vm.program.load("java/util/Collection").ok();
        let method = match recipe.form {
            LibraryForm::Constants => collection.and_then(|class| class.own_method(name, descriptor)),
            _ => class.chain().find_map(|class| class.own_method(name, descriptor)),
        };
        let method = method.ok_or_else(|| NoPlan::LibraryObject { class: class.java_name() })?;
        for values in values.chunks(each) {
            let mut arguments = Vec::new();
            for datum in values {
                // A key is looked into when it is put into a map.
                if let Datum::Object(element) = datum
                    && !self.finished[*element]
                {
                    self.complete(*element)?;
                }
                let operand = self.operand(*datum, Kind::Reference);
                arguments.push(operand.ok_or(NoPlan::NotMade(PlanReference::Argument))?);
            }
            self.perform(Step::Call { method, receiver: Some(Operand::Made(receiver)), arguments, result: None })?;
        }
        Ok(())
    }

    /// Sets what the beginning of an object left.
    fn complete(&mut self, index: usize) -> Result<(), NoPlan> {
        if matches!(self.case.heap[index].contents, Contents::Library { .. }) {
            return self.fill(index);
        }
        let Some(Operand::Made(made)) = self.operands[index] else { return Ok(()) };
        let Some(object) = self.stage.made[made] else { return Ok(()) };
        let Cell { class, contents } = &self.case.heap[index];
        let (values, is_array) = match contents {
            Contents::Fields(fields) => (fields, false),
            Contents::Elements(elements) => (elements, true),
            _ => return Ok(()),
        };
        for (at, datum) in values.iter().enumerate().filter(|(_, datum)| **datum != Datum::Any) {
            let declared = class.declaration_at(at as u32).filter(|_| !is_array);
            let kind = declared.map_or(class.component_kind().unwrap_or(Kind::Reference), |(_, field)| field.kind);
            let operand = match (self.operand(*datum, kind), datum) {
                (Some(operand), _) => operand,
                // A call puts it there later.
                (None, Datum::Object(cell)) if self.finished[*cell] => continue,
                (None, _) => return Err(NoPlan::NotMade(PlanReference::Field)),
            };
            let wanted = self.stage.value(self.vm, &operand).map_err(NoPlan::Step)?;
            let found = match is_array {
                true => self.stage.state.heap.element(object, at as i32).unwrap_or(Value::Top),
                false => self.stage.state.heap.field(object, at),
            };
            if wanted == found {
                continue;
            }
            let step = match declared {
                None => Step::SetElement { array: made, index: at, value: operand },
                Some((owner, field)) if owner.is_users() => {
                    let is_direct = self.is_direct(class, owner, field);
                    Step::Set { object: made, owner, field, value: operand, is_direct }
                }
                Some((owner, field)) => {
                    return Err(NoPlan::LibraryField { class: owner.java_name(), field: field.name.to_string() });
                }
            };
            self.perform(step)?;
        }
        Ok(())
    }

    pub(crate) fn is_direct(&self, class: &'static Class, owner: &'static Class, field: &'static Field) -> bool {
        let package = self.options.package;
        let is_hidden = class.field(field.name).is_none_or(|found| !std::ptr::eq(found, field));
        field.access & access::FINAL == 0
            && !is_hidden
            && self.vm.program.can_use_field(owner, field, package)
            && class.source_name(package).is_some()
    }

    /// The operand for a value, if it is there.
    fn operand(&self, datum: Datum, kind: Kind) -> Option<Operand> {
        match datum {
            Datum::Object(cell) => self.operands[cell].clone(),
            Datum::Any => Some(Operand::Plain(Datum::default_of(kind))),
            other => Some(Operand::Plain(other)),
        }
    }
}

/// The step that makes the object of a sequence of calls: the last one that makes something.
fn root_of(steps: &[Step]) -> usize {
    steps.iter().rposition(|step| step.makes().is_some()).unwrap_or(0)
}

/// The same step where others come before it.
fn shifted(step: &Step, by: usize) -> Step {
    let operand = |operand: &Operand| match operand {
        Operand::Made(index) => Operand::Made(index + by),
        other => other.clone(),
    };
    match step {
        Step::New { constructor, arguments } => {
            Step::New { constructor, arguments: arguments.iter().map(operand).collect() }
        }
        Step::Call { method, receiver, arguments, result } => Step::Call {
            method,
            receiver: receiver.as_ref().map(operand),
            arguments: arguments.iter().map(operand).collect(),
            result: *result,
        },
        other => other.clone(),
    }
}
