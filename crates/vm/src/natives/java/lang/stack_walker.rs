//! `java.lang.StackWalker`: which methods has the program entered, seen from within?
//!
//! The JDK's own code makes the stream and asks for frames in batches; the models fill a buffer. A walk's anchor, a number
//! that only the virtual machine reads, is here one more than the number of frames that are still to be looked at.
//! Releases differ in parameters in the middle and in the objects of the buffer: a `StackFrameInfo` has a `MemberName`
//! or (from 22 on) its name and type itself; where only classes are wanted, these are `Class` or `ClassFrameInfo`.

use super::invoke::members::{CALLER_SENSITIVE, HIDDEN_MEMBER, describe_method, descriptor_of, readable_method};
use super::throwable::fill_element;
use crate::frame::Frame;
use crate::natives::jdk::is_caller_sensitive;
use crate::natives::{Call, Exit, Models, always_true, throw};
use crate::program::{Class, Method, access};
use crate::value::{ObjId, Value};

/// Models that fill the frame buffers of a `StackWalker`.
pub(super) const MODELS: &[Models] = &[
    // The bits of a mode, below, are those of every JDK so far.
    ("java/lang/StackStreamFactory", &[("checkStackWalkModes()Z", always_true)]),
    (
        "java/lang/StackStreamFactory$AbstractStackWalker",
        &[
            ("callStackWalk(JIII[Ljava/lang/Object;)Ljava/lang/Object;", begin),
            (
                "callStackWalk(JILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
                begin,
            ),
            (
                "callStackWalk(IILjdk/internal/vm/ContinuationScope;Ljdk/internal/vm/Continuation;II[Ljava/lang/Object;)Ljava/lang/Object;",
                begin,
            ),
            ("fetchStackFrames(JJII[Ljava/lang/Object;)I", next_end),
            ("fetchStackFrames(IJIII[Ljava/lang/Object;)I", next_count),
        ],
    ),
    (
        "java/lang/StackTraceElement",
        &[("initStackTraceElement(Ljava/lang/StackTraceElement;Ljava/lang/StackFrameInfo;)V", to_element)],
    ),
];

const CLASSES_ONLY: i64 = 0x2;
const GET_CALLER_CLASS: i64 = 0x4;
const SHOW_HIDDEN_FRAMES: i64 = 0x20;
const LIVE_FRAMES: i64 = 0x100;

/// The frames that the walker asks for.
struct Request {
    mode: i64,
    buffer: ObjId,
    /// The first index of the buffer to fill, and how many frames are wanted.
    start: usize,
    wanted: usize,
}

impl Request {
    /// The last three parameters are batch size, start and buffer; the first is the mode, as an int or a long.
    fn of(call: &Call) -> Result<Request, Exit> {
        let mode = match call.arguments[1] {
            Value::Int(mode) => mode as i64,
            _ => call.long(1),
        };
        if mode & LIVE_FRAMES != 0 {
            return Err(Exit::Unsupported("a stack walk that looks at local variables".into()));
        }
        let last = call.arguments.len() - 1;
        let size = |index: usize| usize::try_from(call.int(index)).unwrap_or(0);
        Ok(Request { mode, buffer: call.object(last)?, start: size(last - 1), wanted: size(last - 2) })
    }
}

/// Fills the first batch and hands over to the walker, which consumes the frames while this call lasts.
fn begin(call: &mut Call) -> Result<Value, Exit> {
    let request = Request::of(call)?;
    let walker = call.load("java/lang/StackWalker")?;
    let traversal = call.method.class();
    let is_walker = |class: &'static Class| {
        class.id == walker.id
            || class.id == traversal.id
            || class.super_class.is_some_and(|parent| parent.id == traversal.id)
    };
    let frames = &call.state.thread.frames;
    let to_skip = call.int(2);
    let callers = frames.iter().rposition(|frame| !is_walker(frame.method.class())).map_or(0, |top| top + 1);
    let callers = callers.saturating_sub(usize::try_from(to_skip).unwrap_or(0));
    let (count, left) = fill(call, &request, callers)?;
    if count == 0 {
        return throw("java/lang/InternalError", "stack walk: decode failed");
    }
    let consume = traversal.own_method("doStackWalk", "(JIIII)Ljava/lang/Object;");
    let Some(consume) = consume else { return call.unsupported() };
    let (start, end) = (request.start as i32, (request.start + count) as i32);
    let arguments = [
        call.this().into(),
        Value::Long(left as i64 + 1),
        Value::Int(to_skip),
        Value::Int(count as i32),
        Value::Int(start),
        Value::Int(end),
    ];
    call.hand_over(consume, &arguments)
}

/// Up to JDK 21, the result is the index behind the last frame.
fn next_end(call: &mut Call) -> Result<Value, Exit> {
    let start = call.int(call.arguments.len() - 2);
    Ok(Value::Int(start + next(call)?))
}

/// From JDK 22 on, the result is the number of frames.
fn next_count(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Int(next(call)?))
}

/// Fills another batch. The walker keeps the anchor, and therefore where it has got to.
fn next(call: &mut Call) -> Result<i32, Exit> {
    let request = Request::of(call)?;
    let left = usize::try_from(call.long(2) - 1).unwrap_or(0);
    let (count, left) = fill(call, &request, left.min(call.state.thread.frames.len()))?;
    call.set_field(call.this(), "anchor", Value::Long(left as i64 + 1));
    Ok(count as i32)
}

/// Fills the buffer from the innermost of the outer `left` frames. Gives the number filled, and the frames that are left.
fn fill(call: &mut Call, request: &Request, left: usize) -> Result<(usize, usize), Exit> {
    let room = call.state.heap.length(request.buffer).unwrap_or(0).saturating_sub(request.start);
    let (mut count, mut left) = (0, left);
    while left > 0 && count < request.wanted.min(room) {
        left -= 1;
        let frame = call.state.thread.frames[left];
        if !is_visible(frame.method, request.mode) {
            continue;
        }
        if request.mode & GET_CALLER_CLASS != 0 && count == 0 && is_caller_sensitive(frame.method) {
            let method = readable_method(frame.method.class(), frame.method.name, frame.method.descriptor);
            let message = format!("StackWalker::getCallerClass called from @CallerSensitive '{method}' method");
            return throw("java/lang/UnsupportedOperationException", message);
        }
        show(call, request, request.start + count, &frame)?;
        count += 1;
    }
    Ok((count, left))
}

/// Of the hidden frames, those are shown on demand that HotSpot has too: the JDK's and those of lambda objects.
/// All other glue is static.
fn is_visible(method: &'static Method, mode: i64) -> bool {
    let class = method.class();
    let is_declared = || class.own_method(method.name, method.descriptor).is_some_and(|own| std::ptr::eq(own, method));
    let shows_hidden = mode & SHOW_HIDDEN_FRAMES != 0 && mode & GET_CALLER_CLASS == 0;
    !method.hidden || shows_hidden && is_declared() && (class.file.is_some() || !method.is_static())
}

/// Puts a frame into the buffer, or into the object that the buffer has for it.
fn show(call: &mut Call, request: &Request, index: usize, frame: &Frame) -> Result<(), Exit> {
    let method = frame.method;
    let mirror = call.mirror(method.class());
    let index = index as i32;
    if call.state.heap.class(request.buffer).name == "[Ljava/lang/Class;" {
        call.state.heap.set_element(request.buffer, index, mirror.into());
        return Ok(());
    }
    let Some(Value::Ref(Some(info))) = call.state.heap.element(request.buffer, index) else {
        return call.unsupported();
    };
    if let Value::Ref(Some(member)) = call.field(info, "memberName") {
        describe_method(call, member, method);
    } else if let Value::Int(flags) = call.field(info, "flags") {
        let sensitive = if is_caller_sensitive(method) { CALLER_SENSITIVE } else { 0 };
        let hidden = if method.hidden { HIDDEN_MEMBER } else { 0 };
        call.set_field(info, "flags", Value::Int(flags | method.access as i32 | sensitive | hidden));
        if request.mode & CLASSES_ONLY != 0 {
            call.set_field(info, "classOrMemberName", mirror.into());
        } else {
            let resolved = call.load("java/lang/invoke/ResolvedMethodName")?;
            let resolved = call.state.heap.allocate(resolved);
            call.set_field(resolved, "vmholder", mirror.into());
            call.set_field(info, "classOrMemberName", resolved.into());
            let (name, kind) = (call.interned(method.name), call.new_text(method.descriptor));
            call.set_field(info, "name", name.into());
            call.set_field(info, "type", kind.into());
        }
    } else {
        return call.unsupported();
    }
    call.set_field(info, "bci", Value::Int(byte_offset(call, frame)));
    Ok(())
}

/// Where in the class file's code the frame stands; none in a native method and its models.
fn byte_offset(call: &Call, frame: &Frame) -> i32 {
    if frame.method.native.is_some() || frame.method.access & access::NATIVE != 0 {
        return -1;
    }
    let code = call.vm.program.code(frame.method).ok();
    code.and_then(|code| code.offsets.get(frame.pc as usize)).map_or(0, |offset| *offset as i32)
}

/// Fills in a stack trace element from a `StackFrameInfo`.
fn to_element(call: &mut Call) -> Result<Value, Exit> {
    let (element, info) = (call.object(0)?, call.object(1)?);
    // The object that tells name and type, and the one that tells the class.
    let (described, holder) = match (call.field(info, "memberName"), call.field(info, "classOrMemberName")) {
        (Value::Ref(Some(member)), _) => (member, call.field(member, "clazz")),
        (_, Value::Ref(Some(resolved))) => (info, call.field(resolved, "vmholder")),
        _ => return call.unsupported(),
    };
    let (Value::Ref(Some(holder)), Value::Ref(Some(name)), Value::Ref(Some(kind)), Value::Int(offset)) =
        (holder, call.field(described, "name"), call.field(described, "type"), call.field(info, "bci"))
    else {
        return call.unsupported();
    };
    let method = call.class_of(holder)?.own_method(&call.text(name), &descriptor_of(call, kind)?);
    let Some(method) = method else { return call.unsupported() };
    let pc = match u16::try_from(offset) {
        Ok(offset) => {
            let offsets = call.vm.program.code(method).map_or(&[][..], |code| &code.offsets);
            offsets.partition_point(|start| *start < offset) as i32
        }
        Err(_) => -1,
    };
    fill_element(call, element, method, pc);
    Ok(Value::Top)
}
