//! `java.util.zip`: the checksums. Compression is not supported.

use crate::heap::Body;
use crate::natives::{Call, Exit, Models};
use crate::value::Value;

/// Models of CRC-32 and Adler-32.
pub(super) const MODELS: &[Models] = &[
    (
        "java/util/zip/CRC32",
        &[
            ("update(II)I", |call| Ok(Value::Int(crc32(call.int(0), &[call.int(1) as i8])))),
            ("updateBytes0(I[BII)I", |call| over_bytes(call, crc32)),
        ],
    ),
    (
        "java/util/zip/Adler32",
        &[
            ("update(II)I", |call| Ok(Value::Int(adler32(call.int(0), &[call.int(1) as i8])))),
            ("updateBytes(I[BII)I", |call| over_bytes(call, adler32)),
        ],
    ),
];

/// The JDK has checked the range.
fn over_bytes(call: &mut Call, checksum: fn(i32, &[i8]) -> i32) -> Result<Value, Exit> {
    let (array, start, length) = (call.object(1)?, call.int(2) as usize, call.int(3) as usize);
    let Body::Bytes(bytes) = &call.state.heap.get(array).body else { return call.unsupported() };
    match bytes.get(start..start.saturating_add(length)) {
        Some(bytes) => Ok(Value::Int(checksum(call.int(0), bytes))),
        None => call.unsupported(),
    }
}

/// The checksum of ISO 3309, bit by bit, with the polynomial's bits reversed.
fn crc32(before: i32, bytes: &[i8]) -> i32 {
    const POLYNOMIAL: u32 = 0xEDB8_8320;
    let mut crc = !(before as u32);
    for byte in bytes {
        crc ^= *byte as u8 as u32;
        for _ in 0..8 {
            crc = (crc >> 1) ^ if crc & 1 == 1 { POLYNOMIAL } else { 0 };
        }
    }
    !crc as i32
}

/// RFC 1950, section 9.
fn adler32(before: i32, bytes: &[i8]) -> i32 {
    const MODULUS: u32 = 65521;
    let (mut low, mut high) = (before as u32 & 0xFFFF, before as u32 >> 16);
    for byte in bytes {
        low = (low + *byte as u8 as u32) % MODULUS;
        high = (high + low) % MODULUS;
    }
    ((high << 16) | low) as i32
}
