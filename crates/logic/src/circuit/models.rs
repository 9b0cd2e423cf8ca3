//! Was a literal ever true?
//!
//! The last 64 models are kept as one word per input, and a gate is evaluated under all of them at once: its own word has a bit
//! for each. Words of gates are computed when they are asked for, because a model is found more often than a gate is asked about.

use super::{Circuit, Gate, Lit};

#[derive(Default)]
pub(super) struct Models {
    /// By the input's number; inputs beyond are false in all models.
    inputs: Vec<u64>,
    /// By gate, and when that was computed.
    words: Vec<u64>,
    computed: Vec<u32>,
    /// Which of the 64 are models of everything that is asserted.
    valid: u64,
    /// How many models there were; the last takes the place of the oldest.
    count: u32,
}

impl Models {
    /// In which of the models is it true?
    pub fn truths(&mut self, circuit: &Circuit, lit: Lit) -> u64 {
        if self.valid == 0 { 0 } else { self.word(circuit, lit) & self.valid }
    }

    /// Is it true in the last model? Without a model all inputs are false.
    pub fn value(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        let place = self.count.wrapping_sub(1) % 64;
        self.word(circuit, lit) >> place & 1 == 1
    }

    /// Models without this are none from now on.
    pub fn assert(&mut self, circuit: &Circuit, lit: Lit) {
        self.valid = self.truths(circuit, lit);
    }

    /// A new model: the numbers of the inputs that the solver knows, and their values. The others are false.
    pub fn add(&mut self, model: impl Iterator<Item = (usize, bool)>) {
        let place = 1 << (self.count % 64);
        self.count += 1;
        self.valid |= place;
        self.inputs.iter_mut().for_each(|word| *word &= !place);
        for (input, value) in model {
            if input >= self.inputs.len() {
                self.inputs.resize(input + 1, 0);
            }
            if value {
                self.inputs[input] |= place;
            }
        }
    }

    fn word(&mut self, circuit: &Circuit, lit: Lit) -> u64 {
        if self.words.len() < circuit.len() {
            self.words.resize(circuit.len(), 0);
            // What was never computed was computed before the first model.
            self.computed.resize(circuit.len(), u32::MAX);
        }
        if self.computed[lit.gate()] == self.count {
            return signed(self.words[lit.gate()], lit);
        }
        // Operands first; a list instead of recursion, because circuits are deep.
        let mut waiting = vec![lit.gate()];
        while let Some(&top) = waiting.last() {
            if self.computed[top] == self.count {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            let mut get = |lit: Lit| {
                if self.computed[lit.gate()] != self.count {
                    waiting.push(lit.gate());
                }
                signed(self.words[lit.gate()], lit)
            };
            let word = match circuit.gate(top) {
                Gate::False => 0,
                Gate::Input(number) => self.inputs.get(number as usize).copied().unwrap_or(0),
                Gate::And(a, b) => get(a) & get(b),
                Gate::Xor(a, b) => get(a) ^ get(b),
                Gate::If(condition, yes, no) => {
                    let condition = get(condition);
                    get(yes) & condition | get(no) & !condition
                }
            };
            // Else it was computed from old words, and comes again after what waits.
            if waiting.len() == before {
                self.words[top] = word;
                self.computed[top] = self.count;
                waiting.pop();
            }
        }
        signed(self.words[lit.gate()], lit)
    }
}

#[inline]
fn signed(word: u64, lit: Lit) -> u64 {
    if lit.is_negated() { !word } else { word }
}
