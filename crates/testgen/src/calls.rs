//! How is an input made again by the calls that made it on its path?
//!
//! The calls are known, with the values of the example: each becomes a statement. A receiver or argument is the result of an earlier
//! statement, an object that no call needed to make and that is built like any other input, or one that the code around can read from an
//! object it has: then statements lead there (`order.lines().get(0)`).
//!
//! The heap that results is not compared with that of the path: it is what these calls make, and how the target ends on it is compared.

use lazuli_explore::{CallHistory, PastCall, RouteStart};
use lazuli_reach::call_sequence::Act;
use lazuli_reach::plan::{Operand, Plan, Stage, Step};
use lazuli_vm::program::{Class, Method, descriptor};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::{Kind, ObjId};

use crate::input::InputBuilder;
use crate::{NoPlan, PlanReference};

/// Elements of a collection that are looked at for an object.
const MOST_ELEMENTS: usize = 16;

impl InputBuilder<'_> {
    /// Makes the input by the calls of the case. Static fields may have to hold something before.
    pub(crate) fn replay(mut self, history: &CallHistory, sets_statics: bool) -> Result<(Plan, Stage), NoPlan> {
        history.made.iter().for_each(|cell| self.finished[*cell] = true);
        if sets_statics {
            for input in &self.case.statics {
                self.set_static(input)?;
            }
        }
        for call in &history.calls {
            self.past_call(history, call)?;
        }
        let mut arguments = Vec::new();
        for datum in &self.case.arguments {
            arguments.push(self.given(history, *datum, Kind::Reference)?);
        }
        self.choose(history)?;
        self.plan_calls(history)?;
        Ok(self.plan(arguments))
    }

    /// Has `Lazuli.any…` return the values of the example, where the target asks for some.
    pub(crate) fn choose(&mut self, history: &CallHistory) -> Result<(), NoPlan> {
        if !self.case.asks {
            return Ok(());
        }
        let program = self.vm.program.clone();
        let helper = program.load("lazuli/Lazuli").ok();
        let method = helper.and_then(|helper| helper.own_method("choose", "([Ljava/lang/Object;)V"));
        let method = method.ok_or(NoPlan::AsksForValues)?;
        let class = program.load_descriptor("[Ljava/lang/Object;").map_err(|error| NoPlan::Step(error.into()))?;
        let mut elements = Vec::new();
        for datum in &self.case.asked {
            let boxed = |class: &'static str| Operand::Boxed { class, value: *datum };
            elements.push(match datum {
                Datum::Int(_) => boxed("java/lang/Integer"),
                Datum::Long(_) => boxed("java/lang/Long"),
                Datum::Float(_) => boxed("java/lang/Float"),
                Datum::Double(_) => boxed("java/lang/Double"),
                Datum::Any | Datum::Null => Operand::Plain(Datum::Null),
                Datum::Object(cell) => self.object(history, *cell)?,
            });
        }
        let chosen = self.perform(Step::Array { class, elements })?;
        let arguments = vec![Operand::Made(chosen)];
        self.perform(Step::Call { method, receiver: None, arguments, result: None }).map(drop)
    }

    fn past_call(&mut self, history: &CallHistory, call: &PastCall) -> Result<(), NoPlan> {
        let mut arguments = Vec::new();
        for (datum, kind) in call.arguments.iter().zip(call.act.kinds()) {
            arguments.push(self.given(history, *datum, kind)?);
        }
        let receiver = call.receiver.map(|cell| self.object(history, cell)).transpose()?;
        match call.act {
            Act::Call(constructor) if constructor.name == "<init>" => {
                let class = constructor.class();
                if !self.vm.program.can_call(constructor, self.options.package) {
                    return Err(NoPlan::NoConstructor { class: class.java_name() });
                }
                let made = self.perform(Step::New { constructor, arguments })?;
                if let Some(cell) = call.result {
                    self.operands[cell] = Some(Operand::Made(made));
                }
            }
            Act::Call(method) if call.threw => {
                let method = self.callable(method);
                self.perform(Step::Refused { method, receiver, arguments })?;
            }
            Act::Call(method) => {
                let method = self.callable(method);
                let made = self.perform(Step::Call { method, receiver, arguments, result: None })?;
                if let Some(cell) = call.result.filter(|cell| self.operands[*cell].is_none()) {
                    let (_, declared) = descriptor::method(method.descriptor).unwrap_or_default();
                    let class = self.type_of_result(made, declared)?;
                    self.steps[made] = self.steps[made].clone().typed(class);
                    self.operands[cell] = Some(Operand::Made(made));
                }
            }
            Act::Assign { owner, field } => {
                let (object, class) = self.variable(receiver)?;
                let value = arguments.into_iter().next().ok_or(NoPlan::NotMade(PlanReference::Argument))?;
                let is_direct = self.is_direct(class, owner, field);
                self.perform(Step::Set { object, owner, field, value, is_direct })?;
            }
            Act::Fill { .. } => {
                let (array, _) = self.variable(receiver)?;
                for (index, value) in arguments.into_iter().enumerate() {
                    self.perform(Step::SetElement { array, index, value })?;
                }
            }
        }
        Ok(())
    }

    pub(crate) fn given(&mut self, history: &CallHistory, datum: Datum, kind: Kind) -> Result<Operand, NoPlan> {
        match datum {
            Datum::Object(cell) => self.object(history, cell),
            Datum::Any => Ok(Operand::Plain(Datum::default_of(kind))),
            plain => Ok(Operand::Plain(plain)),
        }
    }

    /// The operand for an object, which is made if no call made it, and looked for otherwise.
    fn object(&mut self, history: &CallHistory, cell: usize) -> Result<Operand, NoPlan> {
        if let Some(operand) = &self.operands[cell] {
            return Ok(operand.clone());
        }
        let operand = match Operand::inline(&self.case.heap[cell], self.options.has_literals) {
            Some(operand) => operand,
            None if history.made.contains(&cell) => self.follow(history, cell)?,
            None => {
                self.make_whole(cell)?;
                return self.operands[cell].clone().ok_or(NoPlan::NotMade(PlanReference::Argument));
            }
        };
        self.operands[cell] = Some(operand.clone());
        Ok(operand)
    }

    /// Statements that lead to an object which no call returned.
    fn follow(&mut self, history: &CallHistory, cell: usize) -> Result<Operand, NoPlan> {
        let out_of_reach = || NoPlan::NotMade(PlanReference::StepResult);
        let route = history.routes.get(&cell).ok_or_else(out_of_reach)?;
        let mut places = route.places.iter().copied();
        let mut operand = match route.start {
            RouteStart::Object(start) => self.object(history, start)?,
            RouteStart::Static { owner, field } => {
                let step = Step::Read { object: None, owner, field, result: owner };
                self.read(step, field.descriptor)?
            }
        };
        while let Some(place) = places.next() {
            let at = self.object_of(&operand)?;
            let class = self.stage.state.heap.class(at);
            operand = if let Some(component) = class.component() {
                let step = Step::ReadElement { array: operand, index: place as usize, result: component };
                self.read(step, &component.descriptor())?
            } else if class.is_users() {
                let (owner, field) = class.declaration_at(place).ok_or_else(out_of_reach)?;
                let step = Step::Read { object: Some(operand), owner, field, result: owner };
                self.read(step, field.descriptor)?
            } else {
                // Through the parts of an object of the JDK to the first object that is none of them.
                let mut found = self.part(at, place).ok_or_else(out_of_reach)?;
                while !self.stage.state.heap.class(found).is_users() {
                    let Some(place) = places.next() else { break };
                    found = self.part(found, place).ok_or_else(out_of_reach)?;
                }
                self.taken_from(operand, at, found).ok_or_else(out_of_reach)?
            };
        }
        match self.object_of(&operand) {
            Ok(found) if self.stage.state.heap.class(found).id == self.case.heap[cell].class.id => Ok(operand),
            _ => Err(out_of_reach()),
        }
    }

    /// The object at a place of another one.
    fn part(&self, object: ObjId, place: u32) -> Option<ObjId> {
        let heap = &self.stage.state.heap;
        match heap.length(object) {
            Some(_) => heap.element(object, place as i32)?.object(),
            None if (place as usize) < heap.class(object).defaults.len() => heap.field(object, place as usize).object(),
            None => None,
        }
    }

    /// Statements that take an object out of a collection, a map or an Optional.
    fn taken_from(&mut self, holder: Operand, at: ObjId, wanted: ObjId) -> Option<Operand> {
        let program = self.vm.program.clone();
        let class = self.stage.state.heap.class(at);
        let is_a = |name: &str| program.load(name).is_ok_and(|above| class.is_subtype_of(above));
        let method = |owner: &str, name: &str, descriptor: &str| program.load(owner).ok()?.own_method(name, descriptor);
        let object = "()Ljava/lang/Object;";
        let get = method("java/util/List", "get", "(I)Ljava/lang/Object;")?;
        let call = |method: &'static Method, receiver: Operand, arguments: Vec<Operand>| Step::Call {
            method,
            receiver: Some(receiver),
            arguments,
            result: None,
        };
        let copy = program.load("java/util/ArrayList").ok()?.own_method("<init>", "(Ljava/util/Collection;)V")?;
        // Each way makes a list, by the steps that are given, or gives the object itself.
        let mut ways: Vec<(Vec<Step>, bool)> = Vec::new();
        let next = self.steps.len();
        if is_a("java/util/List") {
            ways.push((Vec::new(), true));
        } else if is_a("java/util/Collection") {
            ways.push((vec![Step::New { constructor: copy, arguments: vec![holder.clone()] }], true));
        } else if is_a("java/util/Map") {
            for (name, descriptor) in [("values", "()Ljava/util/Collection;"), ("keySet", "()Ljava/util/Set;")] {
                let view = call(method("java/util/Map", name, descriptor)?, holder.clone(), Vec::new());
                let view = view.typed(program.load("java/util/Collection").ok()?);
                ways.push((vec![view, Step::New { constructor: copy, arguments: vec![Operand::Made(next)] }], true));
            }
        } else if is_a("java/util/Optional") {
            ways.push((vec![call(method("java/util/Optional", "get", object)?, holder.clone(), Vec::new())], false));
        } else if is_a("java/util/Map$Entry") {
            for name in ["getKey", "getValue"] {
                let read = call(method("java/util/Map$Entry", name, object)?, holder.clone(), Vec::new());
                ways.push((vec![read], false));
            }
        }
        for (steps, is_list) in ways {
            let list = if steps.is_empty() { holder.clone() } else { Operand::Made(next + steps.len() - 1) };
            let last = |index: usize| call(get, list.clone(), vec![Operand::Plain(Datum::Int(index as i32))]);
            let tries = if is_list { MOST_ELEMENTS } else { 1 };
            for index in 0..tries {
                let all: Vec<Step> = steps.iter().cloned().chain(is_list.then(|| last(index))).collect();
                let mut stage = self.stage.fork();
                if all.iter().any(|step| stage.perform(self.vm, step).is_err()) {
                    break;
                }
                if stage.made.last().copied().flatten() == Some(wanted) {
                    let mut made = 0;
                    for step in all {
                        made = self.perform(step).ok()?;
                    }
                    let class = self.type_of_result(made, "Ljava/lang/Object;").ok()?;
                    self.steps[made] = self.steps[made].clone().typed(class);
                    return Some(Operand::Made(made));
                }
            }
        }
        None
    }

    /// Performs a step that reads an object, and gives its variable the best type.
    fn read(&mut self, step: Step, declared: &str) -> Result<Operand, NoPlan> {
        let made = self.perform(step)?;
        let class = self.type_of_result(made, declared)?;
        self.steps[made] = self.steps[made].clone().typed(class);
        Ok(Operand::Made(made))
    }

    /// The type for the variable of an object that a step gave: its own class if source may name it, else the one that is declared.
    fn type_of_result(&self, step: usize, declared: &str) -> Result<&'static Class, NoPlan> {
        let object = self.stage.made[step].ok_or(NoPlan::NotMade(PlanReference::StepResult))?;
        let class = self.stage.state.heap.class(object);
        let can_name = |class: &Class| class.source_name(self.options.package).is_some();
        if class.is_users() && can_name(class) {
            return Ok(class);
        }
        let declared = self.vm.program.load_descriptor(declared).ok().filter(|class| can_name(class));
        Ok(declared.unwrap_or(self.vm.program.known().object))
    }

    /// The step that made an object, and its class. A constant gets a variable.
    fn variable(&mut self, operand: Option<Operand>) -> Result<(usize, &'static Class), NoPlan> {
        let operand = operand.ok_or(NoPlan::NotMade(PlanReference::Argument))?;
        let class = self.object_of(&operand).map(|object| self.stage.state.heap.class(object))?;
        let made = match operand {
            Operand::Made(made) => made,
            Operand::Held { owner, field } => {
                let owner = self.vm.program.load(owner).map_err(|error| NoPlan::Step(error.into()))?;
                let field = owner.field(field).ok_or(NoPlan::NotMade(PlanReference::StaticField))?;
                self.perform(Step::Read { object: None, owner, field, result: class })?
            }
            _ => return Err(NoPlan::NotMade(PlanReference::Argument)),
        };
        Ok((made, class))
    }

    fn object_of(&mut self, operand: &Operand) -> Result<ObjId, NoPlan> {
        let value = self.stage.value(self.vm, operand).map_err(NoPlan::Step)?;
        value.object().ok_or(NoPlan::NotMade(PlanReference::StepResult))
    }

    /// A method that source may call and that means the same: the class of a receiver may be one that source cannot name.
    fn callable(&self, method: &'static Method) -> &'static Method {
        let package = self.options.package;
        if method.is_static() || self.vm.program.can_call(method, package) {
            return method;
        }
        let mut above: Vec<&'static Class> = method.class().chain().collect();
        let mut next = 0;
        while let Some(&class) = above.get(next) {
            next += 1;
            above.extend(class.interfaces.iter().copied());
        }
        let same = above.into_iter().filter_map(|class| class.own_method(method.name, method.descriptor));
        let mut open = same.filter(|other| !other.is_static() && self.vm.program.can_call(other, package));
        open.next().unwrap_or(method)
    }
}
