//! How is a class file changed so that it often still passes the verifier?
//!
//! The file is read as far as it takes to know what is where; then instructions become others of the same shape, operands refer to other
//! constants of the same kind, numbers change, and fields trade their types. What comes out is a class that no compiler would write.

/// Numbers from a seed, or from the bytes that a coverage-guided fuzzer chooses.
pub trait Choices {
    /// A number less than the limit, which is at least 1.
    fn below(&mut self, limit: usize) -> usize;
}

/// A small generator (xorshift), so that a seed reproduces a file.
pub struct Seeded(pub u64);

impl Choices for Seeded {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % limit.max(1)
    }
}

/// Changes the file a little. A file that is not understood stays as it is.
pub fn mutate(bytes: &mut [u8], choices: &mut dyn Choices) {
    let Some(layout) = Layout::of(bytes) else { return };
    // Most changes are in code; a few are in what stands around it.
    match choices.below(12) {
        0..=4 => layout.other_operation(bytes, choices),
        5 | 6 => layout.other_operand(bytes, choices),
        7 => layout.other_number(bytes, choices),
        8 => layout.other_jump(bytes, choices),
        9 => layout.other_constant(bytes, choices),
        10 => layout.other_member(bytes, choices),
        _ => layout.other_flags(bytes, choices),
    }
}

/// Instructions that take the same from the stack and leave the same there, so that one may stand for another.
const SAME: &[&[u8]] = &[
    &[0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x1a, 0x1b, 0x1c, 0x1d], // int constants and variables
    &[0x09, 0x0a, 0x1e, 0x1f, 0x20, 0x21],                               // long
    &[0x0e, 0x0f, 0x26, 0x27, 0x28],                                     // double
    &[0x01, 0x2a, 0x2b, 0x2c, 0x2d],                                     // null and references
    &[0x60, 0x64, 0x68, 0x6c, 0x70, 0x78, 0x7a, 0x7c, 0x7e, 0x80, 0x82], // int arithmetic
    &[0x61, 0x65, 0x69, 0x6d, 0x71, 0x7f, 0x81, 0x83],                   // long arithmetic
    &[0x79, 0x7b, 0x7d],                                                 // long shifts
    &[0x63, 0x67, 0x6b, 0x6f, 0x73],                                     // double arithmetic
    &[0x74, 0x91, 0x92, 0x93],                                           // int to int
    &[0x95, 0x96],                                                       // float comparisons
    &[0x97, 0x98],                                                       // double comparisons
    &[0x99, 0x9a, 0x9b, 0x9c, 0x9d, 0x9e],                               // if int is …
    &[0x9f, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4],                               // if int … int
    &[0xa5, 0xa6],                                                       // if same or not
    &[0xc6, 0xc7],                                                       // if null or not
    &[0x3b, 0x3c, 0x3d, 0x3e],                                           // int to variables
    &[0x4b, 0x4c, 0x4d, 0x4e],                                           // references to variables
    &[0x2e, 0x33, 0x34, 0x35],                                           // int elements
    &[0x4f, 0x54, 0x55, 0x56],
    &[0xc2, 0xc3, 0x57], // monitors, and forgetting
    &[0xbe, 0xc1],
];

/// Where the parts of a class file are.
struct Layout {
    /// The tag and the place of each constant; none for the second half of a long.
    constants: Vec<Option<(u8, usize)>>,
    /// Where the flags of the class are.
    class: usize,
    /// Where the flags of each field and method are.
    fields: Vec<usize>,
    methods: Vec<usize>,
    /// Where each instruction is.
    code: Vec<usize>,
}

impl Layout {
    fn of(bytes: &[u8]) -> Option<Layout> {
        let mut reader = Reader { bytes, at: 8 };
        let count = reader.short()?;
        let mut constants = vec![None];
        while constants.len() < count {
            let place = reader.at;
            let tag = reader.byte()?;
            constants.push(Some((tag, place)));
            let length = match tag {
                1 => reader.short()?,
                7 | 8 | 16 | 19 | 20 => 2,
                15 => 3,
                3 | 4 | 9..=12 | 17 | 18 => 4,
                5 | 6 => 8,
                _ => return None,
            };
            reader.skip(length)?;
            if matches!(tag, 5 | 6) {
                constants.push(None);
            }
        }
        let class = reader.at;
        reader.skip(6)?;
        let interfaces = reader.short()?;
        reader.skip(2 * interfaces)?;
        let mut code = Vec::new();
        let mut members = [Vec::new(), Vec::new()];
        for found in &mut members {
            for _ in 0..reader.short()? {
                found.push(reader.at);
                reader.skip(6)?;
                for _ in 0..reader.short()? {
                    let name = reader.short()?;
                    let length = reader.long()?;
                    let is_code = matches!(constants.get(name), Some(Some((1, at))) if bytes.get(at + 1..at + 7) == Some(b"\x00\x04Code"));
                    if is_code {
                        code.extend(instructions(bytes, reader.at + 8, reader.at + 4)?);
                    }
                    reader.skip(length)?;
                }
            }
        }
        let [fields, methods] = members;
        Some(Layout { constants, class, fields, methods, code })
    }

    fn other_operation(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let can_change = |at: &&usize| SAME.iter().any(|group| group.contains(&bytes[**at]));
        let Some(at) = one_of(&self.code.iter().filter(can_change).collect::<Vec<_>>(), choices).map(|at| **at) else {
            return;
        };
        let group = SAME.iter().find(|group| group.contains(&bytes[at]));
        if let Some(operation) = group.and_then(|group| one_of(group, choices)) {
            bytes[at] = *operation;
        }
    }

    /// Lets an instruction use another constant of the same kind.
    fn other_operand(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let uses_constant = |at: &&usize| matches!(bytes[**at], 0xb2..=0xb9 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0x13 | 0x14);
        let Some(at) = one_of(&self.code.iter().filter(uses_constant).collect::<Vec<_>>(), choices).map(|at| **at)
        else {
            return;
        };
        let used = usize::from(u16::from_be_bytes([bytes[at + 1], bytes[at + 2]]));
        let Some(Some((tag, _))) = self.constants.get(used) else { return };
        if let Some(other) = self.constant_of(*tag, choices) {
            bytes[at + 1..at + 3].copy_from_slice(&other.to_be_bytes());
        }
    }

    fn other_number(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let has_number = |at: &&usize| matches!(bytes[**at], 0x10 | 0x11 | 0x84 | 0x15..=0x19 | 0x36..=0x3a);
        let Some(at) = one_of(&self.code.iter().filter(has_number).collect::<Vec<_>>(), choices).map(|at| **at) else {
            return;
        };
        let last = at + if matches!(bytes[at], 0x11 | 0x84) { 2 } else { 1 };
        bytes[last] = [0, 1, 2, 3, 0x7f, 0x80, 0xff][choices.below(7)];
    }

    /// Lets a jump lead to another instruction.
    fn other_jump(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let jumps = |at: &&usize| matches!(bytes[**at], 0x99..=0xa7 | 0xc6 | 0xc7);
        let Some(at) = one_of(&self.code.iter().filter(jumps).collect::<Vec<_>>(), choices).map(|at| **at) else {
            return;
        };
        let Some(target) = one_of(&self.code, choices) else { return };
        if let Ok(distance) = i16::try_from(*target as i64 - at as i64) {
            bytes[at + 1..at + 3].copy_from_slice(&distance.to_be_bytes());
        }
    }

    /// Changes a number in the pool, or lets a constant refer to another one of the same kind.
    fn other_constant(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let Some(Some((tag, at))) = one_of(&self.constants, choices).copied() else { return };
        match tag {
            3..=6 => {
                let length = if tag < 5 { 4 } else { 8 };
                let values: [[u8; 8]; 5] = [
                    [0; 8],
                    [0xff; 8],
                    [0x80, 0, 0, 0, 0, 0, 0, 0],
                    [0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                    [0x7f, 0xc0, 0, 0, 0, 0, 0, 1],
                ];
                bytes[at + 1..at + 1 + length].copy_from_slice(&values[choices.below(5)][..length]);
            }
            // A field or a method of another name and type, or of another class.
            9..=11 => {
                let (place, wanted) = if choices.below(2) == 0 { (at + 1, 7) } else { (at + 3, 12) };
                if let Some(other) = self.constant_of(wanted, choices) {
                    bytes[place..place + 2].copy_from_slice(&other.to_be_bytes());
                }
            }
            _ => {}
        }
    }

    /// Lets two fields, or two methods, trade their types.
    fn other_member(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let members = if choices.below(3) > 0 { &self.fields } else { &self.methods };
        if let (Some(one), Some(other)) = (one_of(members, choices), one_of(members, choices)) {
            for at in 4..6 {
                bytes.swap(one + at, other + at);
            }
        }
    }

    fn other_flags(&self, bytes: &mut [u8], choices: &mut dyn Choices) {
        let places: Vec<usize> = [self.class].iter().chain(&self.fields).chain(&self.methods).copied().collect();
        let Some(at) = one_of(&places, choices) else { return };
        bytes[at + choices.below(2)] ^= 1 << choices.below(8);
    }

    fn constant_of(&self, tag: u8, choices: &mut dyn Choices) -> Option<u16> {
        let same: Vec<usize> = (1..self.constants.len())
            .filter(|index| matches!(self.constants[*index], Some((found, _)) if found == tag))
            .collect();
        one_of(&same, choices).map(|index| *index as u16)
    }
}

fn one_of<'a, T>(all: &'a [T], choices: &mut dyn Choices) -> Option<&'a T> {
    if all.is_empty() { None } else { all.get(choices.below(all.len())) }
}

/// Where the instructions of a method are (JVMS §6.5).
fn instructions(bytes: &[u8], begin: usize, length_at: usize) -> Option<Vec<usize>> {
    let end = begin + Reader { bytes, at: length_at }.long()?;
    let word = |at: usize| Reader { bytes, at }.long().map(|word| word as u32 as i32);
    let mut found = Vec::new();
    let mut at = begin;
    while at < end {
        found.push(at);
        let operands = begin + (at - begin + 4) / 4 * 4;
        at += match *bytes.get(at)? {
            0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
            0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
            0xc5 => 4,
            0xb9 | 0xba | 0xc8 | 0xc9 => 5,
            0xc4 => {
                if *bytes.get(at + 1)? == 0x84 {
                    6
                } else {
                    4
                }
            }
            0xaa => {
                operands - at
                    + 12
                    + 4 * usize::try_from(i64::from(word(operands + 8)?) - i64::from(word(operands + 4)?) + 1).ok()?
            }
            0xab => operands - at + 8 + 8 * usize::try_from(word(operands + 4)?).ok()?,
            _ => 1,
        };
    }
    (at == end && end <= bytes.len()).then_some(found)
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Reader<'_> {
    fn byte(&mut self) -> Option<u8> {
        self.at += 1;
        self.bytes.get(self.at - 1).copied()
    }

    fn short(&mut self) -> Option<usize> {
        Some(usize::from(u16::from_be_bytes([self.byte()?, self.byte()?])))
    }

    fn long(&mut self) -> Option<usize> {
        Some((self.short()? << 16) | self.short()?)
    }

    fn skip(&mut self, length: usize) -> Option<()> {
        self.at = self.at.checked_add(length).filter(|at| *at <= self.bytes.len())?;
        Some(())
    }
}
