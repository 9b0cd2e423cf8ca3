//! What does an `invokedynamic` instruction do? (JVMS §6.5.invokedynamic)
//!
//! The JDK would spin classes at run time. Lazuli knows the bootstrap methods that javac uses, and links each call site to a
//! synthetic method that does the same: lambdas and method references, string concatenation, the methods of records, and calls
//! of method handles.

mod concat;
pub mod handle;
mod lambda;
mod record;
pub(crate) mod reflective;
mod switch;

use lazuli_classfile::format::constant_pool::{BootstrapArgument, LiteralConstant};

use super::{Trouble, Vm};
use crate::outcome::Stop;
use crate::program::{Assembler, CallSite, Class, DynamicSite, LinkError, Method, Op, Program, descriptor};
use crate::state::State;
use crate::value::Kind;

/// Why a call site cannot be linked.
pub enum CallSiteFailure {
    /// A reference of the call site does not resolve; the program sees the error.
    Link(LinkError),
    /// Linking needs a bootstrap method or a constant that Lazuli does not model.
    Unsupported(String),
}

impl From<LinkError> for CallSiteFailure {
    fn from(error: LinkError) -> CallSiteFailure {
        CallSiteFailure::Link(error)
    }
}

impl From<crate::program::LoadError> for CallSiteFailure {
    fn from(error: crate::program::LoadError) -> CallSiteFailure {
        CallSiteFailure::Link(LinkError::Load(error))
    }
}

impl Vm {
    pub(super) fn invoke_dynamic(&mut self, state: &mut State, site: u32) -> Result<(), Stop> {
        let frame = state.thread.frames.last().expect("an instruction runs in a frame");
        let (code, host) = (frame.code, frame.method.class());
        if self.rules.skips_messages
            && self.is_exploring
            && !self.is_concrete
            && self.example.is_none()
            && let Some(arguments) = concat::unseen_message(&self.program, state, &code.dynamics[site as usize])
        {
            let text = self.new_text(state, "");
            state.complete(arguments, Some(text.into()));
            return Ok(());
        }
        match linked(&self.program, host, &code.dynamics[site as usize]) {
            Ok(method) => self.invoke_glue(state, method),
            Err(failure) => self.not_linked(state, failure),
        }
    }

    /// JVMS §6.5.ldc of a method handle, a method type or a dynamic constant.
    pub(super) fn other_constant(&mut self, state: &mut State, index: u32) -> Result<(), Stop> {
        let frame = state.thread.frames.last().expect("an instruction runs in a frame");
        let (code, host) = (frame.code, frame.method.class());
        let Some((constant, linked)) = code.others.get(index as usize) else {
            return self.malformed(state, "a constant that does not exist");
        };
        let method = match linked.get() {
            Some(method) => *method,
            None => match handle::constant(&self.program, host, constant) {
                Ok(method) => linked.get_or_init(|| method),
                Err(failure) => return self.not_linked(state, failure),
            },
        };
        self.invoke_glue(state, method)
    }

    fn not_linked(&mut self, state: &mut State, failure: CallSiteFailure) -> Result<(), Stop> {
        match failure {
            CallSiteFailure::Link(error) => self.raise(state, Trouble::Link(error)),
            CallSiteFailure::Unsupported(what) => Err(self.unsupported(state, what)),
        }
    }

    /// Calls a static method that glue code consists of.
    fn invoke_glue(&mut self, state: &mut State, method: &'static Method) -> Result<(), Stop> {
        if !state.classes.is_usable(method.class()) {
            return self.initialise(state, method.class());
        }
        self.invoke(state, method, method.arguments)
    }

    /// A call of a method whose call sites each have a type of their own, such as `VarHandle.compareAndSet`.
    pub(super) fn invoke_polymorphic(
        &mut self,
        state: &mut State,
        method: &'static Method,
        call: &'static CallSite,
    ) -> Result<(), Stop> {
        if matches!(method.name, "invoke" | "invokeExact") && method.class().name == "java/lang/invoke/MethodHandle" {
            return match handle::site(&self.program, method.name, call.descriptor) {
                Ok(glue) => self.invoke_glue(state, glue),
                Err(failure) => self.not_linked(state, failure),
            };
        }
        match self.program.polymorphic_model(method) {
            Some(model) => self.run_native(state, method, model, call.descriptor, call.arguments),
            None => Err(self.unsupported(state, format!("{}.{}", method.class().java_name(), method.name))),
        }
    }
}

/// The method that does what a call site does.
pub fn linked(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
) -> Result<&'static Method, CallSiteFailure> {
    match site.linked.get() {
        Some(method) => Ok(method),
        None => link(program, host, site).map(|method| *site.linked.get_or_init(|| method)),
    }
}

/// Does a call site stand for a method that a record gets for free?
pub(super) fn is_of_record(host: &'static Class, site: &DynamicSite) -> bool {
    host.bootstrap_of(site).is_some_and(|entry| &*entry.method.class_name == "java/lang/runtime/ObjectMethods")
}

fn link(
    program: &Program,
    host: &'static Class,
    site: &'static DynamicSite,
) -> Result<&'static Method, CallSiteFailure> {
    let entry = host
        .bootstrap_of(site)
        .ok_or_else(|| CallSiteFailure::Unsupported("invokedynamic without a bootstrap method".into()))?;
    match (&*entry.method.class_name, &*entry.method.member_ref.name) {
        ("java/lang/invoke/LambdaMetafactory", "metafactory" | "altMetafactory") => {
            lambda::link(program, host, site, &entry.arguments)
        }
        ("java/lang/invoke/StringConcatFactory", "makeConcatWithConstants" | "makeConcat") => {
            concat::link(program, host, site, &entry.arguments)
        }
        ("java/lang/runtime/SwitchBootstraps", "typeSwitch" | "enumSwitch") => {
            switch::link(program, host, site, &entry.arguments)
        }
        ("java/lang/runtime/ObjectMethods", "bootstrap") => record::link(program, host, site, &entry.arguments),
        (class, name) => Err(CallSiteFailure::Unsupported(format!(
            "invokedynamic with the bootstrap method {}.{name}",
            class.replace('/', ".")
        ))),
    }
}

/// The string constant at a place in the bootstrap arguments, as UTF-16.
fn string_argument(argument: &BootstrapArgument) -> Option<Vec<u16>> {
    match argument {
        BootstrapArgument::LiteralConstant(LiteralConstant::String(text)) => Some(text.encode_utf16().collect()),
        BootstrapArgument::LiteralConstant(LiteralConstant::StringBytes(bytes)) => {
            Some(descriptor::modified_utf8(bytes))
        }
        _ => None,
    }
}

/// A method of the JDK that glue code calls.
fn library(program: &Program, class: &str, name: &str, descriptor: &str) -> Result<&'static Method, CallSiteFailure> {
    let class = program.load(class)?;
    program.find_method(class, name, descriptor).ok_or_else(|| {
        CallSiteFailure::Link(LinkError::NoSuchMethod(format!("{}.{name}{descriptor}", class.java_name())))
    })
}

/// Emits the conversion of the value on top of the stack from one type to another: casts, boxing, unboxing, widening.
fn convert(program: &Program, assembler: &mut Assembler, from: &str, to: &str) -> Result<(), CallSiteFailure> {
    let (from_kind, to_kind) = (Kind::of_descriptor(from), Kind::of_descriptor(to));
    match (from_kind, to_kind) {
        (_, Kind::Void) => {
            if from_kind != Kind::Void {
                assembler.op(Op::Pop);
            }
        }
        (Kind::Reference, Kind::Reference) => {
            if from != to && to != "Ljava/lang/Object;" {
                assembler.check_cast(program.load_descriptor(to)?);
            }
        }
        (Kind::Reference, _) => {
            // A box is opened as what it is and then widened; anything else is taken for the box of the target.
            let box_kind = Kind::of_box(descriptor::class_name(from)).unwrap_or(to_kind);
            let class = program.load(box_kind.box_class())?;
            if from != format!("L{};", class.name) {
                assembler.check_cast(class);
            }
            let name = format!("{}Value", box_kind.primitive_name().unwrap_or_default());
            let unbox = library(program, class.name, &name, &format!("(){}", box_kind.letter()))?;
            assembler.call_virtual(unbox);
            widen(assembler, box_kind, to_kind);
        }
        (_, Kind::Reference) => {
            let class = from_kind.box_class();
            let signature = format!("({})L{class};", from_kind.letter());
            assembler.call_static(library(program, class, "valueOf", &signature)?);
        }
        _ => widen(assembler, from_kind, to_kind),
    }
    Ok(())
}

/// JLS §5.1.2.
fn widen(assembler: &mut Assembler, from: Kind, to: Kind) {
    let op = match (from, to) {
        (Kind::Long, Kind::Float) => Op::L2f,
        (Kind::Long, Kind::Double) => Op::L2d,
        (Kind::Float, Kind::Double) => Op::F2d,
        (Kind::Long | Kind::Float | Kind::Double, _) => return,
        (_, Kind::Long) => Op::I2l,
        (_, Kind::Float) => Op::I2f,
        (_, Kind::Double) => Op::I2d,
        _ => return,
    };
    assembler.op(op);
}
