//! `java.util`.

use crate::heap::Body;
use crate::natives::{Call, Exit, Models, always_true};
use crate::value::Value;

pub const MODELS: &[Models] = &[
    ("java/util/concurrent/atomic/AtomicLong", &[("VMSupportsCS8()Z", always_true)]),
    ("java/util/concurrent/atomic/Striped64", &[("getProbe()I", |_| Ok(Value::Int(1)))]),
    (
        "java/util/TimeZone",
        &[
            ("getSystemTimeZoneID(Ljava/lang/String;)Ljava/lang/String;", |call| Ok(call.interned("UTC").into())),
            ("getSystemGMTOffsetID()Ljava/lang/String;", |call| Ok(call.interned("GMT").into())),
        ],
    ),
    ("java/util/zip/CRC32", &[("update(II)I", update_crc), ("updateBytes0(I[BII)I", update_crc_bytes)]),
];

/// The checksum of zip files (ISO 3309), continued by some bytes.
fn crc(before: i32, bytes: impl Iterator<Item = u8>) -> i32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut crc = !(before as u32);
    for byte in bytes {
        crc ^= byte as u32;
        for _ in 0..8 {
            crc = if crc & 1 == 1 { (crc >> 1) ^ POLYNOMIAL } else { crc >> 1 };
        }
    }
    !crc as i32
}

fn update_crc(call: &mut Call) -> Result<Value, Exit> {
    Ok(Value::Int(crc(call.int(0), std::iter::once(call.int(1) as u8))))
}

/// The caller has checked that the range lies in the array.
fn update_crc_bytes(call: &mut Call) -> Result<Value, Exit> {
    let Body::Bytes(bytes) = &call.state.heap.get(call.object(1)?).body else { return call.unsupported() };
    let (offset, length) = (call.int(2).max(0) as usize, call.int(3).max(0) as usize);
    let chosen = bytes.iter().skip(offset).take(length);
    Ok(Value::Int(crc(call.int(0), chosen.map(|byte| *byte as u8))))
}
