//! A record of a parsed file in 12 bytes.

use core::ops::Range;

use crate::access::Access;
use crate::parse::field::{Directive, Record};
use crate::parse::line::MAX_BYTES;
use crate::parse::part::Part;

/// A [`Record`] whose value is a range of the file.
///
/// It takes 12 bytes, so that the shortest record, `Host:` and its line end, takes no more than
/// twice its own length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedRecord {
    /// From the highest bit: the start of the value, its length, and the number of the directive.
    /// In two halves, because a `u64` would be aligned to 8 bytes and make the whole 16 bytes long.
    packed: [u32; 2],
    pub(crate) line: u32,
}

impl PackedRecord {
    #[inline]
    pub(crate) fn new(record: Record<'_>) -> PackedRecord {
        let written = record.written;
        let packed = (written.start as u64) << (PLACE_BITS + DIRECTIVE_BITS)
            | (written.bytes.len() as u64) << DIRECTIVE_BITS
            | number(record.directive);
        PackedRecord {
            packed: [(packed >> 32) as u32, packed as u32],
            line: record.line,
        }
    }

    /// The record as it was, with its value from the bytes of the file.
    #[inline]
    pub(crate) fn record<'r>(&self, file: &'r [u8]) -> Record<'r> {
        let range = self.value_range();
        Record {
            directive: self.directive(),
            written: Part::new(range.start, file.get(range).unwrap_or_default()),
            line: self.line,
        }
    }

    #[inline]
    pub(crate) fn directive(&self) -> Directive {
        let number = self.packed() & ((1 << DIRECTIVE_BITS) - 1);
        // OK because `new` alone writes the number, and `Directive::ALL` has all that it writes.
        let directive = Directive::ALL.get(number as usize);
        directive.copied().unwrap_or(Directive::UserAgent)
    }

    /// Whether the record is an `Allow` or a `Disallow`, without a look at the others.
    #[inline]
    pub(crate) fn is_rule(&self) -> bool {
        const ALLOW: u64 = number(Directive::Rule(Access::Allow));
        const DISALLOW: u64 = number(Directive::Rule(Access::Disallow));

        matches!(
            self.packed() & ((1 << DIRECTIVE_BITS) - 1),
            ALLOW | DISALLOW
        )
    }

    #[inline]
    fn value_range(&self) -> Range<usize> {
        let packed = self.packed();
        let start = (packed >> (PLACE_BITS + DIRECTIVE_BITS)) as usize;
        let len = (packed >> DIRECTIVE_BITS & ((1 << PLACE_BITS) - 1)) as usize;
        start..start.saturating_add(len)
    }

    #[inline]
    fn packed(&self) -> u64 {
        let [high, low] = self.packed;
        u64::from(high) << 32 | u64::from(low)
    }
}

const PLACE_BITS: u32 = 30;
const DIRECTIVE_BITS: u32 = 4;

const _: () = assert!(MAX_BYTES < 1 << PLACE_BITS);
// With more fields a bit has to come from `MAX_BYTES`.
const _: () = assert!(Directive::ALL.len() <= 1 << DIRECTIVE_BITS);

/// The place of the directive in [`Directive::ALL`].
#[inline]
const fn number(directive: Directive) -> u64 {
    match directive {
        Directive::UserAgent => 0,
        Directive::Rule(Access::Allow) => 1,
        Directive::Rule(Access::Disallow) => 2,
        Directive::Extension(field) => 3 + field as u64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_record_is_unpacked_as_it_was() {
        let file = alloc::vec![b'x'; 100];
        for (expected, directive) in (0..).zip(Directive::ALL.iter().copied()) {
            assert_eq!(number(directive), expected);
            for value in [0..0, 0..100, 5..95, 100..100] {
                let record = Record {
                    directive,
                    written: Part::new(value.start, &file[value]),
                    line: u32::MAX,
                };
                let unpacked = PackedRecord::new(record).record(&file);
                assert_eq!(unpacked.directive, directive);
                let is_rule = matches!(directive, Directive::Rule(_));
                assert_eq!(PackedRecord::new(record).is_rule(), is_rule);
                assert_eq!(unpacked.written, record.written);
                assert_eq!(unpacked.line, u32::MAX);
            }
        }
    }

    #[test]
    fn the_longest_file_has_room() {
        // Zeros that nobody writes take no memory.
        let file = alloc::vec![0; MAX_BYTES];
        for value in [0..MAX_BYTES, 5..MAX_BYTES, MAX_BYTES..MAX_BYTES] {
            let record = Record {
                directive: Directive::UserAgent,
                written: Part::new(value.start, &file[value.clone()]),
                line: 1,
            };
            assert_eq!(PackedRecord::new(record).value_range(), value);
        }
    }

    #[test]
    fn a_record_takes_12_bytes() {
        assert_eq!(size_of::<PackedRecord>(), 12);
    }
}
