//! Which class of a test stands for code that is not there?
//!
//! A nested class counts the calls of its object, whatever method they are of, and does what the plan says for each number. Objects that it gives come from
//! an array that is filled when all of them are made: some of them may refer to the object itself.

use lazuli_reach::plan::{Operand, PlannedCall, PlannedRefusal, PlannedValue, Step};
use lazuli_vm::program::{Class, Method, descriptor};
use lazuli_vm::unknown_code::CallRole;
use lazuli_vm::value::Kind;

use super::body::TestBody;
use super::literal::name as quoted_name;
use crate::implement::methods_to_implement;

impl TestBody<'_> {
    /// Adds the class of an object whose class is not there, and gives its name.
    pub(super) fn implementation(&mut self, step: usize, class: &'static Class) -> String {
        let Some(possible) = class.possible() else { return "Object".to_string() };
        let simple = possible.bound.name.rsplit(['/', '$']).next().unwrap_or("Code").to_string();
        let calls: Vec<(usize, PlannedCall)> =
            self.plan.calls.iter().cloned().enumerate().filter(|(_, call)| is_called(call, step)).collect();
        let mut methods = methods_to_implement(possible);
        for (_, call) in &calls {
            let is_known =
                |known: &&Method| known.name == call.method.name && known.descriptor == call.method.descriptor;
            if !methods.iter().any(is_known) {
                methods.push(call.method);
            }
        }
        let has_values = calls.iter().any(|(_, call)| !values_of(call).is_empty());
        let looks_back = calls.iter().any(|(number, call)| handed_before(call, *number));
        let mut page = String::new();
        if has_values {
            page.push_str("        Object[] values = {};\n");
        }
        if looks_back {
            page.push_str("        final java.util.List<Object[]> given = new java.util.ArrayList<>();\n");
        }
        if !calls.is_empty() {
            page.push_str("        private int calls;\n");
        }
        let refused = self.plan.refused.clone().filter(|refused| refused.receiver == step);
        for method in methods {
            page.push_str(&self.implemented(method, &calls, looks_back, refused.as_ref()));
        }
        let types = |class: &Class| class.source_name(self.package).unwrap_or_default();
        let others: Vec<String> = possible.also.iter().map(|class| types(class)).collect();
        let heading = match possible.bound.is_interface() {
            true => {
                let all: Vec<String> = [types(possible.bound)].into_iter().chain(others).collect();
                format!("implements {}", all.join(", "))
            }
            false if others.is_empty() => format!("extends {}", types(possible.bound)),
            false => format!("extends {} implements {}", types(possible.bound), others.join(", ")),
        };
        self.add_member(&simple, |name| {
            format!(
                "\n    /** Stands for code that is not there: each call does what it does on the path. */\n    static class {name} {heading} {{\n{page}    }}\n"
            )
        })
    }

    /// Hands the objects over that such classes give.
    pub(super) fn give_values(&mut self) {
        let plan = self.plan;
        for (step, made) in plan.steps.iter().enumerate() {
            // An object that turned out to be of a known class behaves as that does.
            if !matches!(made, Step::Implement { .. }) {
                continue;
            }
            let values: Vec<Operand> =
                plan.calls.iter().filter(|call| is_called(call, step)).flat_map(values_of).collect();
            let Some((name, _)) = self.variables.get(&step).cloned() else { continue };
            if values.is_empty() {
                continue;
            }
            let listed: Vec<String> = values.iter().map(|value| self.operand(value, "Ljava/lang/Object;")).collect();
            self.lines.push(format!("{name}.values = new Object[] {{{}}};", listed.join(", ")));
        }
    }

    fn implemented(
        &mut self,
        method: &'static Method,
        calls: &[(usize, PlannedCall)],
        looks_back: bool,
        refused: Option<&PlannedRefusal>,
    ) -> String {
        let (parameters, result) = descriptor::method(method.descriptor).unwrap_or_default();
        let named = |name: &str| self.named(name).unwrap_or("Object".to_string());
        let listed: Vec<String> =
            parameters.iter().enumerate().map(|(at, parameter)| format!("{} arg{at}", named(parameter))).collect();
        let kind = if result == "V" { "void".to_string() } else { named(result) };
        let exceptions: Vec<String> = method
            .declared_exceptions()
            .iter()
            .filter_map(|name| self.program.load(name).ok()?.source_name(self.package))
            .collect();
        let throws = if exceptions.is_empty() { String::new() } else { format!(" throws {}", exceptions.join(", ")) };
        let mut page =
            format!("\n        @Override\n        public {kind} {}({}){throws} {{\n", method.name, listed.join(", "));
        if looks_back {
            let all: Vec<String> = (0..parameters.len()).map(|at| format!("arg{at}")).collect();
            page.push_str(&format!("            given.add(new Object[] {{{}}});\n", all.join(", ")));
        }
        let mut cases = String::new();
        let mut value_at = 0;
        for (position, (number, call)) in calls.iter().enumerate() {
            let first_value = value_at;
            value_at += values_of(call).len();
            let is_it = call.method.name == method.name && call.method.descriptor == method.descriptor;
            if !is_it {
                continue;
            }
            let context = ImplementedCall { number: *number, calls, first_value };
            cases.push_str(&format!("                case {}:\n", position + 1));
            for line in self.done(call, result, &context) {
                cases.push_str(&format!("                    {line}\n"));
            }
        }
        let is_refused = |refused: &&PlannedRefusal| {
            refused.method.name == method.name && refused.method.descriptor == method.descriptor
        };
        let unexpected = match refused.filter(is_refused) {
            Some(refused) => format!("throw new AssertionError({});", quoted_name(&refused.told)),
            None => "throw new IllegalStateException(\"a call that the path does not have\");".to_string(),
        };
        match cases.is_empty() {
            true => page.push_str(&format!("            {unexpected}\n")),
            false => page.push_str(&format!(
                "            switch (++calls) {{\n{cases}                default:\n                    {unexpected}\n            }}\n"
            )),
        }
        page.push_str("        }\n");
        page
    }

    /// The statements of one call.
    fn done(&mut self, call: &PlannedCall, result: &str, context: &ImplementedCall) -> Vec<String> {
        let mut at = context.first_value;
        let mut lines = Vec::new();
        for write in &call.writes {
            let object = self.planned(&write.object, &write.class.descriptor(), context, &mut at);
            match write.class.declaration_at(write.slot).filter(|_| !write.class.is_array()) {
                Some((owner, field)) if !write.is_direct => {
                    let value = self.planned(&write.value, field.descriptor, context, &mut at);
                    self.needs.set = true;
                    let (owner, name) = (self.class_literal(owner), quoted_name(field.name));
                    lines.push("try {".to_string());
                    lines.push(format!("    set({owner}, {object}, {name}, {value});"));
                    lines.push("} catch (Exception failed) {".to_string());
                    lines.push("    throw new IllegalStateException(failed);".to_string());
                    lines.push("}".to_string());
                }
                Some((_, field)) => {
                    let value = self.planned(&write.value, field.descriptor, context, &mut at);
                    lines.push(format!("({object}).{} = {value};", field.name));
                }
                None => {
                    let component = write.class.component().map_or("Ljava/lang/Object;".to_string(), Class::descriptor);
                    let value = self.planned(&write.value, &component, context, &mut at);
                    lines.push(format!("({object})[{}] = {value};", write.slot));
                }
            }
        }
        for refill in &call.refills {
            let (kind, put) = match refill.is_map {
                true => ("java.util.Map<Object, Object>", "put"),
                false => ("java.util.Collection<Object>", "add"),
            };
            let object = self.planned(&refill.object, "Ljava/lang/Object;", context, &mut at);
            let name = format!("filled{}_{}", context.number + 1, lines.len() + 1);
            lines.push("@SuppressWarnings(\"unchecked\")".to_string());
            lines.push(format!("{kind} {name} = ({kind}) (Object) {object};"));
            lines.push(format!("{name}.clear();"));
            for element in refill.values.chunks(1 + refill.is_map as usize) {
                let element: Vec<String> =
                    element.iter().map(|value| self.planned(value, "Ljava/lang/Object;", context, &mut at)).collect();
                lines.push(format!("{name}.{put}({});", element.join(", ")));
            }
        }
        match &call.end {
            Err(class) => {
                let name = class.source_name(self.package).unwrap_or("RuntimeException".to_string());
                lines.push(format!("throw new {name}();"));
            }
            Ok(_) if result == "V" => lines.push("return;".to_string()),
            Ok(value) => {
                let value = self.planned(value, result, context, &mut at);
                lines.push(format!("return {value};"));
            }
        }
        lines
    }

    fn planned(&mut self, value: &PlannedValue, wanted: &str, context: &ImplementedCall, at: &mut usize) -> String {
        let is_reference = Kind::of_descriptor(wanted) == Kind::Reference;
        let cast = match self.named(wanted).filter(|name| is_reference && name != "Object") {
            Some(name) => format!("({name}) "),
            None => String::new(),
        };
        match value {
            PlannedValue::Operand(Operand::Made(_)) => {
                *at += 1;
                format!("{cast}values[{}]", *at - 1)
            }
            PlannedValue::Operand(operand) => self.operand(operand, wanted),
            PlannedValue::Handed { call, argument } if *call == context.number => format!("{cast}arg{argument}"),
            PlannedValue::Handed { call, argument } => {
                let position = context.calls.iter().position(|(number, _)| number == call).unwrap_or(0);
                format!("{cast}given.get({position})[{argument}]")
            }
        }
    }
}

/// Where a call stands among those of its object.
struct ImplementedCall<'a> {
    /// Among all calls.
    number: usize,
    /// The calls of the object, with their numbers.
    calls: &'a [(usize, PlannedCall)],
    /// The first of the object's values that the call needs.
    first_value: usize,
}

/// Does the program call this object here? What clauses of contracts ask, nothing asks on a JVM.
fn is_called(call: &PlannedCall, step: usize) -> bool {
    call.receiver == Some(step) && call.role == CallRole::Program
}

/// The values that a call needs and that source does not write where they are used, in the order in which it needs them.
fn values_of(call: &PlannedCall) -> Vec<Operand> {
    let made = |value: &PlannedValue| match value {
        PlannedValue::Operand(operand @ Operand::Made(_)) => Some(operand.clone()),
        _ => None,
    };
    call.written().chain(call.end.iter()).filter_map(made).collect()
}

/// Does a call need an argument of an earlier one?
fn handed_before(call: &PlannedCall, number: usize) -> bool {
    let is_before = |value: &PlannedValue| matches!(value, PlannedValue::Handed { call, .. } if *call != number);
    call.written().chain(call.end.iter()).any(is_before)
}
