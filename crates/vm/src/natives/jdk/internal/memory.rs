//! `jdk.internal.misc.Unsafe`: runs of bytes in arrays of primitives, whatever their elements are.

use std::rc::Rc;

use super::unsafe_::{BASE, outside};
use crate::heap::Body;
use crate::natives::{Call, Exit};
use crate::value::Value;

/// The model of `Unsafe.copyMemory0` between arrays of primitives.
pub(super) fn copy(call: &mut Call) -> Result<Value, Exit> {
    copy_elements(call, 1)
}

/// The bytes of each element come out in the opposite order.
pub(super) fn copy_swapped(call: &mut Call) -> Result<Value, Exit> {
    let Ok(size @ (2 | 4 | 8)) = usize::try_from(call.long(6)) else { return call.unsupported() };
    copy_elements(call, size)
}

/// Copies and turns round each group of `size` bytes.
fn copy_elements(call: &mut Call, size: usize) -> Result<Value, Exit> {
    let (Some(source), Some(target)) = (call.reference(1), call.reference(3)) else { return Err(outside(call)) };
    let Ok(count) = usize::try_from(call.long(5)) else { return Err(outside(call)) };
    let Some(bytes) = bytes_of(&call.state.heap.get(source).body) else { return Err(outside(call)) };
    let Some(chosen) = range(call.long(2), count, bytes.len()) else { return Err(outside(call)) };
    let mut copied = bytes[chosen].to_vec();
    for element in copied.chunks_exact_mut(size) {
        element.reverse();
    }
    overwrite(call, target, call.long(4), &copied)
}

/// The model of `Unsafe.setMemory0` on an array of primitives.
pub(super) fn set(call: &mut Call) -> Result<Value, Exit> {
    let Some(object) = call.reference(1) else { return Err(outside(call)) };
    let Ok(count) = usize::try_from(call.long(3)) else { return Err(outside(call)) };
    overwrite(call, object, call.long(2), &vec![call.int(4) as u8; count])
}

fn overwrite(call: &mut Call, target: crate::value::ObjId, offset: i64, new: &[u8]) -> Result<Value, Exit> {
    // A byte array, by far the most frequent, is written in place.
    if let Body::Bytes(own) = call.state.heap.body_mut(target) {
        let Some(places) = range(offset, new.len(), own.len()) else { return Err(outside(call)) };
        for (own, byte) in Rc::make_mut(own)[places].iter_mut().zip(new) {
            *own = *byte as i8;
        }
        return Ok(Value::Top);
    }
    let Some(mut bytes) = bytes_of(&call.state.heap.get(target).body) else { return Err(outside(call)) };
    let Some(places) = range(offset, new.len(), bytes.len()) else { return Err(outside(call)) };
    bytes[places].copy_from_slice(new);
    set_bytes(call.state.heap.body_mut(target), &bytes);
    Ok(Value::Top)
}

/// The bytes from an offset on, if the array is long enough.
fn range(offset: i64, count: usize, length: usize) -> Option<std::ops::Range<usize>> {
    let start = usize::try_from(offset - BASE).ok()?;
    (start.checked_add(count)? <= length).then(|| start..start + count)
}

/// The contents of an array of primitives as a little-endian machine has them in memory.
fn bytes_of(body: &Body) -> Option<Vec<u8>> {
    Some(match body {
        Body::Bytes(items) => items.iter().map(|item| *item as u8).collect(),
        Body::Chars(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Shorts(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Ints(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Longs(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Floats(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Doubles(items) => items.iter().flat_map(|item| item.to_le_bytes()).collect(),
        Body::Fields(_) | Body::Refs(_) | Body::Mixed(_) | Body::Sparse(_) | Body::Free => return None,
    })
}

/// The inverse of `bytes_of`.
fn set_bytes(body: &mut Body, bytes: &[u8]) {
    macro_rules! fill {
        ($items:expr, $kind:ty) => {
            for (item, bytes) in Rc::make_mut($items).iter_mut().zip(bytes.chunks_exact(size_of::<$kind>())) {
                *item = <$kind>::from_le_bytes(bytes.try_into().expect("chunks are as long as asked for"));
            }
        };
    }
    match body {
        Body::Bytes(items) => fill!(items, i8),
        Body::Chars(items) => fill!(items, u16),
        Body::Shorts(items) => fill!(items, i16),
        Body::Ints(items) => fill!(items, i32),
        Body::Longs(items) => fill!(items, i64),
        Body::Floats(items) => fill!(items, f32),
        Body::Doubles(items) => fill!(items, f64),
        Body::Fields(_) | Body::Refs(_) | Body::Mixed(_) | Body::Sparse(_) | Body::Free => {}
    }
}
