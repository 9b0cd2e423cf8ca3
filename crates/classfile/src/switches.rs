//! Do the tables of a method's switches fit into its code?
//!
//! The decoder makes room for as many targets as a switch announces, before it reads them. A class file of a hundred bytes
//! can announce two thousand million, so this is looked at first.

/// False if a `tableswitch` or `lookupswitch` announces more targets than the code has bytes for.
/// Code that is broken in other ways passes: the decoder will say what is wrong with it.
pub(crate) fn switches_fit(code: &[u8]) -> bool {
    let int = |at: usize| Some(i32::from_be_bytes(code.get(at..at + 4)?.try_into().ok()?) as i64);
    let mut at = 0;
    while let Some(&opcode) = code.get(at) {
        // The tables start at the next multiple of four, with the default target.
        let table = (at + 4) & !3;
        let length = match opcode {
            0xaa => {
                let (Some(low), Some(high)) = (int(table + 4), int(table + 8)) else { return false };
                let targets = high - low + 1;
                if targets < 1 || targets > (code.len() - table - 12) as i64 / 4 {
                    return false;
                }
                table + 12 + 4 * targets as usize - at
            }
            0xab => {
                let Some(pairs) = int(table + 4) else { return false };
                if pairs < 0 || pairs > (code.len() - table - 8) as i64 / 8 {
                    return false;
                }
                table + 8 + 8 * pairs as usize - at
            }
            // `wide` doubles the operands of the instruction behind it.
            0xc4 => {
                if code.get(at + 1) == Some(&0x84) {
                    6
                } else {
                    4
                }
            }
            opcode => length(opcode),
        };
        at += length;
    }
    true
}

/// The length of an instruction that always has the same.
fn length(opcode: u8) -> usize {
    match opcode {
        0x10 | 0x12 | 0x15..=0x19 | 0x36..=0x3a | 0xa9 | 0xbc => 2,
        0x11 | 0x13 | 0x14 | 0x84 | 0x99..=0xa8 | 0xb2..=0xb8 | 0xbb | 0xbd | 0xc0 | 0xc1 | 0xc6 | 0xc7 => 3,
        0xc5 => 4,
        0xb9 | 0xba | 0xc8 | 0xc9 => 5,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn switch(opcode: u8, numbers: &[i32], targets: usize) -> Vec<u8> {
        let mut code = vec![0x00, opcode, 0, 0, 0, 0, 0, 0];
        code.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        code.extend(vec![0; 4 * targets]);
        code
    }

    #[test]
    fn honest_switches_pass() {
        assert!(switches_fit(&switch(0xaa, &[-1, 1], 3)));
        assert!(switches_fit(&switch(0xab, &[2], 4)));
        assert!(switches_fit(&switch(0xab, &[0], 0)));
        // A byte that looks like a switch may be an operand.
        assert!(switches_fit(&[0x10, 0xaa, 0xc4, 0x84, 0xaa, 0xaa, 0xaa, 0xaa, 0xb1]));
        assert!(switches_fit(&[]));
    }

    #[test]
    fn boasting_switches_are_refused() {
        for (low, high) in [(i32::MIN, i32::MAX), (0, i32::MAX), (-5, i32::MAX), (1, 0), (0, 3)] {
            assert!(!switches_fit(&switch(0xaa, &[low, high], 2)), "{low} {high}");
        }
        for pairs in [-1, i32::MAX, i32::MIN, 100] {
            assert!(!switches_fit(&switch(0xab, &[pairs], 4)), "{pairs}");
        }
        assert!(!switches_fit(&[0xaa]));
        assert!(!switches_fit(&[0xab, 0, 0]));
    }
}
