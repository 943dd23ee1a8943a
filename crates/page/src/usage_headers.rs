//! The headers of a response that state preferences about use: `Content-Usage` and
//! `Content-Signal`.

use alloc::vec::Vec;

use polite_robots::record::ExtensionField;
use polite_robots_records::{
    ContentSignal, ContentUsage, KeyValue, Preference, Usage, UsageCategory, UsageRecord,
};

/// The lines of both headers.
#[derive(Debug, Clone, Default)]
pub(crate) struct UsageHeaders {
    usages: HeaderLines,
    signals: HeaderLines,
}

impl UsageHeaders {
    /// Adds a line of a header; other headers change nothing. Letter case does not count in the
    /// name (RFC 9110 §5.1).
    pub(crate) fn push(&mut self, name: &[u8], value: &[u8], limit: usize) {
        let is_name = |field: ExtensionField| field.as_str().as_bytes().eq_ignore_ascii_case(name);
        if is_name(ExtensionField::ContentUsage) {
            self.usages.push(value, limit);
        } else if is_name(ExtensionField::ContentSignal) {
            self.signals.push(value, limit);
        }
    }

    /// The preferences of all lines together.
    pub(crate) fn usage(&self) -> Usage<'_> {
        Usage::combined(self.signals().chain(self.content_usages()))
    }

    fn signals(&self) -> impl Iterator<Item = Usage<'_>> {
        // A header is about its own page, so a path in it is an error.
        let lines = (0..self.signals.ends.len()).map(|at| (at, self.signals.line(at)));
        let lines = lines.filter(|(_, value)| !value.starts_with(b"/"));
        lines.map(|(at, value)| {
            let signal = ContentSignal::new(value);
            let record = record(ExtensionField::ContentSignal, at, value);
            Usage::of_record(record, |category| signal.preference(category))
        })
    }

    fn content_usages(&self) -> impl Iterator<Item = Usage<'_>> {
        let joined = &self.usages.joined;
        let is_one_line = !joined.iter().any(|byte| is_line_end(*byte));
        // A header is about its own page, so a path in it is an error.
        let stated = ContentUsage::new(joined).filter(|it| is_one_line && it.path().is_none());
        let categories = UsageCategory::ALL.iter().copied();
        let pairs = stated.into_iter().flat_map(move |stated| {
            categories.clone().filter_map(move |category| {
                let label = category.usage_label().as_bytes();
                let pair = stated.pairs().filter(|pair| pair.key() == label).last()?;
                Some((category, stated.preference(category), pair))
            })
        });
        pairs.map(|(category, preference, pair)| {
            let at = self.usages.line_of(&pair);
            let record = record(ExtensionField::ContentUsage, at, self.usages.line(at));
            Usage::of_record(record, |other| {
                if other == category {
                    preference
                } else {
                    Preference::Unstated
                }
            })
        })
    }
}

/// The lines of one header, joined as RFC 9651 §4.2 asks, which means the commas of RFC 9110 §5.3.
#[derive(Debug, Clone, Default)]
struct HeaderLines {
    joined: Vec<u8>,
    ends: Vec<usize>,
}

impl HeaderLines {
    /// Adds a line, unless that makes the header longer than the limit.
    fn push(&mut self, value: &[u8], limit: usize) {
        let value = trimmed(value);
        let separator = if self.ends.is_empty() { "" } else { SEPARATOR };
        let length = self.joined.len() + separator.len();
        if length.saturating_add(value.len()) <= limit {
            self.joined.extend_from_slice(separator.as_bytes());
            self.joined.extend_from_slice(value);
            self.ends.push(self.joined.len());
        }
    }

    /// The line, counted from 0, in which a member of the joined value begins.
    fn line_of(&self, member: &KeyValue<'_>) -> usize {
        self.ends.partition_point(|end| *end <= member.span().start)
    }

    /// The value of one line, counted from 0.
    fn line(&self, at: usize) -> &[u8] {
        let before = at.checked_sub(1).and_then(|before| self.ends.get(before));
        let start = before.map_or(0, |end| end + SEPARATOR.len());
        let end = self.ends.get(at).copied().unwrap_or_default();
        self.joined.get(start..end).unwrap_or_default()
    }
}

fn record(field: ExtensionField, at: usize, value: &[u8]) -> UsageRecord<'_> {
    let line = u32::try_from(at).unwrap_or(u32::MAX).saturating_add(1);
    UsageRecord::of_header(field, value, line)
}

/// The value without the blanks around it, which are no part of it (RFC 9110 §5.5).
fn trimmed(value: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    let start = value.iter().take_while(|byte| is_blank(byte)).count();
    let value = value.get(start..).unwrap_or_default();
    let blanks = value.iter().rev().take_while(|byte| is_blank(byte)).count();
    value.get(..value.len() - blanks).unwrap_or_default()
}

/// Bytes that the lines of a robots.txt may have around a value, and a header may not.
fn is_line_end(byte: u8) -> bool {
    matches!(byte, 0x0B | 0x0C | b'\r' | b'\n')
}

const SEPARATOR: &str = ", ";
