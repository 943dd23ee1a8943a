//! The texts to write in place of a preference.

use std::ops::Range;

use polite_robots::record::{Extension, ExtensionField};
use polite_robots_records::{ContentSignal, ContentUsage, KeyValue, Preference, UsageCategory};

/// The place of the last preference of a record about a use that is as wanted, and the pair that
/// states the opposite there.
pub(crate) fn opposite(
    record: &Extension<'_>,
    category: UsageCategory,
    wanted: Preference,
) -> Option<(Range<usize>, String)> {
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
    let pair = match is_usage {
        true => ContentUsage::new(record.value())?
            .pairs()
            .filter(is_pair)
            .last(),
        false => ContentSignal::new(record.value())
            .pairs()
            .filter(is_pair)
            .last(),
    }?;
    let (span, start) = (pair.span(), record.span().start);
    let span = start.saturating_add(span.start)..start.saturating_add(span.end);
    let key = String::from_utf8_lossy(pair.key());
    Some((span, format!("{key}={other}")))
}
