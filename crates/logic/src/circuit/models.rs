//! Was a literal ever true?
//!
//! Models are kept in batches of 64: one word per input, with a bit for each model. A gate is evaluated under all models of a batch at
//! once. Words of gates are computed when they are asked for, because a model is found more often than a gate is asked about; in
//! a batch that is full, each at most once.

use std::collections::VecDeque;

use super::{Circuit, Gate, Lit};

/// Batches that are kept; the oldest is forgotten.
const MOST_BATCHES: usize = 16;

/// The last models.
#[derive(Default)]
pub(super) struct ModelBatches {
    /// The one that models are added to is the last.
    batches: VecDeque<Batch>,
    /// The batch of the model that values are read from, counted from the last one.
    current: usize,
}

impl ModelBatches {
    /// Is it true in one of the models of everything that is asserted?
    pub(super) fn was_true(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        self.batches.iter_mut().rev().any(|batch| batch.truths(circuit, lit) != 0)
    }

    /// Is it true in the current model? Without a model all inputs are false.
    pub(super) fn value(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        if self.batches.is_empty() {
            self.batches.push_back(Batch::default());
        }
        let last = self.batches.len() - 1;
        self.batches[last - self.current].value(circuit, lit)
    }

    /// Makes a model in which all of these are true the current one, if there is one.
    pub(super) fn recall(&mut self, circuit: &Circuit, lits: &[Lit]) -> bool {
        let found = self.batches.iter_mut().rev().position(|batch| batch.recall(circuit, lits));
        self.current = found.unwrap_or(self.current);
        found.is_some()
    }

    /// Models without this are none from now on.
    pub(super) fn assert(&mut self, circuit: &Circuit, lit: Lit) {
        for batch in &mut self.batches {
            batch.assert(circuit, lit);
        }
    }

    /// A new model: the numbers of the inputs that the solver knows, and their values. The others are false.
    pub(super) fn add(&mut self, model: impl Iterator<Item = (usize, bool)>) {
        self.current = 0;
        if self.batches.back().is_none_or(|batch| batch.count == 64) {
            self.batches.retain(|batch| batch.valid != 0);
            if self.batches.len() == MOST_BATCHES {
                self.batches.pop_front();
            }
            self.batches.push_back(Batch::default());
        }
        if let Some(batch) = self.batches.back_mut() {
            batch.add(model);
        }
    }
}

/// Up to 64 models.
#[derive(Default)]
struct Batch {
    /// By the input's number; inputs beyond are false in all models.
    inputs: Vec<u64>,
    /// By gate, and when that was computed.
    words: Vec<u64>,
    computed: Vec<u32>,
    /// Which of the 64 are models of everything that is asserted.
    valid: u64,
    /// How many models there are.
    count: u32,
    /// The place of the model that values are read from: the last one, or one that was recalled.
    current: u32,
}

impl Batch {
    /// In which of the models is it true?
    fn truths(&mut self, circuit: &Circuit, lit: Lit) -> u64 {
        if self.valid == 0 { 0 } else { self.word(circuit, lit) & self.valid }
    }

    /// Is it true in the current model? Without a model all inputs are false.
    fn value(&mut self, circuit: &Circuit, lit: Lit) -> bool {
        self.word(circuit, lit) >> self.current & 1 == 1
    }

    /// Makes a model in which all of these are true the current one, if there is one.
    fn recall(&mut self, circuit: &Circuit, lits: &[Lit]) -> bool {
        let mut fitting = self.valid;
        for lit in lits {
            if fitting == 0 {
                return false;
            }
            fitting &= self.word(circuit, *lit);
        }
        if fitting != 0 {
            self.current = fitting.trailing_zeros();
        }
        fitting != 0
    }

    /// Models without this are none from now on.
    fn assert(&mut self, circuit: &Circuit, lit: Lit) {
        self.valid = self.truths(circuit, lit);
    }

    /// A new model: the numbers of the inputs that the solver knows, and their values. The others are false.
    fn add(&mut self, model: impl Iterator<Item = (usize, bool)>) {
        self.current = self.count;
        let place = 1 << self.current;
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
            // A gate that was never computed was computed before the first model.
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
