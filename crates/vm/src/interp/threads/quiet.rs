//! Which code and which fields of the JDK run without changes to other threads?

use super::super::Vm;
use crate::frame::Frame;
use crate::program::{Class, Method, access};

/// Classes of the JDK whose own state is that of one thread, or whose methods change nothing that others see half done. The order in which
/// threads get to them does not matter to a program.
const QUIET: [&str; 20] = [
    "java/lang/String",
    "java/lang/StringLatin1",
    "java/lang/StringUTF16",
    "java/lang/StringCoding",
    "java/lang/StringConcatHelper",
    "java/lang/Integer",
    "java/lang/Long",
    "java/lang/Character",
    "java/lang/Boolean",
    "java/lang/Byte",
    "java/lang/Short",
    "java/lang/Math",
    "java/lang/Thread",
    "java/lang/ThreadGroup",
    "java/lang/ThreadLocal",
    "java/lang/ThreadLocal$ThreadLocalMap",
    "java/lang/InheritableThreadLocal",
    "java/lang/Class",
    "java/lang/ClassLoader",
    "java/lang/Throwable",
];

pub(super) fn is_quiet(frame: &Frame) -> bool {
    let class = frame.method.class();
    !class.is_users() && (QUIET.contains(&class.name) || class.name.starts_with("java/lang/invoke/"))
}

/// Is an access to a field one that no other thread can notice, although it could reach the object?
pub(super) fn is_quiet_access(frame: &Frame, class: &'static Class, access: u16, slot: u32, vm: &Vm) -> bool {
    // Variables that a lambda has captured are written before anything else can reach it.
    if class.file.is_none() {
        return access & access::VOLATILE == 0;
    }
    if class.is_users() {
        return false;
    }
    // Constructors of the JDK do not hand out what they make before its final fields are written.
    let is_constant = access & access::FINAL != 0 || class.name == "java/lang/String";
    is_constant || (is_quiet(frame) && !vm.is_interruption(class, slot))
}

/// Natives that look at no field of their arguments that may change, or that ask for permission themselves.
pub(super) fn is_inert(method: &'static Method) -> bool {
    let class = method.class().name;
    let is_object = class == "java/lang/Object" && method.name != "clone";
    let is_system = class == "java/lang/System" && method.name != "arraycopy";
    let is_own = class == "jdk/internal/misc/Unsafe"
        && !method.name.starts_with("copy")
        && !method.name.starts_with("setMemory");
    let packages = ["java/lang/invoke/", "java/security/", "lazuli/", "java/lang/ref/", "jdk/internal/reflect/"];
    is_object
        || is_system
        || is_own
        || ["java/lang/Runtime", "java/lang/StrictMath", "java/lang/Float", "java/lang/Double", "java/lang/Enum"]
            .contains(&class)
        || QUIET.contains(&class)
        || packages.iter().any(|package| class.starts_with(package))
        || (class.starts_with("jdk/internal/") && !is_own && class != "jdk/internal/misc/Unsafe")
}
