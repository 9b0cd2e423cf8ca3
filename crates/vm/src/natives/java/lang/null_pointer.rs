//! What does a NullPointerException say? The text that HotSpot computes from the bytecode (JEP 358).
//!
//! The message has two parts: what could not be done, and which expression was null. It is only made for exceptions that the
//! virtual machine raised itself: the top frame then stands at an instruction that dereferences a reference.

use lazuli_classfile::format::attributes::{AttributeData, CodeData};
use lazuli_classfile::format::bytecode::Opcode;
use lazuli_classfile::format::constant_pool::MemberRef;

use super::operand_sources::{OperandSources, Stack, call_words, words};
use crate::heap::Body;
use crate::natives::{Call, Exit, Models};
use crate::program::{Method, descriptor, readable_type};
use crate::value::{Kind, Value};

/// The model that computes the message of a NullPointerException.
pub(super) const MODELS: &[Models] =
    &[("java/lang/NullPointerException", &[("getExtendedNPEMessage()Ljava/lang/String;", extended_message)])];

/// How many fields and array elements an expression may be followed through.
const DEEPEST_EXPRESSION: u32 = 5;

/// Array indices are followed without that limit, so their number is bounded here, against hostile code.
const MOST_SUBEXPRESSIONS: u32 = 1000;

fn extended_message(call: &mut Call) -> Result<Value, Exit> {
    let message = message_of(call);
    Ok(message.map_or(Value::NULL, |message| call.new_text(&message).into()))
}

fn message_of(call: &Call) -> Option<String> {
    let slot = call.vm.program.known().throwable_backtrace;
    let Value::Ref(Some(backtrace)) = call.state.heap.field(call.this(), slot) else { return None };
    let Body::Ints(trace) = &call.state.heap.get(backtrace).body else { return None };
    // An odd length says that the innermost frame is not shown, so the top of the trace is not where it happened.
    if trace.len() % 2 != 0 {
        return None;
    }
    let &[method, pc, ..] = &trace[..] else { return None };
    let method = call.vm.program.method(u32::try_from(method).ok()?);
    let pc = usize::try_from(pc).ok()?;
    let offset = *call.vm.program.code(method).ok()?.offsets.get(pc)?;
    describe(method, offset as usize)
}

/// The message for the instruction at a byte offset; none if it dereferences nothing.
fn describe(method: &'static Method, offset: usize) -> Option<String> {
    let class = method.class();
    let file = lazuli_classfile::with_instructions(class.bytes?, class.file?).ok()?;
    let index = class.methods.iter().position(|other| other.id == method.id)?;
    let data = file.methods.get(index)?.attributes.iter().find_map(|attribute| match &attribute.data {
        AttributeData::Code(data) => Some(data),
        _ => None,
    })?;
    let bytecode = data.bytecode.as_ref()?;
    let at = bytecode.get_opcode_index(offset)?;
    let (action, depth) = failed_action(&bytecode.opcodes[at].1)?;
    let sources = OperandSources::of(data, at)?;
    let mut description = Description { method, data, sources, text: action, remaining: MOST_SUBEXPRESSIONS };
    description.because(at, depth);
    Some(description.text)
}

/// The action that the instruction could not do, and how many stack slots lie above the reference that was null.
fn failed_action(opcode: &Opcode) -> Option<(String, usize)> {
    use Opcode::*;
    let (action, depth) = match opcode {
        Iaload => ("Cannot load from int array", 1),
        Faload => ("Cannot load from float array", 1),
        Aaload => ("Cannot load from object array", 1),
        Baload => ("Cannot load from byte/boolean array", 1),
        Caload => ("Cannot load from char array", 1),
        Saload => ("Cannot load from short array", 1),
        Laload => ("Cannot load from long array", 1),
        Daload => ("Cannot load from double array", 1),
        Iastore => ("Cannot store to int array", 2),
        Fastore => ("Cannot store to float array", 2),
        Aastore => ("Cannot store to object array", 2),
        Bastore => ("Cannot store to byte/boolean array", 2),
        Castore => ("Cannot store to char array", 2),
        Sastore => ("Cannot store to short array", 2),
        Lastore => ("Cannot store to long array", 3),
        Dastore => ("Cannot store to double array", 3),
        Arraylength => ("Cannot read the array length", 0),
        Athrow => ("Cannot throw exception", 0),
        Monitorenter => ("Cannot enter synchronized block", 0),
        Monitorexit => ("Cannot exit synchronized block", 0),
        Getfield(field) => return Some((format!("Cannot read field \"{}\"", field.name_and_type.name), 0)),
        Putfield(field) => {
            let action = format!("Cannot assign field \"{}\"", field.name_and_type.name);
            return Some((action, words(&field.name_and_type.descriptor)));
        }
        Invokevirtual(method) | Invokespecial(method) | Invokeinterface(method, _) => {
            // The receiver of a constructor is never null: the exception was made explicitly.
            if method.name_and_type.name == "<init>" {
                return None;
            }
            let (arguments, _) = call_words(&method.name_and_type.descriptor)?;
            return Some((format!("Cannot invoke \"{}\"", method_name(method)), arguments));
        }
        _ => return None,
    };
    Some((action.to_string(), depth))
}

struct Description<'a> {
    method: &'static Method,
    data: &'a CodeData<'a>,
    sources: OperandSources<'a>,
    text: String,
    remaining: u32,
}

impl Description<'_> {
    /// Adds which expression was null, if it can be told.
    fn because(&mut self, at: usize, depth: usize) {
        let length = self.text.len();
        let source = self.sources.before(at).and_then(|stack| stack.source(depth));
        self.text.push_str(match source.map(|source| self.opcode(source)) {
            Some(opcode) if called_method(opcode).is_some() => " because the return value of \"",
            _ => " because \"",
        });
        if self.expression(at, depth, DEEPEST_EXPRESSION) {
            self.text.push_str("\" is null");
        } else {
            self.text.truncate(length);
        }
    }

    fn opcode(&self, at: usize) -> &Opcode<'_> {
        // Sources are indices of instructions of this very body, which the constructor found to be decoded.
        self.data.bytecode.as_ref().map_or(&Opcode::Nop, |bytecode| &bytecode.opcodes[at].1)
    }

    /// Writes the expression that the operand `depth` slots below the top was computed by. False if nothing was written.
    fn expression(&mut self, at: usize, depth: usize, detail: u32) -> bool {
        if detail == 0 || self.remaining == 0 {
            return false;
        }
        self.remaining -= 1;
        let Some(stack) = self.sources.before(at) else { return false };
        let Some(source) = stack.source(depth) else { return false };
        use Opcode::*;
        let text = match self.opcode(source) {
            Iload(local) | Aload(local) => self.local(source, *local, stack),
            AconstNull => "null".to_string(),
            IconstM1 => "-1".to_string(),
            Iconst0 => "0".to_string(),
            Iconst1 => "1".to_string(),
            Iconst2 => "2".to_string(),
            Iconst3 => "3".to_string(),
            Iconst4 => "4".to_string(),
            Iconst5 => "5".to_string(),
            Bipush(value) => value.to_string(),
            // HotSpot reads the operand of `sipush` without its sign.
            Sipush(value) => (*value as u16).to_string(),
            Getstatic(field) => format!("{}.{}", class_name(&field.class_name), field.name_and_type.name),
            Getfield(field) => {
                let name = field.name_and_type.name.to_string();
                if self.expression(source, 0, detail - 1) {
                    self.text.push('.');
                }
                name
            }
            Iaload | Aaload => {
                if !self.expression(source, 1, detail - 1) {
                    self.text.push_str("<array>");
                }
                self.text.push('[');
                if !self.expression(source, 0, detail) {
                    self.text.push_str("...");
                }
                "]".to_string()
            }
            opcode => match called_method(opcode) {
                Some(method) => method_name(method),
                None => return false,
            },
        };
        self.text.push_str(&text);
        true
    }

    /// The name of a local variable where an instruction loads it.
    fn local(&self, at: usize, local: u16, stack: &Stack) -> String {
        let offset = self.data.bytecode.as_ref().map_or(0, |bytecode| bytecode.opcodes[at].0);
        let tables = self.data.attributes.iter().filter_map(|attribute| match &attribute.data {
            AttributeData::LocalVariableTable(entries) => Some(entries),
            _ => None,
        });
        let named = tables.flatten().find(|entry| {
            let start = entry.start_pc as usize;
            entry.index == local && (start..start + entry.length as usize).contains(&offset)
        });
        if let Some(entry) = named {
            return entry.name.to_string();
        }
        if stack.was_written(local) {
            return format!("<local{local}>");
        }
        let mut first = 0;
        if !self.method.is_static() {
            if local == 0 {
                return "this".to_string();
            }
            first = 1;
        }
        for (position, kind) in self.method.parameters.iter().enumerate() {
            let words = if matches!(kind, Kind::Long | Kind::Double) { 2 } else { 1 };
            if (first..first + words).contains(&local) {
                return format!("<parameter{}>", position + 1);
            }
            first += words;
        }
        format!("<local{local}>")
    }
}

fn called_method<'a>(opcode: &'a Opcode<'a>) -> Option<&'a MemberRef<'a>> {
    match opcode {
        Opcode::Invokevirtual(method)
        | Opcode::Invokespecial(method)
        | Opcode::Invokestatic(method)
        | Opcode::Invokeinterface(method, _) => Some(method),
        _ => None,
    }
}

/// `pkg.Class.method(int, String[])`
fn method_name(method: &MemberRef) -> String {
    let (parameters, _) = descriptor::method(&method.name_and_type.descriptor).unwrap_or_default();
    let parameters: Vec<String> = parameters.into_iter().map(parameter_name).collect();
    format!("{}.{}({})", class_name(&method.class_name), method.name_and_type.name, parameters.join(", "))
}

fn class_name(name: &str) -> String {
    match name {
        "java/lang/Object" => "Object".to_string(),
        "java/lang/String" => "String".to_string(),
        _ => name.replace('/', "."),
    }
}

/// HotSpot shortens every parameter type whose name starts like that of Object or String, StringBuilder among them.
fn parameter_name(descriptor: &str) -> String {
    let name = readable_type(descriptor);
    match name.strip_prefix("java.lang.") {
        Some(short) if short.starts_with("Object") || short.starts_with("String") => short.to_string(),
        _ => name,
    }
}
