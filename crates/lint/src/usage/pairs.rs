//! The texts to write in place of a preference.

use std::ops::Range;

use polite_robots::record::{Extension, ExtensionField};
use polite_robots_records::{ContentSignal, ContentUsage, KeyValue, Preference, UsageCategory};

/// A preference of a record, and the opposite of it.
pub(crate) struct Opposite {
    /// The place of the pair in the file.
    pub(crate) pair: Range<usize>,
    /// The place of its value.
    pub(crate) value: Range<usize>,
    /// The opposite pair, and its value.
    pub(crate) opposite_pair: String,
    pub(crate) opposite_value: &'static str,
}

/// The last pair of a record that allows or disallows a use.
pub(crate) fn opposite(
    record: &Extension<'_>,
    category: UsageCategory,
    wanted: Preference,
) -> Option<Opposite> {
    let is_usage = record.field() == ExtensionField::ContentUsage;
    let (label, [yes, no]) = match is_usage {
        true => (category.usage_label(), ["y", "n"]),
        false => (category.signal_label(), ["yes", "no"]),
    };
    let (written, other) = match wanted {
        Preference::Allowed => (yes, no),
        _ => (no, yes),
    };
    let is_pair = |pair: &KeyValue<'_>| {
        pair.key().eq_ignore_ascii_case(label.as_bytes())
            && pair.value().eq_ignore_ascii_case(written.as_bytes())
    };
    let value = record.value();
    let pair = match is_usage {
        true => ContentUsage::new(value)?.pairs().filter(is_pair).last(),
        false => ContentSignal::new(value).pairs().filter(is_pair).last(),
    }?;
    let (span, start) = (pair.span(), record.span().start);
    let end = start.saturating_add(span.end);
    let key = String::from_utf8_lossy(pair.key());
    Some(Opposite {
        pair: start.saturating_add(span.start)..end,
        value: end.saturating_sub(pair.value().len())..end,
        opposite_pair: format!("{key}={other}"),
        opposite_value: other,
    })
}
