//! `java.io`: the standard streams. Files are not supported.

use std::rc::Rc;

use crate::heap::Body;
use crate::natives::{Call, Exit, Models, always_false, nothing, throw};
use crate::value::Value;

pub const MODELS: &[Models] = &[
    (
        "java/io/FileDescriptor",
        &[
            ("initIDs()V", nothing),
            ("getHandle(I)J", |_| Ok(Value::Long(-1))),
            ("getAppend(I)Z", always_false),
            ("close0()V", nothing),
        ],
    ),
    (
        "java/io/FileOutputStream",
        &[("initIDs()V", nothing), ("writeBytes([BIIZ)V", write_bytes), ("write(IZ)V", write_byte)],
    ),
    (
        "java/io/FileInputStream",
        &[
            ("initIDs()V", nothing),
            ("readBytes([BII)I", read_bytes),
            ("read0()I", read_byte),
            ("available0()I", |call| Ok(Value::Int(call.vm.host.available() as i32))),
            ("isRegularFile0(Ljava/io/FileDescriptor;)Z", always_false),
        ],
    ),
    (
        "java/io/UnixFileSystem",
        &[
            ("initIDs()V", nothing),
            ("canonicalize0(Ljava/lang/String;)Ljava/lang/String;", |call| Ok(call.arguments[1])),
        ],
    ),
];

/// The number of the stream behind a FileOutputStream or FileInputStream.
fn stream(call: &Call) -> Result<i32, Exit> {
    let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") else {
        return throw("java/io/IOException", "Stream Closed");
    };
    match call.field(descriptor, "fd") {
        Value::Int(stream) if stream >= 0 => Ok(stream),
        _ => throw("java/io/IOException", "Stream Closed"),
    }
}

fn write(call: &mut Call, bytes: &[u8]) -> Result<Value, Exit> {
    let stream = stream(call)?;
    match call.vm.host.write(stream, bytes) {
        Ok(()) => Ok(Value::Top),
        Err(error) => throw("java/io/IOException", error.to_string()),
    }
}

fn write_bytes(call: &mut Call) -> Result<Value, Exit> {
    let array = call.object(1)?;
    let (offset, length) = (call.int(2), call.int(3));
    let Body::Bytes(bytes) = call.state.heap.get(array).body.clone() else { return call.unsupported() };
    let range = usize::try_from(offset).ok().zip(usize::try_from(length).ok());
    let chosen = range.and_then(|(offset, length)| bytes.get(offset..offset.checked_add(length)?));
    let Some(chosen) = chosen else { return throw("java/lang/IndexOutOfBoundsException", "write out of bounds") };
    let unsigned: Vec<u8> = chosen.iter().map(|byte| *byte as u8).collect();
    write(call, &unsigned)
}

fn write_byte(call: &mut Call) -> Result<Value, Exit> {
    let byte = call.int(1) as u8;
    write(call, &[byte])
}

fn read(call: &mut Call, buffer: &mut [u8]) -> Result<usize, Exit> {
    if stream(call)? != 0 {
        return call.unsupported();
    }
    match call.vm.host.read(buffer) {
        Ok(count) => Ok(count),
        Err(error) => throw("java/io/IOException", error.to_string()),
    }
}

fn read_bytes(call: &mut Call) -> Result<Value, Exit> {
    let array = call.object(1)?;
    let (offset, length) = (call.int(2), call.int(3));
    let size = call.state.heap.length(array).unwrap_or(0);
    if offset < 0 || length < 0 || offset as usize + length as usize > size {
        return Err(crate::interp::Trouble::Named("java/lang/IndexOutOfBoundsException", None).into());
    }
    if length == 0 {
        return Ok(Value::Int(0));
    }
    let mut buffer = vec![0; (length as usize).min(1 << 16)];
    let count = read(call, &mut buffer)?;
    if let Body::Bytes(bytes) = call.state.heap.body_mut(array) {
        for (place, byte) in Rc::make_mut(bytes)[offset as usize..].iter_mut().zip(&buffer[..count]) {
            *place = *byte as i8;
        }
    }
    Ok(Value::Int(if count == 0 { -1 } else { count as i32 }))
}

fn read_byte(call: &mut Call) -> Result<Value, Exit> {
    let mut buffer = [0];
    let count = read(call, &mut buffer)?;
    Ok(Value::Int(if count == 0 { -1 } else { buffer[0] as i32 }))
}
