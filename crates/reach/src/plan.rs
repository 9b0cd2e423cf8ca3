//! Which steps make an input? A plan is what a Java program would do, statement by statement; here it is performed in the
//! interpreter, so that its effect is checked and not believed.

use lazuli_vm::interp::Vm;
use lazuli_vm::outcome::{End, Limit, Stop};
use lazuli_vm::program::{Class, Field, LoadError, Method};
use lazuli_vm::snapshot::{Cell, Contents, Datum};
use lazuli_vm::state::State;
use lazuli_vm::unknown_code::{CallRole, ScriptedCall, ScriptedEnd, ScriptedRefill, ScriptedValue, ScriptedWrite};
use lazuli_vm::value::{Kind, ObjId, Value};

/// The statements that make an input, and the arguments of the call that follows.
#[derive(Clone, Debug, Default)]
pub struct Plan {
    /// Each step that makes an object gives it a name: its own index.
    pub steps: Vec<Step>,
    /// The arguments of the target.
    pub arguments: Vec<Operand>,
    /// The behaviour of the objects of [`Step::Implement`] when the target calls them, in the order of the calls.
    pub calls: Vec<PlannedCall>,
    /// The call of such an object whose precondition is false.
    pub refused: Option<PlannedRefusal>,
}

/// A call that must not be made.
#[derive(Clone, Debug)]
pub struct PlannedRefusal {
    /// The step that made the object.
    pub receiver: usize,
    /// The method.
    pub method: &'static Method,
    /// The condition that is false.
    pub told: String,
}

/// A call of code that is not there.
#[derive(Clone, Debug)]
pub struct PlannedCall {
    /// The step that made the object; none where a contract replaces code that is there.
    pub receiver: Option<usize>,
    /// The method.
    pub method: &'static Method,
    /// The result, or the class of the exception that it throws.
    pub end: Result<PlannedValue, &'static Class>,
    /// The places that it writes before.
    pub writes: Vec<PlannedWrite>,
    /// The collections and maps that it empties and fills anew, after these writes.
    pub refills: Vec<PlannedRefill>,
    /// The objects that count as made by it.
    pub makes: Vec<Operand>,
    /// Who asks for it.
    pub role: CallRole,
}

/// A value that such a call gives or writes.
#[derive(Clone, Debug, PartialEq)]
pub enum PlannedValue {
    /// One that is there before the target is called.
    Operand(Operand),
    /// An argument of one of the planned calls, by its number, which is at most that of the call itself.
    Handed {
        /// The call.
        call: usize,
        /// The argument, without the receiver in the count.
        argument: usize,
    },
}

/// A write of such a call.
#[derive(Clone, Debug)]
pub struct PlannedWrite {
    /// The object or array.
    pub object: PlannedValue,
    /// Its class.
    pub class: &'static Class,
    /// The slot of a field, or the index of an element.
    pub slot: u32,
    /// The new value.
    pub value: PlannedValue,
    /// Can Java source write it by an assignment? Else it needs reflection.
    pub is_direct: bool,
}

/// A collection or map that such a call empties and fills anew.
#[derive(Clone, Debug)]
pub struct PlannedRefill {
    /// The collection or map.
    pub object: PlannedValue,
    /// Is it a map?
    pub is_map: bool,
    /// The elements; of a map, each key and then its value.
    pub values: Vec<PlannedValue>,
}

/// One statement of a plan.
#[derive(Clone, Debug)]
pub enum Step {
    /// Calls a constructor.
    New {
        /// The constructor to call.
        constructor: &'static Method,
        /// Its arguments, without the object that it initialises.
        arguments: Vec<Operand>,
    },
    /// An object without a constructor: by reflection.
    Allocate {
        /// The class of the object.
        class: &'static Class,
    },
    /// An object of a class that is not there: the test has a class of its own for it.
    Implement {
        /// The open class of the object.
        class: &'static Class,
    },
    /// Makes an array and fills it.
    Array {
        /// The class of the array.
        class: &'static Class,
        /// The elements, one for each index.
        elements: Vec<Operand>,
    },
    /// A box that is not the one of `valueOf`.
    Box {
        /// The class of the box, such as `java.lang.Integer`.
        class: &'static Class,
        /// The primitive value in the box.
        value: Datum,
    },
    /// A string that is no literal.
    Text {
        /// The UTF-16 code units of the string.
        units: Vec<u16>,
    },
    /// A call for what it does, or for the object that it returns.
    Call {
        /// The method to call.
        method: &'static Method,
        /// The receiver; none of a static method.
        receiver: Option<Operand>,
        /// The arguments, without the receiver.
        arguments: Vec<Operand>,
        /// The type of the variable that keeps the result, if later steps use it.
        result: Option<&'static Class>,
    },
    /// A call that throws an exception, which is caught.
    Refused {
        /// The method to call.
        method: &'static Method,
        /// The receiver; none of a static method.
        receiver: Option<Operand>,
        /// The arguments, without the receiver.
        arguments: Vec<Operand>,
    },
    /// Reads a field.
    Read {
        /// The object; none for a static field.
        object: Option<Operand>,
        /// The class that declares the field.
        owner: &'static Class,
        /// The field to read.
        field: &'static Field,
        /// The type of the variable that keeps the object.
        result: &'static Class,
    },
    /// Reads an element of an array.
    ReadElement {
        /// The array.
        array: Operand,
        /// The index of the element.
        index: usize,
        /// The type of the variable that keeps the object.
        result: &'static Class,
    },
    /// Writes an instance field.
    Set {
        /// The step that made the object.
        object: usize,
        /// The class that declares the field.
        owner: &'static Class,
        /// The field to write.
        field: &'static Field,
        /// The new value.
        value: Operand,
        /// Can Java source write the field by an assignment? Else it needs reflection.
        is_direct: bool,
    },
    /// Writes an element of an array.
    SetElement {
        /// The step that made the array.
        array: usize,
        /// The index of the element.
        index: usize,
        /// The new value.
        value: Operand,
    },
    /// Writes a static field.
    SetStatic {
        /// The class that declares the field.
        owner: &'static Class,
        /// The field to write.
        field: &'static Field,
        /// The new value.
        value: Operand,
        /// Can Java source write the field by an assignment? Else it needs reflection.
        is_direct: bool,
    },
}

/// A value that a step uses.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    /// A primitive or null; never an object.
    Plain(Datum),
    /// A string literal, by its UTF-16 code units.
    Literal(Vec<u16>),
    /// The box that `valueOf` gives.
    Boxed {
        /// The name of the class of the box.
        class: &'static str,
        /// The primitive value in the box.
        value: Datum,
    },
    /// The object of a static final field.
    Held {
        /// The name of the class that declares the field.
        owner: &'static str,
        /// The name of the field.
        field: &'static str,
    },
    /// The `java.lang.Class` object of a class.
    ClassObject {
        /// The name of the class, with slashes.
        name: &'static str,
    },
    /// The object that the step of that index made.
    Made(usize),
}

impl Plan {
    /// The same plan without variables for the results of calls that no step uses.
    pub fn without_unused(mut self) -> Plan {
        let mut used: Vec<usize> = self.arguments.iter().filter_map(Operand::made).collect();
        used.extend(self.steps.iter().flat_map(Step::uses));
        used.extend(self.calls.iter().flat_map(PlannedCall::uses));
        for (index, step) in self.steps.iter_mut().enumerate() {
            if let Step::Call { result, .. } = step
                && !used.contains(&index)
            {
                *result = None;
            }
        }
        self
    }
}

impl PlannedCall {
    /// The values that it writes, and what it writes them to, in the order of its statements.
    pub fn written(&self) -> impl Iterator<Item = &PlannedValue> {
        let written = self.writes.iter().flat_map(|write| [&write.object, &write.value]);
        written.chain(self.refills.iter().flat_map(|refill| std::iter::once(&refill.object).chain(&refill.values)))
    }

    /// The steps whose objects it uses.
    fn uses(&self) -> Vec<usize> {
        let made = |value: &PlannedValue| match value {
            PlannedValue::Operand(operand) => operand.made(),
            PlannedValue::Handed { .. } => None,
        };
        self.end
            .iter()
            .chain(self.written())
            .filter_map(made)
            .chain(self.receiver)
            .chain(self.makes.iter().filter_map(Operand::made))
            .collect()
    }
}

impl Operand {
    /// The step that made it, if one did.
    fn made(&self) -> Option<usize> {
        match self {
            Operand::Made(step) => Some(*step),
            _ => None,
        }
    }

    /// The expression that source writes for an object where it is used, if the object needs no name. With literals, strings and boxes are
    /// the usual ones, although their identity may be another one.
    pub fn inline(cell: &Cell, has_literals: bool) -> Option<Operand> {
        match &cell.contents {
            Contents::Text(units) if has_literals => Some(Operand::Literal(units.clone())),
            Contents::Boxed { value, is_cached } if has_literals || *is_cached => {
                Some(Operand::Boxed { class: cell.class.name, value: *value })
            }
            Contents::Held { owner, field } => Some(Operand::Held { owner: owner.name, field: field.name }),
            _ => None,
        }
    }
}

impl Step {
    /// The class of what the step makes, if it makes something.
    pub fn makes(&self) -> Option<&'static Class> {
        match self {
            Step::New { constructor, .. } => Some(constructor.class()),
            Step::Allocate { class } | Step::Array { class, .. } | Step::Box { class, .. } => Some(class),
            Step::Implement { class } => Some(class.possible().map_or(*class, |possible| possible.bound)),
            Step::Call { result, .. } => *result,
            Step::Read { result, .. } | Step::ReadElement { result, .. } => Some(result),
            _ => None,
        }
    }

    /// The same step with a variable of that type for the object that it gets.
    pub fn typed(self, class: &'static Class) -> Step {
        match self {
            Step::Call { method, receiver, arguments, .. } => {
                Step::Call { method, receiver, arguments, result: Some(class) }
            }
            Step::Read { object, owner, field, .. } => Step::Read { object, owner, field, result: class },
            Step::ReadElement { array, index, .. } => Step::ReadElement { array, index, result: class },
            other => other,
        }
    }

    /// The steps whose objects it uses.
    fn uses(&self) -> Vec<usize> {
        let made = |operands: &[Operand]| operands.iter().filter_map(Operand::made).collect::<Vec<usize>>();
        match self {
            Step::New { arguments, .. } => made(arguments),
            Step::Array { elements, .. } => made(elements),
            Step::Call { receiver, arguments, .. } | Step::Refused { receiver, arguments, .. } => {
                receiver.iter().chain(arguments).filter_map(Operand::made).collect()
            }
            Step::Read { object, .. } => object.iter().filter_map(Operand::made).collect(),
            Step::ReadElement { array, .. } => array.made().into_iter().collect(),
            Step::Set { object, value, .. } => value.made().into_iter().chain([*object]).collect(),
            Step::SetElement { array, value, .. } => value.made().into_iter().chain([*array]).collect(),
            Step::SetStatic { value, .. } => value.made().into_iter().collect(),
            Step::Allocate { .. } | Step::Implement { .. } | Step::Box { .. } | Step::Text { .. } => Vec::new(),
        }
    }

    /// Does Java source need reflection for it?
    pub fn is_reflective(&self) -> bool {
        match self {
            Step::Allocate { .. } => true,
            Step::Set { is_direct, .. } | Step::SetStatic { is_direct, .. } => !is_direct,
            _ => false,
        }
    }
}

/// Why the interpreter cannot perform a step of a plan.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StepError {
    /// A class that the step names cannot be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The static initialiser of a class does not return.
    #[error("{class} cannot be initialised")]
    NotInitialised {
        /// As in source.
        class: String,
        /// The limit that ended the initialiser, if one did.
        cut: Option<Limit>,
    },
    /// A constructor or method throws, does not end, or asks for a value.
    #[error("{method} does not return")]
    NoReturn {
        /// The full name of the method.
        method: String,
        /// The limit that ended the call, if one did.
        cut: Option<Limit>,
    },
    /// A call returns that is to throw.
    #[error("{method} does not throw")]
    NoException {
        /// The method, with its class.
        method: String,
    },
    /// The class of the receiver has no such method.
    #[error("the receiver has no such method")]
    NoMethod,
    /// An operand refers to null, or to a step that makes no object.
    #[error("an operand is no object")]
    NoObject,
    /// The static field of a constant does not exist.
    #[error("the constant does not exist")]
    NoConstant,
    /// The class of a boxed value is no box, or lacks `valueOf`.
    #[error("the class is no box")]
    NoBox,
}

/// A state in which the first steps of a plan were performed.
pub struct Stage {
    /// The state after these steps.
    pub state: State,
    /// The object that each step made.
    pub made: Vec<Option<ObjId>>,
}

impl Stage {
    /// Copies the stage, so that several continuations can be tried from it.
    pub fn fork(&self) -> Stage {
        Stage { state: self.state.fork(), made: self.made.clone() }
    }

    /// Performs the next step. The error says why it does not do what a plan needs.
    pub fn perform(&mut self, vm: &mut Vm, step: &Step) -> Result<(), StepError> {
        let made = match step {
            Step::New { constructor, arguments } => {
                let class = constructor.class();
                self.initialise(vm, class)?;
                let object = self.state.heap.allocate(class);
                let mut given: Vec<Value> = vec![object.into()];
                for argument in arguments {
                    given.push(self.value(vm, argument)?);
                }
                self.call(vm, constructor, &given)?;
                Some(object)
            }
            Step::Allocate { class } => {
                self.initialise(vm, class)?;
                Some(self.state.heap.allocate(class))
            }
            Step::Implement { class } => Some(self.state.heap.allocate(class)),
            Step::Array { class, elements } => {
                let array = self.state.heap.allocate_array(class, elements.len());
                for (index, element) in elements.iter().enumerate() {
                    let value = self.value(vm, element)?;
                    self.state.heap.set_element(array, index as i32, value);
                }
                Some(array)
            }
            Step::Box { class, value } => {
                let object = self.state.heap.allocate(class);
                self.state.heap.set_field(object, 0, plain(*value));
                Some(object)
            }
            Step::Text { units } => Some(vm.new_string(&mut self.state, units)),
            Step::Call { method, receiver, arguments, .. } => {
                let (selected, given) = self.selected(vm, method, receiver.as_ref(), arguments)?;
                self.call(vm, selected, &given)?.object()
            }
            Step::Refused { method, receiver, arguments } => {
                let (selected, given) = self.selected(vm, method, receiver.as_ref(), arguments)?;
                self.state.thread = Default::default();
                match vm.call(&mut self.state, selected, &given) {
                    Stop::End(End::Threw(_)) => None,
                    _ => return Err(StepError::NoException { method: method.full_name() }),
                }
            }
            Step::Read { object: Some(object), field, .. } => {
                let object = self.object(vm, object)?;
                self.state.heap.field(object, field.slot as usize).object()
            }
            Step::Read { object: None, owner, field, .. } => {
                self.initialise(vm, owner)?;
                let mirror = vm.mirror(&mut self.state, owner);
                self.state.heap.field(mirror, vm.program.slot_of(field) as usize).object()
            }
            Step::ReadElement { array, index, .. } => {
                let array = self.object(vm, array)?;
                self.state.heap.element(array, *index as i32).and_then(Value::object)
            }
            Step::Set { object, field, value, .. } => {
                let object = self.made[*object].ok_or(StepError::NoObject)?;
                let value = self.value(vm, value)?;
                self.state.heap.set_field(object, field.slot as usize, value);
                None
            }
            Step::SetElement { array, index, value } => {
                let array = self.made[*array].ok_or(StepError::NoObject)?;
                let value = self.value(vm, value)?;
                self.state.heap.set_element(array, *index as i32, value);
                None
            }
            Step::SetStatic { owner, field, value, .. } => {
                self.initialise(vm, owner)?;
                let value = self.value(vm, value)?;
                let mirror = vm.mirror(&mut self.state, owner);
                self.state.heap.set_field(mirror, vm.program.slot_of(field) as usize, value);
                None
            }
        };
        self.made.push(made);
        Ok(())
    }

    /// The script of code that is not there, for the run of the target in the state of this stage.
    pub fn script(&mut self, vm: &mut Vm, calls: &[PlannedCall]) -> Result<Vec<ScriptedCall>, StepError> {
        let mut found = Vec::new();
        for call in calls.iter().filter(|call| call.role != CallRole::Replaced) {
            let end = match &call.end {
                Ok(value) => ScriptedEnd::Returned(self.scripted(vm, value)?),
                Err(class) => ScriptedEnd::Threw(class),
            };
            let mut writes = Vec::new();
            for PlannedWrite { object, class, slot, value, .. } in &call.writes {
                let (object, value) = (self.scripted(vm, object)?, self.scripted(vm, value)?);
                writes.push(ScriptedWrite { object, class, slot: *slot, value });
            }
            let mut refills = Vec::new();
            for refill in &call.refills {
                let object = self.scripted(vm, &refill.object)?;
                let values: Result<Vec<_>, _> = refill.values.iter().map(|value| self.scripted(vm, value)).collect();
                refills.push(ScriptedRefill { object, is_map: refill.is_map, values: values? });
            }
            let receiver = match call.receiver {
                Some(step) => Some(self.made.get(step).copied().flatten().ok_or(StepError::NoObject)?),
                None => None,
            };
            let mut makes = Vec::new();
            for operand in &call.makes {
                makes.push(self.object(vm, operand)?);
            }
            found.push(ScriptedCall { receiver, method: call.method, end, writes, refills, makes, role: call.role });
        }
        Ok(found)
    }

    fn scripted(&mut self, vm: &mut Vm, value: &PlannedValue) -> Result<ScriptedValue, StepError> {
        Ok(match value {
            PlannedValue::Operand(operand) => ScriptedValue::Known(self.value(vm, operand)?),
            PlannedValue::Handed { call, argument } => ScriptedValue::Handed { call: *call, argument: *argument },
        })
    }

    /// Evaluates an operand in the state of this stage; a literal is interned.
    pub fn value(&mut self, vm: &mut Vm, operand: &Operand) -> Result<Value, StepError> {
        Ok(match operand {
            Operand::Plain(datum) => plain(*datum),
            Operand::Literal(units) => {
                let id = vm.program.intern_utf16(units.clone());
                vm.interned(&mut self.state, id).into()
            }
            Operand::Boxed { class, value } => {
                let class = vm.program.load(class)?;
                self.initialise(vm, class)?;
                self.boxed(vm, class, *value)?
            }
            Operand::Held { owner, field } => {
                let owner = vm.program.load(owner)?;
                self.initialise(vm, owner)?;
                let field = owner.field(field).ok_or(StepError::NoConstant)?;
                let mirror = vm.mirror(&mut self.state, owner);
                self.state.heap.field(mirror, vm.program.slot_of(field) as usize)
            }
            Operand::ClassObject { name } => {
                let class = vm.program.load(name)?;
                vm.mirror(&mut self.state, class).into()
            }
            Operand::Made(index) => self.made.get(*index).copied().flatten().ok_or(StepError::NoObject)?.into(),
        })
    }

    /// The object that an operand stands for.
    fn object(&mut self, vm: &mut Vm, operand: &Operand) -> Result<ObjId, StepError> {
        self.value(vm, operand)?.object().ok_or(StepError::NoObject)
    }

    /// `Integer.valueOf(5)`
    fn boxed(&mut self, vm: &mut Vm, class: &'static Class, value: Datum) -> Result<Value, StepError> {
        let kind = Kind::of_box(class.name).ok_or(StepError::NoBox)?;
        let value_of = class.own_method("valueOf", &format!("({})L{};", kind.letter(), class.name));
        let value_of = value_of.ok_or(StepError::NoBox)?;
        self.call(vm, value_of, &[plain(value)])
    }

    fn initialise(&mut self, vm: &mut Vm, class: &'static Class) -> Result<(), StepError> {
        let element = std::iter::successors(Some(class), |class| class.component()).last().unwrap_or(class);
        if element.kind() != Kind::Reference {
            return Ok(());
        }
        self.state.thread = Default::default();
        let done = vm.initialise_fully(&mut self.state, element);
        done.map_err(|stop| StepError::NotInitialised { class: element.java_name(), cut: stop.limit() })
    }

    /// The method that a call executes, and all its arguments.
    fn selected(
        &mut self,
        vm: &mut Vm,
        method: &'static Method,
        receiver: Option<&Operand>,
        arguments: &[Operand],
    ) -> Result<(&'static Method, Vec<Value>), StepError> {
        let mut given: Vec<Value> = Vec::new();
        let selected = match receiver {
            Some(receiver) => {
                let object = self.object(vm, receiver)?;
                given.push(object.into());
                let class = self.state.heap.class(object);
                vm.select(class, method).ok_or(StepError::NoMethod)?
            }
            None => {
                self.initialise(vm, method.class())?;
                method
            }
        };
        for argument in arguments {
            given.push(self.value(vm, argument)?);
        }
        Ok((selected, given))
    }

    fn call(&mut self, vm: &mut Vm, method: &'static Method, arguments: &[Value]) -> Result<Value, StepError> {
        self.state.thread = Default::default();
        match vm.call(&mut self.state, method, arguments) {
            Stop::End(End::Returned(value)) => Ok(value),
            stop => Err(StepError::NoReturn { method: method.full_name(), cut: stop.limit() }),
        }
    }
}

/// The value of a primitive or null.
fn plain(datum: Datum) -> Value {
    match datum {
        Datum::Int(value) => Value::Int(value),
        Datum::Long(value) => Value::Long(value),
        Datum::Float(value) => Value::Float(value),
        Datum::Double(value) => Value::Double(value),
        Datum::Any | Datum::Null | Datum::Object(_) => Value::NULL,
    }
}
