//! The names of preferences and their values.

use polite_robots::record::ExtensionField;
use polite_robots_records::{ContentUse, UsageCategory};

use crate::text::words::is_one_of;

/// The names of a field as a part of a sentence.
pub(super) fn knows(field: ExtensionField) -> String {
    format!("`{field}` knows {}", all_labels(field))
}

/// The value of the field that a word stands for.
pub(super) fn known_value(field: ExtensionField, word: &[u8]) -> Option<&'static str> {
    let [yes, no] = values(field);
    match (
        is_one_of(word, WORDS_FOR_YES),
        is_one_of(word, WORDS_FOR_NO),
    ) {
        (true, _) => Some(yes),
        (_, true) => Some(no),
        _ => None,
    }
}

pub(super) fn is_content_use(value: &[u8]) -> bool {
    let mut known = ContentUse::KNOWN.iter();
    known.any(|known| known.as_bytes().eq_ignore_ascii_case(value))
}

pub(super) fn is_known_key(field: ExtensionField, key: &[u8]) -> bool {
    let is_use = field == ExtensionField::ContentSignal && key.eq_ignore_ascii_case(b"use");
    is_use || is_any_label(field, key)
}

/// Whether a key is the label of a use.
pub(super) fn is_any_label(field: ExtensionField, key: &[u8]) -> bool {
    let mut uses = UsageCategory::ALL.iter();
    uses.any(|use_of| is_label(field, *use_of, key))
}

pub(super) fn is_label(field: ExtensionField, use_of: UsageCategory, key: &[u8]) -> bool {
    is_same(field, name_in(field, use_of).as_bytes(), key)
}

/// Whether two names or values are the same in a field; `Content-Usage` has no capital letters.
pub(super) fn is_same(field: ExtensionField, one: &[u8], other: &[u8]) -> bool {
    match field {
        ExtensionField::ContentUsage => one == other,
        _ => one.eq_ignore_ascii_case(other),
    }
}

pub(super) fn name_in(field: ExtensionField, use_of: UsageCategory) -> &'static str {
    match field {
        ExtensionField::ContentUsage => use_of.usage_label(),
        _ => use_of.signal_label(),
    }
}

fn all_labels(field: ExtensionField) -> String {
    let uses = UsageCategory::ALL.iter();
    let mut names: Vec<String> = uses
        .map(|use_of| format!("`{}`", name_in(field, *use_of)))
        .collect();
    if field == ExtensionField::ContentSignal {
        names.push("`use`".into());
    }
    match names.split_last() {
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The values for `yes` and `no`.
pub(super) fn values(field: ExtensionField) -> [&'static str; 2] {
    match field {
        ExtensionField::ContentUsage => ["y", "n"],
        _ => ["yes", "no"],
    }
}

pub(super) fn example(field: ExtensionField) -> &'static str {
    match field {
        ExtensionField::ContentUsage => "search=y, train-ai=n",
        _ => "search=yes, ai-train=no",
    }
}

const WORDS_FOR_YES: &[&str] = &["y", "yes", "?1", "1", "true", "allow", "allowed"];

const WORDS_FOR_NO: &[&str] = &["n", "no", "?0", "0", "false", "disallow", "disallowed"];
