//! How is glue code made? Lambdas, string concatenations, record methods and reflective calls become ordinary classes and
//! methods, so that the interpreter needs no second way of calling, and a state in the middle of one can be forked.

use std::sync::OnceLock;

use super::class::{Class, Method, MethodId};
use super::code::*;
use super::{Program, access, descriptor};
use crate::value::{Kind, Value};

/// A method of a synthetic class.
pub struct SyntheticMethod {
    /// The simple name.
    pub name: &'static str,
    /// The parameter and result types as a descriptor.
    pub descriptor: String,
    /// The access flags, see [`access`].
    pub access: u16,
    /// The assembled body.
    pub code: Code,
}

/// The description of a class that Lazuli makes at run time.
pub struct SyntheticClass {
    /// The binary name with slashes, unique in the program.
    pub name: String,
    /// The class in whose name the glue acts; it decides origin and package.
    pub host: &'static Class,
    /// The direct superinterfaces.
    pub interfaces: Vec<&'static Class>,
    /// Name, descriptor and access flags.
    pub fields: Vec<(&'static str, String, u16)>,
    /// The methods, bodies included.
    pub methods: Vec<SyntheticMethod>,
}

impl Program {
    /// A name for a synthetic class of `host` that no other class has.
    pub fn fresh_name(&self, host: &Class, what: &str) -> String {
        let number = self.fresh.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("{}$${what}${number}", host.name)
    }

    /// Defines a synthetic class that extends `java.lang.Object`.
    pub fn define_synthetic(&self, class: SyntheticClass) -> &'static Class {
        self.define_synthetic_under(self.known().object, class)
    }

    /// A synthetic class that extends `super_class`.
    pub fn define_synthetic_under(&self, super_class: &'static Class, class: SyntheticClass) -> &'static Class {
        let fields = class.fields.into_iter().map(|(name, kind, access)| (name, self.intern_name(&kind), access, None));
        let fields = fields.collect();
        let methods = class.methods.into_iter().map(|method| {
            let name = self.intern_name(&method.descriptor);
            let (parameters, result) = descriptor::kinds(name).expect("glue has well-formed descriptors");
            Method {
                id: MethodId(u32::MAX),
                name: method.name,
                descriptor: name,
                access: method.access,
                arguments: parameters.len() as u32 + (method.access & access::STATIC == 0) as u32,
                parameters,
                result,
                vindex: None,
                hidden: true,
                class: OnceLock::new(),
                code: OnceLock::from(method.code),
                used: Default::default(),
                native: None,
                symbolic: None,
                watched: None,
                guide: None,
                names: None,
            }
        });
        let methods = methods.collect();
        let blank = Class {
            access: super::access::FINAL | super::access::SYNTHETIC,
            ..Class::blank(self.intern_name(&class.name), class.host.origin.clone())
        };
        let class = self.assemble(blank, Some(super_class), class.interfaces, fields, methods);
        self.define(class)
    }
}

/// Builds the code of a synthetic method, with every reference already resolved.
#[derive(Default)]
pub struct Assembler {
    ops: Vec<Op>,
    constants: Vec<Value>,
    fields: Vec<FieldSite>,
    calls: Vec<CallSite>,
    classes: Vec<ClassSite>,
    recipes: Vec<Box<[Piece]>>,
    handlers: Vec<Handler>,
    walks: Vec<(u32, u16)>,
}

impl Assembler {
    /// Appends an instruction.
    pub fn op(&mut self, op: Op) -> &mut Self {
        self.ops.push(op);
        self
    }

    /// The index of the next instruction.
    pub fn here(&self) -> u32 {
        self.ops.len() as u32
    }

    /// A loop begins here that takes one object after the other from the queue in a register, until none is left.
    pub fn walk(&mut self, queue: usize) {
        self.walks.push((self.here(), queue as u16));
    }

    /// Replaces an instruction that was emitted before its jump target was known.
    pub fn patch(&mut self, at: u32, op: Op) {
        self.ops[at as usize] = op;
    }

    /// Pushes a local variable.
    pub fn load(&mut self, register: usize) -> &mut Self {
        self.op(Op::Load(register as u16))
    }

    /// Pushes a `long`, `float` or `double` constant, or any other value.
    pub fn constant(&mut self, value: Value) -> &mut Self {
        self.constants.push(value);
        self.op(Op::Constant(self.constants.len() as u32 - 1))
    }

    /// Pops an object and pushes its field of that name.
    pub fn get_field(&mut self, program: &Program, class: &'static Class, name: &str) -> &mut Self {
        let site = self.field(program, class, name);
        self.op(Op::GetField(site))
    }

    /// Pops a value and an object, and writes the field of that name.
    pub fn put_field(&mut self, program: &Program, class: &'static Class, name: &str) -> &mut Self {
        let site = self.field(program, class, name);
        self.op(Op::PutField(site))
    }

    /// Pushes a static field by name.
    pub fn get_static(&mut self, program: &Program, class: &'static Class, name: &str) -> &mut Self {
        let site = self.field(program, class, name);
        self.op(Op::GetStatic(site))
    }

    /// Pops a value into a static field by name.
    pub fn put_static(&mut self, program: &Program, class: &'static Class, name: &str) -> &mut Self {
        let site = self.field(program, class, name);
        self.op(Op::PutStatic(site))
    }

    /// A reference to a field of a class that is still being built: resolved when first reached.
    pub fn late_field(&mut self, class: &'static str, name: &'static str, descriptor: &'static str) -> u32 {
        self.fields.push(FieldSite { class, name, descriptor, resolved: OnceLock::new() });
        self.fields.len() as u32 - 1
    }

    /// A reference to a class that is still being built.
    pub fn late_class(&mut self, name: &'static str) -> u32 {
        self.classes.push(ClassSite { name, resolved: OnceLock::new() });
        self.classes.len() as u32 - 1
    }

    /// Calls a static method with the operands on the stack.
    pub fn call_static(&mut self, method: &'static Method) -> &mut Self {
        let site = self.call(method);
        self.op(Op::InvokeStatic(site))
    }

    /// Calls a method without selection: a constructor, say.
    pub fn call_special(&mut self, method: &'static Method) -> &mut Self {
        let site = self.call(method);
        self.op(Op::InvokeSpecial(site))
    }

    /// A call that is dispatched on the receiver.
    pub fn call_virtual(&mut self, method: &'static Method) -> &mut Self {
        let site = self.call(method);
        let op = if method.class().is_interface() { Op::InvokeInterface(site) } else { Op::InvokeVirtual(site) };
        self.op(op)
    }

    /// Allocates an object of a class, to be constructed.
    pub fn new_object(&mut self, class: &'static Class) -> &mut Self {
        let site = self.class(class);
        self.op(Op::New(site))
    }

    /// Pops a length and allocates an array; `class` is the array's own class.
    pub fn new_array(&mut self, class: &'static Class) -> &mut Self {
        let site = self.class(class);
        self.op(Op::NewArray(site))
    }

    /// Casts the top reference to a class.
    pub fn check_cast(&mut self, class: &'static Class) -> &mut Self {
        let site = self.class(class);
        self.op(Op::CheckCast(site))
    }

    /// Tests whether the top reference denotes an object of a class.
    pub fn instance_of(&mut self, class: &'static Class) -> &mut Self {
        let site = self.class(class);
        self.op(Op::InstanceOf(site))
    }

    /// Pushes the `java.lang.Class` object of a class.
    pub fn class_constant(&mut self, class: &'static Class) -> &mut Self {
        let site = self.class(class);
        self.op(Op::ClassConstant(site))
    }

    /// A call of a method whose call sites each have a type of their own.
    pub fn call_polymorphic(&mut self, method: &'static Method, descriptor: &'static str, arguments: u32) -> &mut Self {
        let site = self.call(method);
        self.calls[site as usize].descriptor = descriptor;
        self.calls[site as usize].arguments = arguments;
        self.op(Op::InvokeVirtual(site))
    }

    /// Joins the arguments on the stack and literals to a string.
    pub fn concat(&mut self, pieces: Vec<Piece>) -> &mut Self {
        self.recipes.push(pieces.into());
        self.op(Op::Concat(self.recipes.len() as u32 - 1))
    }

    /// Catches what the instructions from `start` up to `end` throw, and goes on at `target`.
    pub fn handler(&mut self, start: u32, end: u32, target: u32, catches: Option<&'static Class>) -> &mut Self {
        let catches = catches.map(|class| self.class(class));
        self.handlers.push(Handler { start, end, target, catches });
        self
    }

    /// Initialises a class: reads a place of its mirror as if it were a static field, and drops what is there.
    pub fn initialise(&mut self, program: &Program, class: &'static Class) -> &mut Self {
        let slot = program.known().class_id_slot as u32;
        let resolved = ResolvedField {
            class,
            slot,
            kind: Kind::Int,
            is_static: true,
            is_variable: false,
            access: access::STATIC | access::FINAL,
        };
        self.fields.push(FieldSite {
            class: class.name,
            name: "id",
            descriptor: "I",
            resolved: OnceLock::from(resolved),
        });
        self.op(Op::GetStatic(self.fields.len() as u32 - 1)).op(Op::Pop)
    }

    /// Returns a value of this kind, or nothing.
    pub fn return_kind(&mut self, kind: Kind) -> &mut Self {
        self.op(if kind == Kind::Void { Op::Return } else { Op::ReturnValue })
    }

    /// Completes the body, with room for that many local variables and operands.
    pub fn finish(self, locals: usize, stack: usize) -> Code {
        Code {
            offsets: (0..self.ops.len() as u16).collect(),
            ops: self.ops.into(),
            locals: locals as u32,
            registers: (locals + stack) as u32,
            constants: self.constants.into(),
            fields: self.fields.into(),
            calls: self.calls.into(),
            classes: self.classes.into(),
            recipes: self.recipes.into(),
            handlers: self.handlers.into(),
            walks: self.walks.into(),
            ..Code::default()
        }
    }

    fn field(&mut self, program: &Program, class: &'static Class, name: &str) -> u32 {
        let owner = class.chain().find(|class| class.fields.iter().any(|field| field.name == name));
        let owner = owner.expect("glue names fields that exist");
        let field = class.field(name).expect("just found");
        let resolved = ResolvedField {
            class: owner,
            slot: program.slot_of(field),
            kind: field.kind,
            is_static: field.is_static(),
            is_variable: false,
            access: field.access,
        };
        let site = FieldSite {
            class: owner.name,
            name: field.name,
            descriptor: field.descriptor,
            resolved: OnceLock::from(resolved),
        };
        self.fields.push(site);
        self.fields.len() as u32 - 1
    }

    fn call(&mut self, method: &'static Method) -> u32 {
        self.calls.push(CallSite {
            class: method.class().name,
            name: method.name,
            descriptor: method.descriptor,
            arguments: method.arguments,
            resolved: OnceLock::from(method),
        });
        self.calls.len() as u32 - 1
    }

    fn class(&mut self, class: &'static Class) -> u32 {
        self.classes.push(ClassSite { name: class.name, resolved: OnceLock::from(class) });
        self.classes.len() as u32 - 1
    }
}

impl Program {
    /// Runs a class's own initialiser, once those of its supertypes above it on the stack are done.
    /// It has no handlers, so a supertype's failure passes through without reaching the initialiser.
    pub fn initialiser_stub(&self, class: &'static Class) -> &'static Method {
        class.initialiser_stub.get_or_init(|| {
            let mut assembler = Assembler::default();
            if let Some(initialiser) = class.own_method("<clinit>", "()V") {
                assembler.call_static(initialiser);
            }
            assembler.op(Op::Return);
            let method = Method {
                id: MethodId(u32::MAX),
                name: "<clinit>",
                descriptor: "()V",
                access: super::access::STATIC,
                parameters: Box::default(),
                result: Kind::Void,
                arguments: 0,
                vindex: None,
                hidden: true,
                class: OnceLock::from(class),
                code: OnceLock::from(assembler.finish(0, 1)),
                used: Default::default(),
                native: None,
                symbolic: None,
                watched: None,
                guide: None,
                names: None,
            };
            Box::leak(Box::new(method))
        })
    }

    /// The code of a native method that has handed over to a Java method: it returns what that returns.
    pub fn native_stub(&self, result: Kind) -> &'static Code {
        let (stub, last) = match result {
            Kind::Void => (&self.stubs.0, Op::Return),
            _ => (&self.stubs.1, Op::ReturnValue),
        };
        stub.get_or_init(|| {
            let mut assembler = Assembler::default();
            assembler.op(Op::Nop).op(last);
            Box::leak(Box::new(assembler.finish(0, 2)))
        })
    }
}
