//! The names of preferences and their values, and those that are near one.

use polite_robots::record::ExtensionField;
use polite_robots_records::{ContentUse, KeyValue, UsageCategory};

use crate::lines::field::difference;

/// The preference that a pair was probably meant to be.
pub(super) struct Meant {
    /// The reason why its label states nothing; may be empty.
    pub(super) reason: String,
    /// The pair to write; empty if the field has none in its place.
    pub(super) text: String,
}

pub(super) fn meant(field: ExtensionField, pair: &KeyValue<'_>) -> Option<Meant> {
    let (key, value, reason) = match split_at_sign(pair) {
        Some((key, value)) => (key, value, "names and values have a `=` between them"),
        None => (pair.key(), pair.value(), ""),
    };
    let is_other_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let meant = |reason: String, use_of: UsageCategory| {
        // A label alone states nothing either.
        if value.is_empty() {
            let reason = if reason.is_empty() {
                knows(field)
            } else {
                reason
            };
            return Some(Meant {
                reason,
                text: String::new(),
            });
        }
        let value = known_value(field, value).map_or_else(
            || String::from_utf8_lossy(value).into_owned(),
            str::to_owned,
        );
        let text = format!("{}={value}", name_in(field, use_of));
        Some(Meant { reason, text })
    };
    let mut uses = UsageCategory::ALL.iter().copied();
    let labelled = uses.clone().find(|use_of| is_label(field, *use_of, key));
    if let Some(use_of) = labelled.filter(|_| !reason.is_empty()) {
        return meant(reason.to_owned(), use_of);
    }
    if field == ExtensionField::ContentSignal
        && is_content_use(value)
        && (is_other_key("use") || WORDS_FOR_USE.iter().any(|word| is_other_key(word)))
    {
        let value = String::from_utf8_lossy(value).to_ascii_lowercase();
        return Some(Meant {
            reason: knows(field),
            text: format!("use={value}"),
        });
    }
    let other = match field {
        ExtensionField::ContentUsage => ExtensionField::ContentSignal,
        _ => ExtensionField::ContentUsage,
    };
    if let Some(use_of) = uses
        .clone()
        .find(|use_of| is_other_key(name_in(other, *use_of)))
    {
        let name = name_in(field, use_of);
        let reason = format!("that is the name in `{other}`, and in `{field}` it is `{name}`");
        return meant(reason, use_of);
    }
    if let Some(former) = FORMER_LABELS
        .iter()
        .find(|former| is_other_key(former.name))
    {
        let until = format!(
            "draft-ietf-aipref-vocab{} was the last with that name",
            former.draft
        );
        return match former.category {
            Some(use_of) => meant(until, use_of),
            None => Some(Meant {
                reason: format!("{until}, and {VOCABULARY} has no other in its place"),
                text: String::new(),
            }),
        };
    }
    let is_near = |use_of: &UsageCategory| {
        let name = name_in(field, *use_of).as_bytes();
        let head = key.get(..name.len()).unwrap_or_default();
        difference(key, name) <= name.len() / 4 || head.eq_ignore_ascii_case(name)
    };
    let is_word = |(word, _): &&(&str, UsageCategory)| is_other_key(word);
    if let Some(use_of) = uses.find(is_near) {
        return meant(reason.to_owned(), use_of);
    }
    let (_, use_of) = WORDS_FOR_USES.iter().find(is_word)?;
    meant(knows(field), *use_of)
}

/// The names of a field as a part of a sentence.
pub(super) fn knows(field: ExtensionField) -> String {
    format!("`{field}` knows {}", all_labels(field))
}

/// The key and the value of a pair with a colon or a blank in place of the `=`.
fn split_at_sign<'r>(pair: &KeyValue<'r>) -> Option<(&'r [u8], &'r [u8])> {
    let key = pair.key();
    let is_sign = |byte: &u8| *byte == b':' || byte.is_ascii_whitespace();
    let (name, value) = key.split_at_checked(key.iter().position(is_sign)?)?;
    let signs = value.iter().take_while(|byte| is_sign(byte)).count();
    let value = value.get(signs..)?;
    let is_pair = pair.value().is_empty() && !value.is_empty() && !value.iter().any(is_sign);
    is_pair.then_some((name, value))
}

/// The value of the field that a word stands for.
pub(super) fn known_value(field: ExtensionField, word: &[u8]) -> Option<&'static str> {
    let [yes, no] = values(field);
    let is_one_of = |words: &[&[u8]]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    match (is_one_of(WORDS_FOR_YES), is_one_of(WORDS_FOR_NO)) {
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
    is_use
        || UsageCategory::ALL
            .iter()
            .any(|use_of| is_label(field, *use_of, key))
}

pub(super) fn is_label(field: ExtensionField, use_of: UsageCategory, key: &[u8]) -> bool {
    match field {
        ExtensionField::ContentUsage => key == use_of.usage_label().as_bytes(),
        _ => key.eq_ignore_ascii_case(use_of.signal_label().as_bytes()),
    }
}

pub(super) fn is_same_key(field: ExtensionField, one: &KeyValue<'_>, other: &KeyValue<'_>) -> bool {
    match field {
        ExtensionField::ContentUsage => one.key() == other.key(),
        _ => one.key().eq_ignore_ascii_case(other.key()),
    }
}

fn name_in(field: ExtensionField, use_of: UsageCategory) -> &'static str {
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

const WORDS_FOR_YES: &[&[u8]] = &[b"y", b"yes", b"?1", b"1", b"true", b"allow", b"allowed"];

const WORDS_FOR_NO: &[&[u8]] = &[
    b"n",
    b"no",
    b"?0",
    b"0",
    b"false",
    b"disallow",
    b"disallowed",
];

/// Words for the key `use`, of which some have `content-use`.
const WORDS_FOR_USE: &[&str] = &[
    "content-use",
    "content_use",
    "contentuse",
    "usage",
    "uses",
    "content-usage",
];

/// Words that stand for a use and are no label of it.
const WORDS_FOR_USES: &[(&str, UsageCategory)] = &[
    ("train", UsageCategory::AiTraining),
    ("training", UsageCategory::AiTraining),
    ("input", UsageCategory::AiInput),
    ("index", UsageCategory::Search),
    ("indexing", UsageCategory::Search),
];

/// The draft whose labels a `Content-Usage` record has.
const VOCABULARY: &str = "draft-ietf-aipref-vocab-08";

/// A label that states nothing today, and the use that it was for.
struct FormerLabel {
    name: &'static str,
    /// The use that today's label is nearest to; `None` if no label took its place.
    category: Option<UsageCategory>,
    /// The last draft of the vocabulary that had it.
    draft: &'static str,
}

/// The labels of earlier drafts of the vocabulary that the newest one does not have.
const FORMER_LABELS: [FormerLabel; 8] = [
    former("ai", Some(UsageCategory::AiTraining), "-01"),
    former("ai-output", Some(UsageCategory::AiInput), "-04"),
    former("all", None, "-02"),
    former("bots", None, "-04"),
    former("genai", Some(UsageCategory::AiTraining), "-01"),
    former("inference", Some(UsageCategory::AiInput), "-01"),
    former("tdm", None, "-01"),
    former("train-genai", Some(UsageCategory::AiTraining), "-03"),
];

const fn former(
    name: &'static str,
    category: Option<UsageCategory>,
    draft: &'static str,
) -> FormerLabel {
    FormerLabel {
        name,
        category,
        draft,
    }
}
