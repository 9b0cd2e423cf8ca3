//! Which classes and fields of the JDK does the virtual machine itself rely on?

use super::class::Class;
use super::{LoadError, Program};

/// Looked up once, so that a JDK that lacks one of them is refused at the start and not in the middle of a run.
pub struct Known {
    pub object: &'static Class,
    pub class: &'static Class,
    pub string: &'static Class,
    pub throwable: &'static Class,
    pub error: &'static Class,
    pub thread: &'static Class,
    pub byte_array: &'static Class,
    pub int_array: &'static Class,
    pub object_array: &'static Class,
    /// Mirrors store the id of their class just before the static fields.
    pub class_id_slot: usize,
    pub first_static_slot: u32,
    pub string_value: usize,
    pub string_coder: usize,
    pub throwable_message: usize,
    pub throwable_cause: usize,
    pub throwable_backtrace: usize,
    pub throwable_depth: usize,
    pub throwable_stack_trace: usize,
    pub throwable_suppressed: usize,
    pub class_component_type: usize,
    pub class_module: usize,
    pub class_loader: usize,
    pub references: References,
}

/// What the garbage collector knows of `java.lang.ref`.
pub struct References {
    pub referent: usize,
    pub next: usize,
    pub queue: usize,
    pub queue_class: &'static Class,
    pub queue_head: usize,
    pub queue_length: usize,
}

impl Known {
    pub(super) fn load(program: &Program) -> Result<Known, LoadError> {
        let object = program.load("java/lang/Object")?;
        program.load("java/lang/Cloneable")?;
        program.load("java/io/Serializable")?;
        let class = program.load("java/lang/Class")?;
        let string = program.load("java/lang/String")?;
        let throwable = program.load("java/lang/Throwable")?;
        let slot = |class: &'static Class, name: &str| {
            class.field(name).map(|field| field.slot as usize).ok_or_else(|| LoadError::Format {
                class: class.name.to_string(),
                why: format!("this JDK's class has no field {name}; Lazuli supports JDK 17 and 21"),
            })
        };
        let reference = program.load("java/lang/ref/Reference")?;
        let queue_class = program.load("java/lang/ref/ReferenceQueue")?;
        let class_id_slot = class.defaults.len();
        Ok(Known {
            object,
            class,
            string,
            throwable,
            error: program.load("java/lang/Error")?,
            thread: program.load("java/lang/Thread")?,
            byte_array: program.load("[B")?,
            int_array: program.load("[I")?,
            object_array: program.load("[Ljava/lang/Object;")?,
            class_id_slot,
            first_static_slot: class_id_slot as u32 + 1,
            string_value: slot(string, "value")?,
            string_coder: slot(string, "coder")?,
            throwable_message: slot(throwable, "detailMessage")?,
            throwable_cause: slot(throwable, "cause")?,
            throwable_backtrace: slot(throwable, "backtrace")?,
            throwable_depth: slot(throwable, "depth")?,
            throwable_stack_trace: slot(throwable, "stackTrace")?,
            throwable_suppressed: slot(throwable, "suppressedExceptions")?,
            class_component_type: slot(class, "componentType")?,
            class_module: slot(class, "module")?,
            class_loader: slot(class, "classLoader")?,
            references: References {
                referent: slot(reference, "referent")?,
                next: slot(reference, "next")?,
                queue: slot(reference, "queue")?,
                queue_class,
                queue_head: slot(queue_class, "head")?,
                queue_length: slot(queue_class, "queueLength")?,
            },
        })
    }
}
