//! Which statements make an input, and call the target on it?

use std::collections::{BTreeMap, BTreeSet};

use lazuli_reach::plan::{Operand, Plan, Step};
use lazuli_vm::program::{Class, Field, Method, Program, access, descriptor, is_identifier, parameter_names};
use lazuli_vm::snapshot::Datum;
use lazuli_vm::value::Kind;

use super::literal::{literal, name as quoted_name, text};

/// The variables that programs have anyway, and words that mean something else at the beginning of a statement.
const UNWANTED: [&str; 10] =
    ["result", "expected", "thrown", "given", "none", "before", "caught", "var", "yield", "record"];

/// Elements of an array that stand on one line.
const LISTED: usize = 64;

/// Statements of one method, as they are written one after the other.
pub(super) struct TestBody<'a> {
    pub program: &'a Program,
    /// With slashes.
    pub package: &'a str,
    pub target: &'static Method,
    pub plan: &'a Plan,
    /// The variable of each step that makes something, and its type if it has a name.
    pub(super) variables: BTreeMap<usize, (String, Option<String>)>,
    pub taken: BTreeSet<String>,
    pub lines: Vec<String>,
    /// Methods beside the one that has these statements.
    pub members: Vec<String>,
    /// How many such methods others have made already.
    pub members_before: usize,
    pub needs: RequiredHelpers,
}

/// The helper methods that the statements call.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct RequiredHelpers {
    pub allocate: bool,
    pub set: bool,
    pub get: bool,
    pub call: bool,
    pub filled: bool,
    /// For clauses of JML: an undefined value, an accessible field, reachability, the heap before the call, what it held, its changes.
    pub undefined: bool,
    pub field: bool,
    pub reach: bool,
    pub memory: bool,
    pub past: bool,
    pub changes: bool,
    /// Are there exceptions that the method must declare?
    pub throws: bool,
}

impl RequiredHelpers {
    pub(super) fn and(self, other: RequiredHelpers) -> RequiredHelpers {
        RequiredHelpers {
            allocate: self.allocate | other.allocate,
            set: self.set | other.set,
            get: self.get | other.get,
            call: self.call | other.call,
            filled: self.filled | other.filled,
            undefined: self.undefined | other.undefined,
            field: self.field | other.field,
            reach: self.reach | other.reach,
            memory: self.memory | other.memory,
            past: self.past | other.past,
            changes: self.changes | other.changes,
            throws: self.throws | other.throws,
        }
    }
}

impl<'a> TestBody<'a> {
    /// The statements that make the input, beside so many other members of the class.
    pub(super) fn new(
        program: &'a Program,
        package: &'a str,
        target: &'static Method,
        plan: &'a Plan,
        members_before: usize,
    ) -> TestBody<'a> {
        let mut body = TestBody {
            program,
            package,
            target,
            plan,
            variables: BTreeMap::new(),
            taken: BTreeSet::new(),
            lines: Vec::new(),
            members: Vec::new(),
            members_before,
            needs: RequiredHelpers::default(),
        };
        body.name_variables();
        for (index, step) in plan.steps.iter().enumerate() {
            let line = body.statement(index, step);
            body.lines.push(line);
        }
        body.give_values();
        body
    }

    /// The call of the target, as an expression.
    pub(super) fn call(&mut self) -> String {
        let plan = self.plan;
        if self.is_constructor() {
            self.note_exceptions(self.target);
            return self.creation(self.target, &plan.arguments);
        }
        self.call_of(self.target, &plan.arguments, None)
    }

    /// Is the target a constructor? Its result is the new object.
    pub(super) fn is_constructor(&self) -> bool {
        self.target.name == "<init>"
    }

    /// The call of a method that must return true afterwards, as an expression. `result` names what the target returned or made.
    pub(super) fn judgement(&mut self, method: &'static Method, is_post: bool, result: Option<&str>) -> String {
        let plan = self.plan;
        if let (true, Some(made)) = (self.is_constructor(), result) {
            let given = if is_post { plan.arguments.as_slice() } else { &[] };
            let given = self.given(method, given);
            self.note_exceptions(method);
            let receiver = if method.is_static() { "null" } else { made };
            return match self.program.can_call(method, self.package) {
                true if method.is_static() => {
                    let owner = method.class().source_name(self.package).unwrap_or_default();
                    format!("{owner}.{}({})", method.name, given.join(", "))
                }
                true => format!("{made}.{}({})", method.name, given.join(", ")),
                false => format!("(boolean) {}", self.reflective(method, receiver, &given)),
            };
        }
        let skipped = (method.is_static() && !self.target.is_static()) as usize;
        let given = if is_post { plan.arguments.len() } else { 1 };
        let arguments: Vec<Operand> = plan.arguments.iter().take(given).skip(skipped).cloned().collect();
        let is_reflective = self.is_reflective(method, &arguments);
        let result = result.filter(|_| is_post).map(|name| {
            // The result of a reflective call has no declared type.
            let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
            let wanted = types.last().and_then(|wanted| self.named(wanted));
            match wanted.filter(|_| self.is_target_reflective() && !is_reflective) {
                Some(wanted) => format!("({wanted}) {name}"),
                None => name.to_string(),
            }
        });
        let called = self.call_of(method, &arguments, result.as_deref());
        if is_reflective { format!("(boolean) {called}") } else { called }
    }

    /// The type of the result as a variable has it.
    pub(super) fn result_type(&self) -> String {
        let (_, result) = descriptor::method(self.target.descriptor).unwrap_or_default();
        if self.is_constructor() {
            return self.target.class().source_name(self.package).unwrap_or("Object".to_string());
        }
        if self.is_target_reflective() {
            return "Object".to_string();
        }
        let class = self.program.load_descriptor(result).ok();
        class.and_then(|class| class.source_name(self.package)).unwrap_or("Object".to_string())
    }

    fn is_target_reflective(&self) -> bool {
        self.is_reflective(self.target, &self.plan.arguments)
    }

    /// The expression for an operand where that type is wanted.
    pub(super) fn operand(&mut self, operand: &Operand, wanted: &str) -> String {
        let kind = Kind::of_descriptor(wanted);
        match operand {
            Operand::Plain(datum) => literal(*datum, kind),
            Operand::Literal(units) => text(units),
            Operand::Boxed { class, value } => boxed(class, *value),
            Operand::Held { owner, field } => self.held(owner, field, wanted),
            Operand::ClassObject { name } => match self.program.load(name) {
                Ok(class) => self.class_literal(class),
                Err(_) => "Object.class".to_string(),
            },
            Operand::Made(step) => {
                let Some((name, known)) = self.variables.get(step) else { return "null".to_string() };
                let declared = self.plan.steps[*step].makes();
                let fits = match (declared, self.program.load_descriptor(wanted)) {
                    (Some(declared), Ok(wanted)) => declared.is_subtype_of(wanted),
                    _ => true,
                };
                match (known, wanted) {
                    (Some(_), _) if fits => name.clone(),
                    (_, "Ljava/lang/Object;") => name.clone(),
                    _ => match self.named(wanted) {
                        Some(class) => format!("({class}) {name}"),
                        None => name.clone(),
                    },
                }
            }
        }
    }

    /// Reads fields from an argument on: `map.root.left`.
    pub(super) fn route(&mut self, argument: usize, fields: &[&'static Field]) -> String {
        let plan = self.plan;
        let start = plan.arguments.get(argument).map(|operand| self.operand(operand, "Ljava/lang/Object;"));
        let names = fields.iter().map(|field| field.name.to_string());
        start.into_iter().chain(names).collect::<Vec<String>>().join(".")
    }

    /// The class as source names it: `Node.class`, or by its name where source may not.
    pub(super) fn class_literal(&mut self, class: &Class) -> String {
        match class.source_name(self.package) {
            Some(name) => format!("{name}.class"),
            None => {
                self.needs.throws = true;
                format!("Class.forName({})", quoted_name(&class.java_name()))
            }
        }
    }

    /// Sets a static field.
    pub(super) fn set_static(
        &mut self,
        owner: &'static Class,
        field: &Field,
        value: &Operand,
        is_direct: bool,
    ) -> String {
        let value = self.operand(value, field.descriptor);
        match (is_direct, owner.source_name(self.package)) {
            (true, Some(name)) => format!("{name}.{} = {value};", field.name),
            _ => self.set(owner, "null", field, &value),
        }
    }

    /// The variable of an argument, with its type. None if it is written out where it is used.
    pub(super) fn argument(&self, position: usize) -> Option<(String, String)> {
        match self.plan.arguments.get(position)? {
            Operand::Made(step) => {
                let (name, known) = self.variables.get(step)?;
                Some((known.clone().unwrap_or_else(|| "Object".to_string()), name.clone()))
            }
            _ => None,
        }
    }

    /// A name that no variable has yet.
    pub(super) fn fresh_name(&mut self, wanted: &str) -> String {
        let wanted: String = wanted.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
        let is_taken = !is_identifier(&wanted) || UNWANTED.contains(&wanted.as_str());
        let base = match wanted.starts_with(|letter: char| letter.is_ascii_digit()) {
            true => format!("object{wanted}"),
            false if is_taken => format!("{wanted}Object"),
            false => wanted,
        };
        let mut name = base.clone();
        let mut number = 1;
        while !self.taken.insert(name.clone()) {
            number += 1;
            name = format!("{base}{number}");
        }
        name
    }

    /// Adds a method of which the name begins so, and gives the name.
    pub(super) fn add_member(&mut self, word: &str, write: impl Fn(&str) -> String) -> String {
        let name = format!("{word}{}", self.members_before + self.members.len() + 1);
        self.members.push(write(&name));
        name
    }

    pub(super) fn named(&self, descriptor: &str) -> Option<String> {
        self.program.load_descriptor(descriptor).ok()?.source_name(self.package)
    }

    fn statement(&mut self, index: usize, step: &Step) -> String {
        let declared = self.declaration(index);
        match step {
            Step::New { constructor, arguments } => {
                self.note_exceptions(constructor);
                format!("{declared} = {};", self.creation(constructor, arguments))
            }
            Step::Allocate { class } => {
                self.needs.allocate = true;
                self.needs.throws = true;
                let cast = class.source_name(self.package).map(|name| format!("({name}) ")).unwrap_or_default();
                let class = self.class_literal(class);
                format!("{declared} = {cast}allocate({class});")
            }
            Step::Implement { .. } => {
                let name = self.variables.get(&index).and_then(|(_, known)| known.clone()).unwrap_or_default();
                format!("{declared} = new {name}();")
            }
            Step::Array { class, elements } => format!("{declared} = {};", self.array(class, elements)),
            Step::Box { class, value } => {
                let simple = class.name.rsplit('/').next().unwrap_or(class.name);
                let kind = Kind::of_box(class.name).unwrap_or(Kind::Int);
                format!("{declared} = new {simple}({});", literal(*value, kind))
            }
            Step::Text { units } => format!("{declared} = new String({});", text(units)),
            Step::Call { method, receiver, arguments, result } => {
                let all: Vec<Operand> = receiver.iter().chain(arguments).cloned().collect();
                let call = self.call_of(method, &all, None);
                let (_, given) = descriptor::method(method.descriptor).unwrap_or_default();
                let given = if self.is_reflective(method, &all) { "Ljava/lang/Object;" } else { given };
                match result {
                    Some(class) => format!("{declared} = {}{call};", self.cast_to(class, given)),
                    None => format!("{call};"),
                }
            }
            Step::Refused { method, receiver, arguments } => {
                let all: Vec<Operand> = receiver.iter().chain(arguments).cloned().collect();
                let call = self.call_of(method, &all, None);
                let refused = self.fresh_name("refused");
                format!("try {{ {call}; }} catch (Exception {refused}) {{}}")
            }
            Step::Read { object, owner, field, result } => {
                let cast = self.cast_to(result, field.descriptor);
                let object = match object {
                    Some(object) => self.operand(object, &owner.descriptor()),
                    None => owner.source_name(self.package).unwrap_or_default(),
                };
                let object = if object.starts_with('(') { format!("({object})") } else { object };
                format!("{declared} = {cast}{object}.{};", field.name)
            }
            Step::ReadElement { array, index, result } => {
                let array = self.operand(array, "Ljava/lang/Object;");
                format!("{declared} = {}{array}[{index}];", self.cast_to(result, "Ljava/lang/Object;"))
            }
            Step::Set { object, owner, field, value, is_direct } => {
                let value = self.operand(value, field.descriptor);
                let object = self.variables.get(object).map(|(name, _)| name.clone()).unwrap_or_default();
                match is_direct {
                    true => format!("{object}.{} = {value};", field.name),
                    false => self.set(owner, &object, field, &value),
                }
            }
            Step::SetElement { array, index, value } => {
                let class = self.plan.steps[*array].makes();
                let wanted =
                    class.and_then(Class::component).map_or("Ljava/lang/Object;".to_string(), Class::descriptor);
                let value = self.operand(value, &wanted);
                let array = self.variables.get(array).map(|(name, _)| name.clone()).unwrap_or_default();
                match self.named(&wanted) {
                    Some(_) => format!("{array}[{index}] = {value};"),
                    None => format!("((Object[]) {array})[{index}] = {value};"),
                }
            }
            Step::SetStatic { owner, field, value, is_direct } => self.set_static(owner, field, value, *is_direct),
        }
    }

    /// `(Line) ` before an expression of another type. Nothing where the type is declared so.
    fn cast_to(&self, class: &'static Class, declared: &str) -> String {
        let fits = self.program.load_descriptor(declared).is_ok_and(|declared| declared.is_subtype_of(class));
        let name = class.source_name(self.package).filter(|_| !fits);
        name.map(|name| format!("({name}) ")).unwrap_or_default()
    }

    fn set(&mut self, owner: &'static Class, object: &str, field: &Field, value: &str) -> String {
        self.needs.set = true;
        self.needs.throws = true;
        let owner = self.class_literal(owner);
        format!("set({owner}, {object}, {}, {value});", quoted_name(field.name))
    }

    fn creation(&mut self, constructor: &'static Method, arguments: &[Operand]) -> String {
        let class = constructor.class();
        let (types, _) = descriptor::method(constructor.descriptor).unwrap_or_default();
        let mut given: Vec<String> = arguments
            .iter()
            .zip(&types)
            .map(|(argument, wanted)| self.cast_operand(constructor, argument, wanted))
            .collect();
        let name = class.source_name(self.package).unwrap_or_default();
        match class.is_inner() && !given.is_empty() {
            true => {
                let outer = given.remove(0);
                let simple = name.rsplit('.').next().unwrap_or(&name).to_string();
                format!("{outer}.new {simple}({})", given.join(", "))
            }
            false => format!("new {name}({})", given.join(", ")),
        }
    }

    fn array(&mut self, class: &'static Class, elements: &[Operand]) -> String {
        let component = class.component().map_or("Ljava/lang/Object;".to_string(), Class::descriptor);
        let is_usual = |operand: &Operand| match operand {
            Operand::Plain(datum) => is_default(*datum),
            _ => false,
        };
        let name = class.source_name(self.package);
        let Some(name) = name else {
            let kind = class.component().map_or("Object.class".to_string(), |class| self.class_literal(class));
            let made = format!("java.lang.reflect.Array.newInstance({kind}, {})", elements.len());
            // The elements are put in one by one, because source cannot name the type.
            return match elements.iter().all(is_usual) {
                true => made,
                false => {
                    let listed: Vec<String> =
                        elements.iter().map(|element| self.operand(element, "Ljava/lang/Object;")).collect();
                    self.needs.filled = true;
                    format!("filled({made}, {})", listed.join(", "))
                }
            };
        };
        if elements.iter().all(is_usual) && !elements.is_empty() {
            // In Java the outermost length comes first: `new int[3][]`.
            let (base, rest) = name.split_at(name.find("[]").unwrap_or(name.len()));
            return format!("new {base}[{}]{}", elements.len(), &rest[2..]);
        }
        let listed: Vec<String> = elements.iter().map(|element| self.operand(element, &component)).collect();
        let lines: Vec<String> = listed.chunks(LISTED).map(|chunk| chunk.join(", ")).collect();
        format!("new {name} {{{}}}", lines.join(",\n            "))
    }

    fn held(&mut self, owner: &str, field: &str, wanted: &str) -> String {
        let Ok(owner) = self.program.load(owner) else { return "null".to_string() };
        let declared = owner.fields.iter().find(|known| known.name == field);
        match (declared, owner.source_name(self.package)) {
            (Some(declared), Some(name)) if self.program.can_use_field(owner, declared, self.package) => {
                format!("{name}.{field}")
            }
            _ => {
                self.needs.get = true;
                self.needs.throws = true;
                let cast = self.named(wanted).map(|name| format!("({name}) ")).unwrap_or_default();
                let owner = self.class_literal(owner);
                format!("{cast}get({owner}, null, {})", quoted_name(field))
            }
        }
    }

    /// A call: of an instance method, the first argument is the receiver.
    fn call_of(&mut self, method: &'static Method, arguments: &[Operand], result: Option<&str>) -> String {
        self.note_exceptions(method);
        let (receiver, others) = match method.is_static() {
            true => (None, arguments),
            false => (arguments.first(), &arguments[1.min(arguments.len())..]),
        };
        let mut given = self.given(method, others);
        given.extend(result.map(str::to_string));
        let receiver = receiver.map(|receiver| self.operand(receiver, &method.class().descriptor()));
        if self.is_reflective(method, arguments) {
            return self.reflective(method, &receiver.unwrap_or("null".to_string()), &given);
        }
        let owner = receiver.or_else(|| method.class().source_name(self.package)).unwrap_or_default();
        let owner = if owner.starts_with('(') { format!("({owner})") } else { owner };
        format!("{owner}.{}({})", method.name, given.join(", "))
    }

    fn given(&mut self, method: &'static Method, arguments: &[Operand]) -> Vec<String> {
        let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
        arguments.iter().zip(&types).map(|(argument, wanted)| self.cast_operand(method, argument, wanted)).collect()
    }

    /// An argument, with its type where another method of the same name might be meant.
    fn cast_operand(&mut self, method: &'static Method, argument: &Operand, wanted: &str) -> String {
        let written = self.operand(argument, wanted);
        let is_overloaded = self.is_overloaded(method);
        let is_reference = Kind::of_descriptor(wanted) == Kind::Reference;
        match self.named(wanted) {
            Some(name) if is_overloaded && is_reference => format!("({name}) {written}"),
            _ => written,
        }
    }

    /// Might arguments without their types mean another method?
    pub(super) fn is_overloaded(&self, method: &'static Method) -> bool {
        let same = |other: &&Method| other.name == method.name && other.parameters.len() == method.parameters.len();
        let mut others = method.class().chain().flat_map(|class| class.methods.iter().copied());
        others.any(|other| same(&other) && other.descriptor != method.descriptor)
            || method.access & access::VARARGS != 0
    }

    fn is_reflective(&self, method: &'static Method, arguments: &[Operand]) -> bool {
        let receiver = arguments.first().filter(|_| !method.is_static());
        let is_unnamed = |operand: &Operand| match operand {
            Operand::Made(step) => self.variables.get(step).is_some_and(|(_, known)| known.is_none()),
            _ => false,
        };
        !self.program.can_call(method, self.package)
            || (receiver.is_some_and(is_unnamed) && method.class().source_name(self.package).is_none())
    }

    /// A call by reflection.
    pub(super) fn reflective(&mut self, method: &'static Method, receiver: &str, given: &[String]) -> String {
        self.needs.call = true;
        self.needs.throws = true;
        let (types, _) = descriptor::method(method.descriptor).unwrap_or_default();
        let classes: Vec<String> = types
            .iter()
            .map(|wanted| match self.program.load_descriptor(wanted) {
                Ok(class) => self.class_literal(class),
                Err(_) => "Object.class".to_string(),
            })
            .collect();
        let owner = self.class_literal(method.class());
        let arguments: String = given.iter().map(|argument| format!(", {}", as_object(argument))).collect();
        let name = quoted_name(method.name);
        format!("call({owner}, {receiver}, {name}, new Class<?>[] {{{}}}{arguments})", classes.join(", "))
    }

    pub(super) fn note_exceptions(&mut self, method: &'static Method) {
        self.needs.throws |= !method.declared_exceptions().is_empty();
    }

    fn declaration(&self, index: usize) -> String {
        match self.variables.get(&index) {
            Some((name, known)) => format!("{} {name}", known.as_deref().unwrap_or("Object")),
            None => String::new(),
        }
    }

    /// Arguments are called as the parameters are, other objects by their classes.
    fn name_variables(&mut self) {
        let has_receiver = !self.target.is_static() && !self.is_constructor();
        let mut names = parameter_names(self.target);
        if has_receiver {
            names.insert(0, variable_name(self.target.class()));
        }
        let plan = self.plan;
        for (operand, name) in plan.arguments.iter().zip(&names) {
            if let Operand::Made(step) = operand
                && !self.variables.contains_key(step)
            {
                self.declare(*step, name.clone());
            }
        }
        for (index, step) in plan.steps.iter().enumerate() {
            let name = match step {
                Step::Text { .. } => "text".to_string(),
                step => match step.makes() {
                    Some(class) => variable_name(class),
                    None => continue,
                },
            };
            if !self.variables.contains_key(&index) {
                self.declare(index, name);
            }
        }
    }

    fn declare(&mut self, step: usize, wanted: String) {
        let name = self.fresh_name(&wanted);
        let known = match &self.plan.steps[step] {
            Step::Text { .. } => Some("String".to_string()),
            Step::Implement { class } => Some(self.implementation(step, class)),
            made => made.makes().and_then(|class| class.source_name(self.package)),
        };
        self.variables.insert(step, (name, known));
    }
}

/// `Integer.valueOf(5)`
pub(super) fn boxed(class: &str, value: Datum) -> String {
    let simple = class.rsplit('/').next().unwrap_or(class);
    format!("{simple}.valueOf({})", literal(value, Kind::of_box(class).unwrap_or(Kind::Int)))
}

/// The arguments of a reflective call have no types: null needs one.
fn as_object(argument: &str) -> String {
    if argument == "null" { "(Object) null".to_string() } else { argument.to_string() }
}

fn is_default(datum: Datum) -> bool {
    match datum {
        Datum::Any | Datum::Null => true,
        Datum::Int(value) => value == 0,
        Datum::Long(value) => value == 0,
        Datum::Float(value) => value.to_bits() == 0,
        Datum::Double(value) => value.to_bits() == 0,
        Datum::Object(_) => false,
    }
}

/// `entry` for `TreeMap$Entry`, `ints` for `int[]`.
fn variable_name(class: &Class) -> String {
    if let Some(component) = class.component() {
        return format!("{}s", variable_name(component));
    }
    let simple = class.name.rsplit(['/', '$']).next().unwrap_or(class.name);
    let start = simple.find(|letter: char| letter.is_lowercase()).unwrap_or(simple.len());
    // `SQLFilter` becomes `sqlFilter`, `Node` becomes `node`.
    let lowered = if start <= 1 || start == simple.len() { start.max(1) } else { start - 1 };
    let (first, rest) = simple.split_at(lowered.min(simple.len()));
    let name = first.to_lowercase() + rest;
    if name.starts_with(|letter: char| letter.is_ascii_digit()) { format!("object{name}") } else { name }
}
