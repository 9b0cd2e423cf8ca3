//! What must have happened before a program's first instruction? (What HotSpot does in `Threads::create_vm`.)

use std::rc::Rc;

use lazuli_classfile::ClassOrigin;

use crate::frame::{Frame, Purpose};
use crate::interp::Vm;
use crate::outcome::{End, Stop};
use crate::program::{Class, Method};
use crate::state::State;
use crate::value::{ObjId, Value};

/// Brings a new state to where `main` may start: the JDK's own classes are initialised, the streams are open.
pub fn boot(vm: &mut Vm, state: &mut State) -> Result<(), Stop> {
    state.heap.set_limit(vm.limits.heap);
    for name in ["java/lang/String", "java/lang/System", "java/lang/Class", "java/lang/ThreadGroup", "java/lang/Thread"]
    {
        let class = load(vm, name)?;
        if name == "java/lang/ThreadGroup" {
            // Thread's own initialiser may ask for the current thread.
            state.roots.main_thread = Some(state.heap.allocate(vm.program.known().thread));
        }
        vm.initialise_fully(state, class)?;
    }
    let group_class = load(vm, "java/lang/ThreadGroup")?;
    let system = state.heap.allocate(group_class);
    let main = state.heap.allocate(group_class);
    // Kept alive by the thread, which is not complete yet.
    let thread = state.roots.main_thread.expect("allocated above");
    set(state, thread, "priority", Value::Int(5));
    set(state, thread, "group", main.into());
    set(state, main, "parent", system.into());
    call(vm, state, group_class, "<init>", "()V", &[system.into()])?;
    let name = vm.new_text(state, "main");
    let arguments = [main.into(), system.into(), name.into()];
    call(vm, state, group_class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", &arguments)?;
    let thread_class = vm.program.known().thread;
    let name = vm.new_text(state, "main");
    let arguments = [thread.into(), main.into(), name.into()];
    call(vm, state, thread_class, "<init>", "(Ljava/lang/ThreadGroup;Ljava/lang/String;)V", &arguments)?;
    // From JDK 19 on, a thread keeps its status in an object of its own.
    let keeps_status = match state.heap.class(thread).field("holder").map(|field| field.slot as usize) {
        Some(slot) => state.heap.field(thread, slot),
        None => thread.into(),
    };
    if let Value::Ref(Some(keeps_status)) = keeps_status {
        set(state, keeps_status, "threadStatus", Value::Int(5)); // alive and runnable, as JVMTI counts
    }

    for name in ["java/lang/Module", "java/lang/reflect/Method", "java/lang/ref/Finalizer"] {
        let class = load(vm, name)?;
        vm.initialise_fully(state, class)?;
    }
    let system_class = load(vm, "java/lang/System")?;
    call(vm, state, system_class, "initPhase1", "()V", &[])?;
    // Modules and class loaders are Lazuli's own, so the phases that would make them are only ticked off.
    let vm_class = load(vm, "jdk/internal/misc/VM")?;
    for level in 2..=4 {
        call(vm, state, vm_class, "initLevel", "(I)V", &[Value::Int(level)])?;
    }
    Ok(())
}

fn load(vm: &Vm, name: &str) -> Result<&'static Class, Stop> {
    vm.program.load(name).map_err(|error| unsupported_jdk(format!("a JDK without {name} ({error})")))
}

fn unsupported_jdk(what: String) -> Stop {
    End::unsupported(what, "the start of the virtual machine").into()
}

fn set(state: &mut State, object: ObjId, name: &str, value: Value) {
    if let Some(field) = state.heap.class(object).field(name) {
        state.heap.set_field(object, field.slot as usize, value);
    }
}

fn call(
    vm: &mut Vm,
    state: &mut State,
    class: &'static Class,
    name: &str,
    descriptor: &str,
    arguments: &[Value],
) -> Result<Value, Stop> {
    let method: Option<&'static Method> = class.own_method(name, descriptor);
    let Some(method) = method else {
        return Err(unsupported_jdk(format!("a JDK without {}.{name}{descriptor}", class.java_name())));
    };
    vm.initialise_fully(state, class)?;
    match vm.call(state, method, arguments) {
        Stop::End(End::Returned(value)) => Ok(value),
        stop => Err(stop),
    }
}

impl Vm {
    /// Initialises a class before anything else runs. The thread must have no frames.
    pub fn initialise_fully(&mut self, state: &mut State, class: &'static Class) -> Result<(), Stop> {
        if state.classes.is_usable(class) {
            return Ok(());
        }
        let method = self.program.initialiser_stub(self.program.known().object);
        let code = self.program.native_stub(crate::value::Kind::Void);
        state.thread.stack.resize(state.thread.stack.len().max(16), Value::Top);
        state.thread.frames.push(Frame {
            method,
            code,
            base: 0,
            pc: 0,
            sp: 0,
            purpose: Purpose::Entry,
            synchronized: None,
        });
        self.require(state, class)?;
        match self.run(state) {
            Stop::End(End::Returned(_)) => Ok(()),
            stop => Err(stop),
        }
    }

    /// Gives a new mirror its module and its loader.
    pub(crate) fn place_in_module(&mut self, state: &mut State, class: &'static Class, mirror: ObjId) {
        let name = match &class.origin {
            ClassOrigin::Jdk { module } => module.as_str(),
            ClassOrigin::User => "",
        };
        if let Some(module) = self.module(state, name) {
            state.heap.set_field(mirror, self.program.known().class_module, module.into());
        }
    }

    /// The module object of that name; the unnamed module's is empty.
    pub(crate) fn module(&mut self, state: &mut State, name: &str) -> Option<ObjId> {
        if let Some((_, module)) = state.roots.modules.iter().find(|(known, _)| known == name) {
            return Some(*module);
        }
        let module_class = self.program.load("java/lang/Module").ok()?;
        let module = state.heap.allocate(module_class);
        Rc::make_mut(&mut state.roots.modules).push((name.to_string(), module));
        if !name.is_empty() {
            let text = self.new_text(state, name);
            set(state, module, "name", text.into());
        }
        Some(module)
    }
}
