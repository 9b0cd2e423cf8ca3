//! What are the bytes of an attribute, and of the constants they refer to? (JVMS §4.4, §4.7)
//!
//! The JDK decodes annotations itself, from these bytes.

use std::ops::Range;

/// A class file as its constants and places lie in it. Nothing is decoded before it is asked for.
pub struct Raw<'a> {
    bytes: &'a [u8],
    /// Where each constant starts, at its tag; 0 for places that hold none.
    constants: Vec<usize>,
    after_constants: usize,
}

/// The owner of an attribute; members by their position in the class file.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    /// The class itself.
    Class,
    /// A field of the class.
    Field(usize),
    /// A method of the class.
    Method(usize),
    /// A component of a record.
    RecordComponent(usize),
}

impl<'a> Raw<'a> {
    /// None if the file is broken.
    pub fn open(bytes: &'a [u8]) -> Option<Raw<'a>> {
        let count = u2(bytes, 8)?;
        let mut constants = vec![0];
        let mut at = 10;
        while constants.len() < count {
            constants.push(at);
            let tag = *bytes.get(at)?;
            at += match tag {
                1 => 3 + u2(bytes, at + 1)?,
                3 | 4 | 9..=12 | 17 | 18 => 5,
                5 | 6 => 9,
                7 | 8 | 16 | 19 | 20 => 3,
                15 => 4,
                _ => return None,
            };
            if matches!(tag, 5 | 6) {
                // These take two places.
                constants.push(0);
            }
        }
        Some(Raw { bytes, constants, after_constants: at })
    }

    /// The size of the constant pool, with the unused entry 0.
    pub fn constant_count(&self) -> usize {
        self.constants.len()
    }

    /// The tag of a constant and what follows it; the caller knows how long that is.
    pub fn constant(&self, index: usize) -> Option<(u8, &'a [u8])> {
        let at = self.constants.get(index).copied().filter(|at| *at != 0)?;
        Some((*self.bytes.get(at)?, self.bytes.get(at + 1..)?))
    }

    /// The modified UTF-8 of a text constant.
    pub fn utf8(&self, index: usize) -> Option<&'a [u8]> {
        let (tag, rest) = self.constant(index)?;
        (tag == 1).then(|| rest.get(2..2 + u2(rest, 0)?)).flatten()
    }

    /// The contents of an attribute, without its name and length.
    pub fn attribute(&self, owner: Owner, name: &str) -> Option<&'a [u8]> {
        self.bytes.get(self.place(owner, name)?)
    }

    fn place(&self, owner: Owner, name: &str) -> Option<Range<usize>> {
        let mut at = self.after_constants + 6;
        at += 2 + 2 * u2(self.bytes, at)?;
        for is_method in [false, true] {
            let count = u2(self.bytes, at)?;
            at += 2;
            for index in 0..count {
                let wanted = owner == if is_method { Owner::Method(index) } else { Owner::Field(index) };
                let (found, end) = self.among(at + 6, name)?;
                if wanted {
                    return found;
                }
                at = end;
            }
        }
        let Owner::RecordComponent(wanted) = owner else { return self.among(at, name)?.0 };
        let record = self.among(at, "Record")?.0?;
        let mut at = record.start + 2;
        for index in 0..u2(self.bytes, record.start)? {
            let (found, end) = self.among(at + 4, name)?;
            if index == wanted {
                return found;
            }
            at = end;
        }
        None
    }

    /// The attribute of that name in the table at `at`, and where the table ends.
    fn among(&self, at: usize, name: &str) -> Option<(Option<Range<usize>>, usize)> {
        let mut found = None;
        let mut next = at + 2;
        for _ in 0..u2(self.bytes, at)? {
            let length = (u2(self.bytes, next + 2)? << 16) | u2(self.bytes, next + 4)?;
            let contents = next + 6..next + 6 + length;
            if self.utf8(u2(self.bytes, next)?) == Some(name.as_bytes()) {
                found = Some(contents.clone());
            }
            next = contents.end;
        }
        Some((found, next))
    }
}

fn u2(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u16::from_be_bytes([*bytes.get(at)?, *bytes.get(at + 1)?]) as usize)
}
