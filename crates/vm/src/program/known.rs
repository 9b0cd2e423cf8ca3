//! Which classes and fields of the JDK does the virtual machine itself rely on?

use super::class::Class;
use super::{LoadError, Program};

/// Looked up once, so that a JDK that lacks one of them is refused at the start and not in the middle of a run.
pub struct Known {
    /// `java.lang.Object`
    pub object: &'static Class,
    /// `java.lang.Class`
    pub class: &'static Class,
    /// `java.lang.String`
    pub string: &'static Class,
    /// `java.lang.Throwable`
    pub throwable: &'static Class,
    /// `java.lang.Error`
    pub error: &'static Class,
    /// `java.lang.Thread`
    pub thread: &'static Class,
    /// `byte[]`, which strings are made of.
    pub byte_array: &'static Class,
    /// `int[]`
    pub int_array: &'static Class,
    /// `Object[]`
    pub object_array: &'static Class,
    /// Mirrors store the id of their class just before the static fields.
    pub class_id_slot: usize,
    /// The slot of a mirror at which the static fields start.
    pub first_static_slot: u32,
    /// The slot of `String.value`, the array of bytes.
    pub string_value: usize,
    /// The slot of `String.coder`: 0 for Latin-1, 1 for UTF-16.
    pub string_coder: usize,
    /// The slot of `Throwable.detailMessage`.
    pub throwable_message: usize,
    /// The slot of `Throwable.cause`.
    pub throwable_cause: usize,
    /// The slot of `Throwable.backtrace`, where the virtual machine keeps the recorded frames.
    pub throwable_backtrace: usize,
    /// The slot of `Throwable.depth`, the number of recorded frames.
    pub throwable_depth: usize,
    /// The slot of `Throwable.stackTrace`.
    pub throwable_stack_trace: usize,
    /// The slot of `Throwable.suppressedExceptions`.
    pub throwable_suppressed: usize,
    /// The slot of `Class.componentType`.
    pub class_component_type: usize,
    /// The slot of `Class.module`.
    pub class_module: usize,
    /// The slot of `Class.classLoader`.
    pub class_loader: usize,
    /// The fields by which references are cleared and enqueued.
    pub references: References,
}

/// The classes and slots of `java.lang.ref` that the garbage collector uses.
pub struct References {
    /// The slot of `Reference.referent`.
    pub referent: usize,
    /// The slot of `Reference.next`, the link within a queue.
    pub next: usize,
    /// The slot of `Reference.queue`.
    pub queue: usize,
    /// `java.lang.ref.ReferenceQueue`
    pub queue_class: &'static Class,
    /// The slot of `ReferenceQueue.head`.
    pub queue_head: usize,
    /// The slot of `ReferenceQueue.queueLength`.
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
