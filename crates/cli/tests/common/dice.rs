//! Where do generators of Java classes take their choices from?

/// Numbers that look random, and are the same every time: SplitMix64.
pub struct Dice(u64);

impl Dice {
    /// The same number gives the same dice.
    pub fn new(number: u64) -> Dice {
        Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ 0x5eed)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.roll() % end as u64) as usize
    }

    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    pub fn pick<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())]
    }

    // Only one of the generators leaves things out.
    #[allow(dead_code)]
    pub fn some_of<T>(&mut self, all: Vec<T>, percent: usize) -> Vec<T> {
        all.into_iter().filter(|_| self.chance(percent)).collect()
    }

    fn roll(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
