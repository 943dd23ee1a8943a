//! A record of a document, packed.

use core::ops::Range;

use crate::access::Access;
use crate::parse::field::{Directive, ExtensionField};
use crate::parse::line::MAX_BYTES;

/// 12 bytes, so that the shortest record there is, `Host:` and its line end, takes no more than twice its own.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PackedRecord {
    /// From the highest bit: where the value starts, how long it is, and the number of the directive. In halves, as
    /// a `u64` would want a place that is a multiple of 8.
    packed: [u32; 2],
    pub(crate) line: u32,
}

impl PackedRecord {
    #[inline]
    pub(crate) fn new(directive: Directive, start: usize, len: usize, line: u32) -> PackedRecord {
        let packed = (start as u64) << (PLACE_BITS + DIRECTIVE_BITS)
            | (len as u64) << DIRECTIVE_BITS
            | number(directive);
        PackedRecord {
            packed: [(packed >> 32) as u32, packed as u32],
            line,
        }
    }

    /// The directive, and where its value lies.
    #[inline]
    pub(crate) fn directive_and_place(&self) -> (Directive, Range<usize>) {
        let [high, low] = self.packed;
        let packed = u64::from(high) << 32 | u64::from(low);
        let number = packed & ((1 << DIRECTIVE_BITS) - 1);
        // Every number is one of a directive, as `new` gave it.
        let directive = DIRECTIVES.get(number as usize);
        let directive = directive.copied().unwrap_or(Directive::UserAgent);
        let start = (packed >> (PLACE_BITS + DIRECTIVE_BITS)) as usize;
        let len = (packed >> DIRECTIVE_BITS & ((1 << PLACE_BITS) - 1)) as usize;
        (directive, start..start.saturating_add(len))
    }
}

const PLACE_BITS: u32 = 30;
const DIRECTIVE_BITS: u32 = 4;

const _: () = {
    assert!(MAX_BYTES < 1 << PLACE_BITS && DIRECTIVES.len() <= 1 << DIRECTIVE_BITS);
    assert!(DIRECTIVES.len() == 3 + ExtensionField::VisitTime as usize + 1);
};

#[inline]
fn number(directive: Directive) -> u64 {
    match directive {
        Directive::UserAgent => 0,
        Directive::Rule(Access::Allow) => 1,
        Directive::Rule(Access::Disallow) => 2,
        Directive::Extension(field) => 3 + field as u64,
    }
}

/// By their numbers.
const DIRECTIVES: [Directive; 15] = [
    Directive::UserAgent,
    Directive::Rule(Access::Allow),
    Directive::Rule(Access::Disallow),
    Directive::Extension(ExtensionField::CleanParam),
    Directive::Extension(ExtensionField::Comment),
    Directive::Extension(ExtensionField::ContentSignal),
    Directive::Extension(ExtensionField::ContentUsage),
    Directive::Extension(ExtensionField::CrawlDelay),
    Directive::Extension(ExtensionField::Host),
    Directive::Extension(ExtensionField::License),
    Directive::Extension(ExtensionField::Noindex),
    Directive::Extension(ExtensionField::RequestRate),
    Directive::Extension(ExtensionField::RobotVersion),
    Directive::Extension(ExtensionField::Sitemap),
    Directive::Extension(ExtensionField::VisitTime),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for (expected, directive) in (0..).zip(DIRECTIVES) {
            assert_eq!(number(directive), expected);
            for (start, len) in [
                (0, 0),
                (MAX_BYTES, 0),
                (5, MAX_BYTES - 5),
                (MAX_BYTES - 7, 3),
            ] {
                let record = PackedRecord::new(directive, start, len, u32::MAX);
                let expected = (directive, start..start + len);
                assert_eq!(record.directive_and_place(), expected);
                assert_eq!(record.line, u32::MAX);
            }
        }
    }

    #[test]
    fn a_record_takes_12_bytes() {
        assert_eq!(size_of::<PackedRecord>(), 12);
    }
}
