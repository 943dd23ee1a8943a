//! Wavelet matrix: finds the smallest number in a range of a list that is at least a given one, in
//! a few steps for each bit.

use alloc::vec::Vec;
use core::ops::Range;

use crate::rules::steps;

/// A list of numbers below its own length, one level for each of their bits, the highest first.
/// Each level lists the numbers with a 0 in the bit of the level before it first, and then those
/// with a 1.
#[derive(Debug)]
pub(crate) struct Wavelet {
    count: u32,
    levels: Vec<Level>,
}

/// One bit of all numbers, in the order of the level.
#[derive(Debug)]
struct Level {
    bit: u32,
    /// For eight numbers each: the count of ones before them in the high bits, and in the low eight
    /// bits their own.
    blocks: Vec<u32>,
    zeros: u32,
}

impl Wavelet {
    /// Takes numbers that are below their count, at most [`MOST`] of them.
    pub(crate) fn new(mut numbers: Vec<u32>) -> Wavelet {
        let count = u32::try_from(numbers.len()).unwrap_or(u32::MAX);
        let bits = u32::BITS - count.leading_zeros();
        let mut levels = Vec::with_capacity(bits as usize);
        let mut ones = Vec::with_capacity(numbers.len());
        for bit in (0..bits).rev() {
            steps::add(numbers.len());
            let is_one = |number: &u32| number >> bit & 1 == 1;
            let mut blocks = Vec::with_capacity(numbers.len() / 8 + 1);
            let mut before = 0;
            for block in numbers.chunks(8) {
                let own = (0..)
                    .zip(block)
                    .map(|(at, number)| u32::from(is_one(number)) << at);
                let own = own.sum::<u32>();
                blocks.push(before << 8 | own);
                before += own.count_ones();
            }
            blocks.push(before << 8);
            ones.extend(numbers.iter().copied().filter(is_one));
            numbers.retain(|number| !is_one(number));
            let zeros = numbers.len() as u32;
            levels.push(Level { bit, blocks, zeros });
            numbers.append(&mut ones);
        }
        Wavelet { count, levels }
    }

    /// The smallest number in a range of the list that is `least` or more.
    pub(crate) fn next(&self, mut range: Range<u32>, least: u32) -> Option<u32> {
        // No level has a bit for what is above the count.
        let least = least.min(self.count);
        let mut levels = self.levels.iter();
        // The last range that was left because its numbers are above `least`, and the levels below
        // it.
        let mut above = None;
        while !range.is_empty() {
            let Some(level) = levels.next() else {
                return Some(least);
            };
            let (zeros, ones) = level.split(&range);
            range = if least >> level.bit & 1 == 1 {
                ones
            } else {
                if !ones.is_empty() {
                    above = Some((level.bit, ones, levels.clone()));
                }
                zeros
            };
        }
        let (bit, mut range, levels) = above?;
        let mut number = (least >> bit | 1) << bit;
        for level in levels {
            let (zeros, ones) = level.split(&range);
            range = if zeros.is_empty() {
                number |= 1 << level.bit;
                ones
            } else {
                zeros
            };
        }
        Some(number)
    }
}

impl Level {
    /// The places in the next level of the numbers with a 0 and of those with a 1.
    #[inline]
    fn split(&self, range: &Range<u32>) -> (Range<u32>, Range<u32>) {
        steps::add(4);
        let (start, end) = (self.ones_before(range.start), self.ones_before(range.end));
        let zeros = range.start - start..range.end - end;
        (zeros, self.zeros + start..self.zeros + end)
    }

    #[inline]
    fn ones_before(&self, at: u32) -> u32 {
        let block = self.blocks.get(at as usize / 8).copied();
        let block = block.unwrap_or_default();
        let before = block & ((1 << (at % 8)) - 1);
        let before = ONES.get(usize::from(before as u8)).copied();
        (block >> 8) + u32::from(before.unwrap_or_default())
    }
}

/// The most numbers of a list: their count must fit beside eight bits.
pub(crate) const MOST: usize = 1 << 24;

/// The number of ones in a byte. A table, because few target processors are sure to have an
/// instruction that counts them.
#[expect(clippy::indexing_slicing, reason = "computed at compile time")]
static ONES: [u8; 256] = {
    let mut ones = [0; 256];
    let mut byte = 0;
    while byte < ones.len() {
        ones[byte] = byte.count_ones() as u8;
        byte += 1;
    }
    ones
};

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(512) })]

        #[test]
        fn the_next_number_equals_a_look_at_all(
            numbers in vec(any::<u32>(), 0..200),
            start in 0_usize..200,
            len in 0_usize..200,
            least in 0_u32..256,
        ) {
            let count = numbers.len();
            let numbers: Vec<u32> = numbers.iter().map(|number| number % count.max(1) as u32).collect();
            let (start, end) = (start.min(count), (start + len).min(count));
            let expected = numbers[start..end].iter().copied().filter(|number| *number >= least).min();
            let found = Wavelet::new(numbers).next(start as u32..end as u32, least);
            prop_assert_eq!(found, expected);
        }
    }
}
