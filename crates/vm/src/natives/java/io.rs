//! `java.io`: the standard streams, and the files of the JDK itself, which can be read. Other files are not supported.
//!
//! An open file is a number, which stands for its contents, and a position. The position is kept in the field of its
//! `FileDescriptor` that only other systems use, so that forked states read on independently.

use std::path::PathBuf;
use std::rc::Rc;

use lazuli_logic::{Binary, Sort};

use crate::ambient::{AmbientValue, Source};
use crate::heap::Body;
use crate::natives::{Call, Exit, Models, always_false, nothing, throw};
use crate::outcome::{End, Stop};
use crate::universe::Restriction;
use crate::value::{Kind, ObjId, Value};

/// Models of the standard streams and of read-only files.
pub(super) const MODELS: &[Models] = &[
    (
        "java/io/FileDescriptor",
        &[
            ("initIDs()V", nothing),
            ("getHandle(I)J", |_| Ok(Value::Long(-1))),
            ("getAppend(I)Z", always_false),
            ("close0()V", close),
        ],
    ),
    (
        "java/io/FileCleanable",
        // There is nothing to clean up behind a descriptor that is forgotten.
        &[
            ("register(Ljava/io/FileDescriptor;)V", nothing),
            ("unregister(Ljava/io/FileDescriptor;)V", nothing),
            ("cleanupClose0(IJ)V", nothing),
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
            ("open0(Ljava/lang/String;)V", open),
            ("readBytes([BII)I", read_bytes),
            ("read0()I", read_byte),
            ("available0()I", available),
            ("skip0(J)J", skip),
            ("length0()J", length),
            ("position0()J", position),
            ("isRegularFile0(Ljava/io/FileDescriptor;)Z", always_false),
        ],
    ),
    (
        "java/io/ObjectStreamClass",
        &[("initNative()V", nothing), ("hasStaticInitializer(Ljava/lang/Class;)Z", has_static_initializer)],
    ),
    (
        "java/io/UnixFileSystem",
        &[
            ("initIDs()V", nothing),
            ("getBooleanAttributes0(Ljava/io/File;)I", get_boolean_attributes),
            ("getLength(Ljava/io/File;)J", get_length),
            ("getLength0(Ljava/io/File;)J", get_length),
            ("checkAccess(Ljava/io/File;I)Z", check_access),
            ("checkAccess0(Ljava/io/File;I)Z", check_access),
            ("canonicalize0(Ljava/lang/String;)Ljava/lang/String;", |call| Ok(call.arguments[1])),
        ],
    ),
];

/// Reading into a buffer that holds unknown bytes already.
pub(in crate::natives) const ON_UNKNOWNS: &[Models] =
    &[("java/io/FileInputStream", &[("readBytes([BII)I", read_bytes)])];

fn has_static_initializer(call: &mut Call) -> Result<Value, Exit> {
    let class = call.class(0)?;
    Ok(Value::bool(class.own_method("<clinit>", "()V").is_some()))
}

/// The numbers of the JDK's files start here, out of the way of the standard streams.
const FIRST_FILE: i32 = 100;

/// The path, if it names a file of the JDK. Whether others exist is not for the program to know.
fn path_in_jdk(call: &Call, path: &str) -> Result<PathBuf, Exit> {
    let path = PathBuf::from(path);
    let climbs = path.components().any(|part| part == std::path::Component::ParentDir);
    if climbs || !path.starts_with(call.vm.program.jdk().home()) {
        return Err(Exit::Unsupported(format!("{} for a file outside of the JDK", call.method.full_name())));
    }
    Ok(path)
}

/// The path of a `java.io.File`.
fn path_of_file(call: &Call, file: ObjId) -> Result<PathBuf, Exit> {
    match call.field(file, "path") {
        Value::Ref(Some(path)) => path_in_jdk(call, &call.text(path)),
        _ => call.unsupported(),
    }
}

fn get_boolean_attributes(call: &mut Call) -> Result<Value, Exit> {
    const EXISTS: i32 = 1;
    const REGULAR: i32 = 2;
    const DIRECTORY: i32 = 4;
    let path = path_of_file(call, call.object(1)?)?;
    Ok(Value::Int(match std::fs::metadata(path) {
        Ok(about) if about.is_file() => EXISTS | REGULAR,
        Ok(about) if about.is_dir() => EXISTS | DIRECTORY,
        Ok(_) => EXISTS,
        Err(_) => 0,
    }))
}

/// The files of the JDK can be read, if they can be opened; they are never written.
fn check_access(call: &mut Call) -> Result<Value, Exit> {
    const READ: i32 = 4;
    let file = call.object(1)?;
    if let Value::Ref(Some(path)) = call.field(file, "path")
        && call.text(path).starts_with("/dev/")
    {
        // There are no devices.
        return Ok(Value::Int(0));
    }
    let path = path_of_file(call, file)?;
    Ok(Value::bool(call.int(2) == READ && std::fs::File::open(path).is_ok()))
}

fn get_length(call: &mut Call) -> Result<Value, Exit> {
    let path = path_of_file(call, call.object(1)?)?;
    Ok(Value::Long(std::fs::metadata(path).map_or(0, |about| about.len() as i64)))
}

fn open(call: &mut Call) -> Result<Value, Exit> {
    let name = call.text(call.object(1)?);
    let path = path_in_jdk(call, &name)?;
    let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") else { return call.unsupported() };
    match call.vm.program.open_file(&path) {
        Ok(index) => {
            call.set_field(descriptor, "fd", Value::Int(FIRST_FILE + index as i32));
            call.set_field(descriptor, "handle", Value::Long(0));
            Ok(Value::Top)
        }
        Err(_) => throw("java/io/FileNotFoundException", format!("{name} (No such file or directory)")),
    }
}

fn close(call: &mut Call) -> Result<Value, Exit> {
    let this = call.this();
    if matches!(call.field(this, "fd"), Value::Int(FIRST_FILE..)) {
        call.set_field(this, "fd", Value::Int(-1));
    }
    Ok(Value::Top)
}

/// The contents of the file behind a FileInputStream and the position in it; none if it is a standard stream.
fn file(call: &Call) -> Result<Option<(&'static [u8], usize)>, Exit> {
    let Some(index) = stream(call)?.checked_sub(FIRST_FILE).filter(|index| *index >= 0) else { return Ok(None) };
    let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") else { return call.unsupported() };
    let (Some(contents), Value::Long(position)) =
        (call.vm.program.opened_file(index as usize), call.field(descriptor, "handle"))
    else {
        return call.unsupported();
    };
    Ok(Some((contents, position as usize)))
}

fn move_to(call: &mut Call, position: usize) {
    if let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") {
        call.set_field(descriptor, "handle", Value::Long(position as i64));
    }
}

fn available(call: &mut Call) -> Result<Value, Exit> {
    let count = match file(call)? {
        Some((contents, position)) => contents.len().saturating_sub(position),
        None if call.vm.is_exploring => {
            let length = length_of_input(call)?;
            length.saturating_sub(position_in_input(call))
        }
        None => call.vm.host.available(),
    };
    Ok(Value::Int(count.min(i32::MAX as usize) as i32))
}

fn skip(call: &mut Call) -> Result<Value, Exit> {
    let Some((_, position)) = file(call)? else { return call.unsupported() };
    let Ok(target) = usize::try_from((position as i64).saturating_add(call.long(1))) else {
        return throw("java/io/IOException", "Invalid argument");
    };
    move_to(call, target);
    Ok(Value::Long(call.long(1)))
}

fn length(call: &mut Call) -> Result<Value, Exit> {
    match file(call)? {
        Some((contents, _)) => Ok(Value::Long(contents.len() as i64)),
        None => call.unsupported(),
    }
}

fn position(call: &mut Call) -> Result<Value, Exit> {
    match file(call)? {
        Some((_, position)) => Ok(Value::Long(position as i64)),
        None => call.unsupported(),
    }
}

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
    if let Some((contents, position)) = file(call)? {
        let rest = contents.get(position..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        move_to(call, position + count);
        return Ok(count);
    }
    if stream(call)? != 0 {
        return call.unsupported();
    }
    match call.vm.host.read(buffer) {
        Ok(count) => Ok(count),
        Err(error) => throw("java/io/IOException", error.to_string()),
    }
}

/// Does the stream read standard input in an exploration? Then it has any bytes, up to the bound on lengths.
fn is_unknown_input(call: &Call) -> Result<bool, Exit> {
    Ok(call.vm.is_exploring && stream(call)? == 0)
}

/// The number of bytes that standard input has: one path for each. It is like a file, of which each read gets as much as it asks for.
fn length_of_input(call: &mut Call) -> Result<usize, Exit> {
    let most = call.vm.rules.length;
    let beyond = i32::try_from(most).unwrap_or(i32::MAX - 1) + 1;
    let wanted = AmbientValue {
        source: Source::StandardInput,
        name: "length of System.in",
        kind: Kind::Int,
        range: (0, beyond as i64),
        usual: Value::Int(0),
    };
    let length = call.vm.take_once(call.state, wanted);
    let length = call.vm.fix(call.state, length, beyond)?;
    match length < beyond {
        true => Ok(length as usize),
        false => Err(Exit::Stop(Stop::End(End::Beyond(Box::new(Restriction::StandardInput { most }))))),
    }
}

/// How many bytes of standard input were read. Its descriptor has no handle at first, which is -1.
fn position_in_input(call: &Call) -> usize {
    let Value::Ref(Some(descriptor)) = call.field(call.this(), "fd") else { return 0 };
    match call.field(descriptor, "handle") {
        Value::Long(position) => position.max(0) as usize,
        _ => 0,
    }
}

/// The next bytes of standard input, at most so many.
fn read_unknown(call: &mut Call, most: usize) -> Result<Vec<Value>, Exit> {
    let (length, position) = (length_of_input(call)?, position_in_input(call));
    let count = length.saturating_sub(position).min(most);
    let wanted = || AmbientValue {
        source: Source::StandardInput,
        name: "byte of System.in",
        kind: Kind::Byte,
        range: Kind::Byte.range(),
        usual: Value::Int(0),
    };
    let bytes = (0..count).map(|_| call.vm.take(call.state, wanted())).collect();
    move_to(call, position + count);
    Ok(bytes)
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
    if is_unknown_input(call)? {
        let bytes = read_unknown(call, length as usize)?;
        for (at, byte) in (offset..).zip(&bytes) {
            call.write_element(array, at, *byte)?;
        }
        return Ok(Value::Int(if bytes.is_empty() { -1 } else { bytes.len() as i32 }));
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
    if is_unknown_input(call)? {
        let byte = read_unknown(call, 1)?.first().copied();
        return Ok(match byte.and_then(|byte| call.vm.term_of(byte, Sort::Int)) {
            Some(byte) => {
                let mask = call.vm.terms.int(0xFF);
                let unsigned = call.vm.terms.binary(Binary::BitAnd, byte, mask);
                call.vm.value_of(unsigned)
            }
            None => Value::Int(-1),
        });
    }
    let mut buffer = [0];
    let count = read(call, &mut buffer)?;
    Ok(Value::Int(if count == 0 { -1 } else { buffer[0] as i32 }))
}
