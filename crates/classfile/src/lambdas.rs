//! Which interfaces do the lambdas and method references of a class implement? (JVMS §4.4.10)
//!
//! Their call sites return objects of these. The constant pool tells, without a look at the code: of call sites that javac makes for other
//! purposes, those that return an object return a string.

use std::collections::BTreeSet;

use crate::raw::Raw;

/// A call site that is linked at run time.
const INVOKE_DYNAMIC: u8 = 18;

/// The names of these interfaces, with slashes. None of a broken file.
pub fn lambda_types(bytes: &[u8]) -> BTreeSet<String> {
    let Some(raw) = Raw::open(bytes) else { return BTreeSet::new() };
    let descriptor = |index: usize| {
        let (_, site) = raw.constant(index).filter(|(tag, _)| *tag == INVOKE_DYNAMIC)?;
        let (_, name_and_type) = raw.constant(number(site, 2)?)?;
        std::str::from_utf8(raw.utf8(number(name_and_type, 2)?)?).ok()
    };
    let result = |index: usize| {
        let (_, result) = descriptor(index)?.rsplit_once(')')?;
        result.strip_prefix('L')?.strip_suffix(';').map(str::to_string)
    };
    (1..raw.constant_count()).filter_map(result).filter(|name| name != "java/lang/String").collect()
}

fn number(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]) as usize)
}
