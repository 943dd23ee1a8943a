//! Marsaglia's xorshift64: the same numbers on every machine, in three lines and without a
//! dependency.

pub struct Xorshift(u64);

impl Xorshift {
    /// `seed` must not be 0, which is the generator's fixed point.
    pub fn new(seed: u64) -> Xorshift {
        Xorshift(seed)
    }

    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        // The low bits are the least random.
        (self.0 >> 20) as usize % limit
    }

    pub fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())]
    }

    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.below(end + 1));
        }
    }
}
