//! `java.io`: the standard streams, and the JDK's own data files such as the time zones. Other files are not supported.
//!
//! An open data file is found again by the path in its stream; the position is in the field `handle` of its descriptor, which
//! the JDK uses on Windows only. So the state of a file is in the heap and is forked with it.

use std::io::{Read, Seek, SeekFrom};
use std::path::{Component, Path, PathBuf};
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
            ("open0(Ljava/lang/String;)V", open),
            ("available0()I", available),
            ("isRegularFile0(Ljava/io/FileDescriptor;)Z", always_false),
        ],
    ),
    (
        "java/io/FileCleanable",
        // Nothing is open outside of the heap that would have to be closed.
        &[
            ("register(Ljava/io/FileDescriptor;)V", nothing),
            ("unregister(Ljava/io/FileDescriptor;)V", nothing),
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

/// The number of every stream over a data file.
const DATA_FILE: i32 = 1 << 20;

fn open(call: &mut Call) -> Result<Value, Exit> {
    let path = PathBuf::from(call.text(call.object(1)?));
    let library = call.vm.program.jdk().home().join("lib");
    let leads_out = path.components().any(|component| component == Component::ParentDir);
    if !path.starts_with(library) || leads_out || !path.is_file() {
        return call.unsupported();
    }
    let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") else { return call.unsupported() };
    call.set_field(descriptor, "fd", Value::Int(DATA_FILE));
    call.set_field(descriptor, "handle", Value::Long(0));
    Ok(Value::Top)
}

fn available(call: &mut Call) -> Result<Value, Exit> {
    if stream(call)? == DATA_FILE {
        let (path, _, position) = data_file(call)?;
        let length = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        return Ok(Value::Int(length.saturating_sub(position).try_into().unwrap_or(i32::MAX)));
    }
    Ok(Value::Int(call.vm.host.available() as i32))
}

/// The path, the descriptor and the position of an open data file.
fn data_file(call: &Call) -> Result<(PathBuf, crate::value::ObjId, u64), Exit> {
    let (Value::Ref(Some(path)), Value::Ref(Some(descriptor))) = (call.field(call.this(), "path"), call.field(call.this(), "fd"))
    else {
        return call.unsupported();
    };
    match call.field(descriptor, "handle") {
        Value::Long(position) => Ok((PathBuf::from(call.text(path)), descriptor, position as u64)),
        _ => call.unsupported(),
    }
}

fn read_data(path: &Path, position: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
    let mut file = std::fs::File::open(path)?;
    file.seek(SeekFrom::Start(position))?;
    file.read(buffer)
}

fn read(call: &mut Call, buffer: &mut [u8]) -> Result<usize, Exit> {
    match stream(call)? {
        0 => {}
        DATA_FILE => {
            let (path, descriptor, position) = data_file(call)?;
            return match read_data(&path, position, buffer) {
                Ok(count) => {
                    call.set_field(descriptor, "handle", Value::Long(position as i64 + count as i64));
                    Ok(count)
                }
                Err(error) => throw("java/io/IOException", error.to_string()),
            };
        }
        _ => return call.unsupported(),
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
