//! How are exceptions made, thrown and caught? (JVMS §2.10)

use super::Vm;
use crate::frame::Purpose;
use crate::heap::Body;
use crate::outcome::{End, Limit, Stop};
use crate::program::{Class, Code, Field, LinkError, LoadError, Method};
use crate::property::EventKind;
use crate::reason::ClassFault;
use crate::state::{Initialisation, State};
use crate::value::{Kind, ObjId, Value};

/// An exception that the virtual machine itself throws.
#[derive(Debug, Clone)]
pub enum Trouble {
    /// A dereference of null: NullPointerException.
    NullPointer,
    /// An integer division or remainder by zero: ArithmeticException.
    DivisionByZero,
    /// An element beyond the bounds: ArrayIndexOutOfBoundsException.
    IndexOutOfBounds {
        /// The array that was accessed.
        array: ObjId,
        /// The index that does not fit its length.
        index: i32,
    },
    /// An object of this class does not fit the array's component type: ArrayStoreException.
    ArrayStore(&'static Class),
    /// A new array of this negative length: NegativeArraySizeException.
    NegativeArraySize(i32),
    /// An array longer than any JVM allocates: OutOfMemoryError.
    ArrayTooLarge,
    /// A cast that fails: ClassCastException.
    ClassCast {
        /// The class of the object.
        from: &'static Class,
        /// The class that the cast asks for.
        to: &'static Class,
    },
    /// The program's heap limit is reached: OutOfMemoryError.
    OutOfMemory,
    /// The object would take the process beyond its memory. That ends the path: no program can catch it.
    MemoryLimit,
    /// The frames reach the depth limit: StackOverflowError.
    StackOverflow,
    /// A monitor is left that the thread did not enter: IllegalMonitorStateException.
    NotOwner,
    /// A class cannot be loaded: NoClassDefFoundError, VerifyError and others.
    Load(LoadError),
    /// A reference cannot be resolved: NoSuchFieldError, NoSuchMethodError and others.
    Link(LinkError),
    /// The same for a class or a member that the program itself described.
    Refused(LinkError),
    /// Selection found no implementation of this method: AbstractMethodError.
    AbstractMethod(&'static Method),
    /// A static method where the instruction needs a receiver: IncompatibleClassChangeError.
    NotVirtual(&'static Method),
    /// An instance method where the instruction has no receiver: IncompatibleClassChangeError.
    NotStatic(&'static Method),
    /// An object of an abstract class or an interface is made: InstantiationError.
    Instantiation(&'static Class),
    /// The class's initialiser failed earlier: NoClassDefFoundError.
    InitialisationFailed(&'static Class),
    /// Any exception class, by name with slashes, and its message.
    Named(&'static str, Option<String>),
    /// Any exception class; its message tells numbers that are not known.
    Untold(&'static str),
}

impl std::fmt::Debug for Class {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Debug for Field {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl std::fmt::Debug for Method {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.full_name())
    }
}

/// HotSpot keeps at most this many frames in a stack trace.
const DEEPEST_TRACE: usize = 1024;

impl Vm {
    /// Makes the exception and throws it.
    #[inline(never)]
    #[cold]
    pub(super) fn raise(&mut self, state: &mut State, trouble: Trouble) -> Result<(), Stop> {
        let exception = self.exception_for(state, trouble, None)?;
        self.throw(state, exception)
    }

    /// The exception object for a trouble. `native` is the native method in which it arose.
    pub fn exception_for(
        &mut self,
        state: &mut State,
        trouble: Trouble,
        native: Option<&'static Method>,
    ) -> Result<ObjId, Stop> {
        if self.is_exploring
            && let Some(fault) = self.class_fault(&trouble)
        {
            return Err(self.unsupported(state, fault));
        }
        let mut cause = None;
        let is_untold = matches!(trouble, Trouble::Untold(_));
        let (class, message) = match trouble {
            Trouble::NullPointer => ("java/lang/NullPointerException", None),
            Trouble::DivisionByZero => ("java/lang/ArithmeticException", Some("/ by zero".to_string())),
            Trouble::IndexOutOfBounds { array, index } => {
                let Some(length) = state.heap.length(array).filter(|length| index < 0 || index as usize >= *length)
                else {
                    self.malformed(state, "an array access that does not fit the array")?;
                    unreachable!("malformed code always ends the path");
                };
                let message = format!("Index {index} out of bounds for length {length}");
                ("java/lang/ArrayIndexOutOfBoundsException", Some(message))
            }
            Trouble::ArrayStore(class) => ("java/lang/ArrayStoreException", Some(class.java_name())),
            Trouble::NegativeArraySize(length) => ("java/lang/NegativeArraySizeException", Some(length.to_string())),
            Trouble::ArrayTooLarge => {
                ("java/lang/OutOfMemoryError", Some("Requested array size exceeds VM limit".to_string()))
            }
            Trouble::ClassCast { from, to } => ("java/lang/ClassCastException", Some(class_cast_message(from, to))),
            Trouble::OutOfMemory => ("java/lang/OutOfMemoryError", Some("Java heap space".to_string())),
            Trouble::MemoryLimit => return Err(End::Limit(Limit::Memory).into()),
            Trouble::StackOverflow => ("java/lang/StackOverflowError", None),
            Trouble::NotOwner => {
                let message = "current thread is not owner".to_string();
                ("java/lang/IllegalMonitorStateException", Some(message))
            }
            Trouble::Load(error) | Trouble::Link(LinkError::Load(error)) | Trouble::Refused(LinkError::Load(error)) => {
                if let LoadError::NotFound(name) = &error {
                    let inner = Trouble::Named("java/lang/ClassNotFoundException", Some(name.replace('/', ".")));
                    cause = Some(self.exception_for(state, inner, native)?);
                }
                load_error(error)
            }
            Trouble::Link(LinkError::NoSuchField { message, .. })
            | Trouble::Refused(LinkError::NoSuchField { message, .. }) => ("java/lang/NoSuchFieldError", Some(message)),
            Trouble::Link(LinkError::NoSuchMethod(name)) | Trouble::Refused(LinkError::NoSuchMethod(name)) => {
                ("java/lang/NoSuchMethodError", Some(name))
            }
            Trouble::Link(LinkError::IncompatibleClassChange(what))
            | Trouble::Refused(LinkError::IncompatibleClassChange(what)) => {
                ("java/lang/IncompatibleClassChangeError", Some(what))
            }
            Trouble::Link(LinkError::IllegalAccess(what)) | Trouble::Refused(LinkError::IllegalAccess(what)) => {
                ("java/lang/IllegalAccessError", Some(what))
            }
            Trouble::AbstractMethod(method) => ("java/lang/AbstractMethodError", Some(method.full_name())),
            Trouble::NotVirtual(method) => {
                let message = format!("Expecting non-static method '{}'", method.full_name());
                ("java/lang/IncompatibleClassChangeError", Some(message))
            }
            Trouble::NotStatic(method) => {
                let message = format!("Expected static method '{}'", method.full_name());
                ("java/lang/IncompatibleClassChangeError", Some(message))
            }
            Trouble::Instantiation(class) => ("java/lang/InstantiationError", Some(class.java_name())),
            Trouble::InitialisationFailed(class) => {
                let failures = state.roots.failures.clone();
                cause = failures.iter().find(|(id, _)| *id == class.id).map(|(_, failure)| *failure);
                let message = format!("Could not initialize class {}", class.java_name());
                ("java/lang/NoClassDefFoundError", Some(message))
            }
            Trouble::Named(class, message) => (class, message),
            Trouble::Untold(class) => (class, None),
        };
        let class = match self.program.load(class) {
            Ok(class) => class,
            Err(error) => return Err(self.unsupported(state, format!("a JDK without {class} ({error})"))),
        };
        let exception = self.new_throwable(state, class, message.as_deref(), cause);
        if is_untold {
            let text = self.untold_text(state);
            state.heap.set_field(exception, self.program.known().throwable_message, text.into());
        }
        self.fill_in_stack_trace(state, exception, native);
        self.note_raised(exception, native.is_some());
        // A NullPointerException counts its stack traces: it explains itself only by the first.
        if let Some(field) = class.field("extendedMessageState") {
            state.heap.set_field(exception, field.slot as usize, Value::Int(1));
        }
        Ok(exception)
    }

    /// The class files that a trouble comes from, if it does: they are not those that the program was compiled from, so that nothing is
    /// said about the program. What a program asks for by name, it may do without.
    fn class_fault(&self, trouble: &Trouble) -> Option<ClassFault> {
        Some(match trouble {
            Trouble::Load(error) => ClassFault::of_load(&self.program, error),
            Trouble::Link(error) => ClassFault::of_link(&self.program, error),
            Trouble::AbstractMethod(method) => {
                ClassFault::inconsistent(format!("{} has no implementation", method.full_name()))
            }
            Trouble::NotVirtual(method) => ClassFault::inconsistent(format!("{} is static", method.full_name())),
            Trouble::NotStatic(method) => ClassFault::inconsistent(format!("{} is not static", method.full_name())),
            Trouble::Instantiation(class) => ClassFault::inconsistent(format!("{} is abstract", class.java_name())),
            _ => return None,
        })
    }

    /// A throwable as its constructor would leave it, without a stack trace.
    pub(super) fn new_throwable(
        &mut self,
        state: &mut State,
        class: &'static Class,
        message: Option<&str>,
        cause: Option<ObjId>,
    ) -> ObjId {
        let exception = state.heap.allocate(class);
        let message = message.map(|message| self.new_text(state, message));
        let known = self.program.known();
        state.heap.set_field(exception, known.throwable_message, Value::Ref(message));
        // A throwable is its own cause until one is given.
        state.heap.set_field(exception, known.throwable_cause, cause.unwrap_or(exception).into());
        let mirror = self.mirror(state, self.program.known().throwable);
        for (slot, name) in [
            (self.program.known().throwable_stack_trace, "UNASSIGNED_STACK"),
            (self.program.known().throwable_suppressed, "SUPPRESSED_SENTINEL"),
        ] {
            let field = self.program.known().throwable.field(name).map(|field| self.program.slot_of(field) as usize);
            let initial = field.map_or(Value::NULL, |field| state.heap.field(mirror, field));
            state.heap.set_field(exception, slot, initial);
        }
        exception
    }

    /// Records the current frames in a throwable, the way `Throwable.fillInStackTrace` does: method and instruction of each.
    /// If the innermost frame is one that stack traces leave out, one number more follows.
    pub fn fill_in_stack_trace(&mut self, state: &mut State, exception: ObjId, native: Option<&'static Method>) {
        let class = state.heap.class(exception);
        let mut trace: Vec<i32> = Vec::new();
        let mut top_is_hidden = false;
        let mut skipping = native.is_none_or(|method| method.name == "fillInStackTrace");
        if let Some(method) = native.filter(|_| !skipping) {
            trace.extend([method.id.index() as i32, -1]);
        }
        for frame in state.thread.frames.iter().rev() {
            let method = frame.method;
            if skipping {
                let is_constructor = method.name == "<init>" && class.is_subtype_of(method.class());
                if method.name == "fillInStackTrace" || is_constructor {
                    continue;
                }
                skipping = false;
            }
            if !method.hidden {
                let pc = if method.native.is_some() { -1 } else { frame.pc as i32 };
                trace.extend([method.id.index() as i32, pc]);
            } else if trace.is_empty() {
                top_is_hidden = true;
            }
            if trace.len() >= 2 * DEEPEST_TRACE {
                break;
            }
        }
        self.note_exception(state, exception);
        let known = self.program.known();
        let depth = trace.len() as i32 / 2;
        if top_is_hidden {
            trace.push(0);
        }
        let backtrace = state.heap.insert(known.int_array, Body::Ints(trace.into()));
        state.heap.set_field(exception, known.throwable_backtrace, backtrace.into());
        state.heap.set_field(exception, known.throwable_depth, Value::Int(depth));
        let mirror = self.mirror(state, self.program.known().throwable);
        let known = self.program.known();
        if let Some(field) = known.throwable.field("UNASSIGNED_STACK") {
            let unassigned = state.heap.field(mirror, self.program.slot_of(field) as usize);
            state.heap.set_field(exception, known.throwable_stack_trace, unassigned);
        }
    }

    /// Finds the handler of an exception and goes on there (JVMS §2.10, §6.5.athrow).
    pub(super) fn throw(&mut self, state: &mut State, exception: ObjId) -> Result<(), Stop> {
        let mut exception = exception;
        self.class_for_handlers(state, exception)?;
        loop {
            let class = state.heap.class(exception);
            // Without a frame, the very method that was to run could not be entered.
            let Some(&frame) = state.thread.frames.last() else { return Err(End::Threw(exception).into()) };
            if let Some(target) = self.handler(state, frame.code, frame.pc, class)? {
                let frame = state.thread.frames.last_mut().expect("just looked at");
                frame.pc = target;
                frame.sp = frame.code.locals + 1;
                let at = (frame.base + frame.code.locals) as usize;
                state.thread.stack[at] = exception.into();
                return Ok(());
            }
            if state.monitor.is_some() {
                match frame.purpose {
                    // The loop throws it again when the automata have seen that.
                    Purpose::Entry | Purpose::Thread if self.leaves_by_throw(state, exception) => return Ok(()),
                    Purpose::Entry | Purpose::Thread => {}
                    _ => self.note_frame_event(state, EventKind::Throw),
                }
            }
            if let Some(monitor) = frame.synchronized {
                state.unlock(monitor);
            }
            state.thread.frames.pop();
            match frame.purpose {
                Purpose::Call | Purpose::Detour => {}
                Purpose::Initialise(class) => exception = self.initialisation_failed(state, class, exception)?,
                // An invariant that throws says no.
                Purpose::Judge(object) => {
                    state.symbols.judged.push((object, false));
                    return Ok(());
                }
                Purpose::Assume => return Err(End::AssumedAway.into()),
                // There is no object with such elements.
                Purpose::Make | Purpose::Refill => return Err(End::AssumedAway.into()),
                Purpose::Entry => return Err(self.first_threw(state, exception)),
                Purpose::Thread => return self.uncaught(state, &frame, exception),
            }
        }
    }

    /// Asks what an exception is whose class is not known, as far as the handlers on the way out want to know.
    pub(super) fn class_for_handlers(&mut self, state: &mut State, exception: ObjId) -> Result<(), Stop> {
        if !state.heap.class(exception).is_open() {
            return Ok(());
        }
        for at in (0..state.thread.frames.len()).rev() {
            let (code, pc) = (state.thread.frames[at].code, state.thread.frames[at].pc);
            for handler in code.handlers.iter().filter(|handler| handler.start <= pc && pc < handler.end) {
                let Some(site) = handler.catches else { return Ok(()) };
                let Some(caught) = self.caught(state, code, site)? else { continue };
                if self.has_type(state, exception, caught)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn handler(&self, state: &State, code: &'static Code, pc: u32, class: &'static Class) -> Result<Option<u32>, Stop> {
        for handler in code.handlers.iter().filter(|handler| handler.start <= pc && pc < handler.end) {
            let is_caught = match handler.catches {
                None => true,
                Some(site) => self.caught(state, code, site)?.is_some_and(|caught| class.is_subtype_of(caught)),
            };
            if is_caught {
                return Ok(Some(handler.target));
            }
        }
        Ok(None)
    }

    /// The class that a handler catches. Without it, an exploration cannot tell where the path goes on.
    fn caught(&self, state: &State, code: &'static Code, site: u32) -> Result<Option<&'static Class>, Stop> {
        match self.program.resolve_class(&code.classes[site as usize]) {
            Ok(caught) => Ok(Some(caught)),
            Err(error) if self.is_exploring => Err(self.unsupported(state, ClassFault::of_load(&self.program, &error))),
            Err(_) => Ok(None),
        }
    }

    /// JVMS §5.5, steps 10 and 11: an exception that is no error is wrapped, and the class stays unusable.
    fn initialisation_failed(
        &mut self,
        state: &mut State,
        class: &'static Class,
        exception: ObjId,
    ) -> Result<ObjId, Stop> {
        state.classes.slot_mut(class.id).initialisation = Initialisation::Failed;
        let record = self.failure_record(state, exception)?;
        std::rc::Rc::make_mut(&mut state.roots.failures).push((class.id, record));
        if state.heap.class(exception).is_subtype_of(self.program.known().error) {
            return Ok(exception);
        }
        let wrapper = self.program.load("java/lang/ExceptionInInitializerError");
        let Ok(wrapper) = wrapper else { return Ok(exception) };
        let wrapped = self.new_throwable(state, wrapper, None, Some(exception));
        self.fill_in_stack_trace(state, wrapped, None);
        Ok(wrapped)
    }

    /// The cause that later users of the class see: an ExceptionInInitializerError that describes the failure in words
    /// and has its stack trace, as HotSpot makes it.
    fn failure_record(&mut self, state: &mut State, exception: ObjId) -> Result<ObjId, Stop> {
        let known = self.program.known();
        let mut message = format!("Exception {}", state.heap.class(exception).java_name());
        if let Value::Ref(Some(text)) = state.heap.field(exception, known.throwable_message) {
            message.push_str(&format!(": {}", self.text(state, text)));
        }
        message.push_str(" [in thread \"main\"]");
        let trouble = Trouble::Named("java/lang/ExceptionInInitializerError", Some(message));
        let record = self.exception_for(state, trouble, None)?;
        let known = self.program.known();
        for slot in [known.throwable_backtrace, known.throwable_depth, known.throwable_stack_trace] {
            let value = state.heap.field(exception, slot);
            state.heap.set_field(record, slot, value);
        }
        state.heap.set_field(record, known.throwable_cause, Value::NULL);
        Ok(record)
    }
}

fn load_error(error: LoadError) -> (&'static str, Option<String>) {
    match error {
        LoadError::NotFound(name) => ("java/lang/NoClassDefFoundError", Some(name)),
        error @ LoadError::Misnamed { .. } => ("java/lang/NoClassDefFoundError", Some(error.to_string())),
        LoadError::Format { class, why } => ("java/lang/ClassFormatError", Some(format!("{class}: {why}"))),
        error @ LoadError::Verify { .. } => ("java/lang/VerifyError", Some(error.to_string())),
        LoadError::Circular(name) => ("java/lang/ClassCircularityError", Some(name)),
        LoadError::Incompatible(what) => ("java/lang/IncompatibleClassChangeError", Some(what)),
        error @ LoadError::Version { .. } => ("java/lang/UnsupportedClassVersionError", Some(error.to_string())),
    }
}

/// HotSpot's words: where the two classes come from is part of the message.
fn class_cast_message(from: &'static Class, to: &'static Class) -> String {
    let places = places_of(from, to);
    format!("class {} cannot be cast to class {} ({places})", from.java_name(), to.java_name())
}

/// Where two classes come from, in HotSpot's words.
pub fn places_of(from: &'static Class, to: &'static Class) -> String {
    fn element(mut class: &'static Class) -> &'static Class {
        while let Some(component) = class.component() {
            class = component;
        }
        class
    }
    let place = |class: &'static Class| match &element(class).origin {
        lazuli_classfile::ClassOrigin::Jdk { module } => {
            let loader = if module == "java.base" { "bootstrap" } else { "platform" };
            format!("module {module} of loader '{loader}'")
        }
        lazuli_classfile::ClassOrigin::User => "unnamed module of loader 'app'".to_string(),
    };
    let (from_name, to_name) = (from.java_name(), to.java_name());
    let (from_place, to_place) = (place(from), place(to));
    if from_place == to_place {
        format!("{from_name} and {to_name} are in {from_place}")
    } else {
        format!("{from_name} is in {from_place}; {to_name} is in {to_place}")
    }
}

impl Kind {
    /// Bytes that one array element occupies here.
    pub fn bytes(self) -> usize {
        match self {
            Kind::Boolean | Kind::Byte => 1,
            Kind::Char | Kind::Short => 2,
            Kind::Int | Kind::Float => 4,
            Kind::Long | Kind::Double => 8,
            Kind::Reference | Kind::Void => 16,
        }
    }
}
