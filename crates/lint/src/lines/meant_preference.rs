//! The preference that a pair with an unknown name was probably meant to be.

use polite_robots::record::ExtensionField;
use polite_robots_records::{KeyValue, UsageCategory};

use crate::lines::field::difference;
use crate::lines::preference_name::{is_content_use, is_label, known_value, knows, name_in};
use crate::text::words::is_one_of;

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
    let is_signal = field == ExtensionField::ContentSignal;
    if is_signal && is_content_use(value) && is_one_of(key, WORDS_FOR_USE) {
        let value = String::from_utf8_lossy(value).to_ascii_lowercase();
        let (reason, text) = (knows(field), format!("use={value}"));
        return Some(Meant { reason, text });
    }
    let (mut reason, use_of) = meaning(field, key, reason)?;
    let text = match use_of {
        Some(use_of) if !value.is_empty() => {
            let known = known_value(field, value).map(str::to_owned);
            let value = known.unwrap_or_else(|| String::from_utf8_lossy(value).into_owned());
            format!("{}={value}", name_in(field, use_of))
        }
        _ => String::new(),
    };
    // A label alone states nothing either.
    if reason.is_empty() && value.is_empty() {
        reason = knows(field);
    }
    Some(Meant { reason, text })
}

/// The reason why a key does not state its use, and the use, if the field has a name for it.
/// `reason` says why a name that the field knows states nothing; it is empty for other names.
fn meaning(
    field: ExtensionField,
    key: &[u8],
    reason: &str,
) -> Option<(String, Option<UsageCategory>)> {
    let is_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let use_with = |is_meant: &dyn Fn(UsageCategory) -> bool| {
        let mut uses = UsageCategory::ALL.iter().copied();
        uses.find(|use_of| is_meant(*use_of))
    };
    let labelled = use_with(&|use_of| is_label(field, use_of, key));
    if let Some(use_of) = labelled.filter(|_| !reason.is_empty()) {
        return Some((reason.to_owned(), Some(use_of)));
    }
    let other = match field {
        ExtensionField::ContentUsage => ExtensionField::ContentSignal,
        _ => ExtensionField::ContentUsage,
    };
    if let Some(use_of) = use_with(&|use_of| is_key(name_in(other, use_of))) {
        let name = name_in(field, use_of);
        let reason = format!("that is the name in `{other}`, and in `{field}` it is `{name}`");
        return Some((reason, Some(use_of)));
    }
    let mut former = FORMER_LABELS.iter();
    if let Some((_, category, draft)) = former.find(|(name, ..)| is_key(name)) {
        let until = format!("draft-ietf-aipref-vocab{draft} was the last with that name");
        let reason = match category {
            Some(_) => until,
            None => format!("{until}, and {VOCABULARY} has no other in its place"),
        };
        return Some((reason, *category));
    }
    let is_near = |use_of: UsageCategory| {
        let name = name_in(field, use_of).as_bytes();
        let head = key.get(..name.len()).unwrap_or_default();
        difference(key, name) <= name.len() / 4 || head.eq_ignore_ascii_case(name)
    };
    if let Some(use_of) = use_with(&is_near) {
        return Some((reason.to_owned(), Some(use_of)));
    }
    let (_, use_of) = WORDS_FOR_USES.iter().find(|(word, _)| is_key(word))?;
    Some((knows(field), Some(*use_of)))
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

/// The key `use`, and words for it, of which some have `content-use`.
const WORDS_FOR_USE: &[&str] = &[
    "use",
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

/// The labels of earlier drafts of the vocabulary that the newest one does not have. Each has the
/// use with the closest label today, if one took its place, and the last draft that had it.
const FORMER_LABELS: [(&str, Option<UsageCategory>, &str); 8] = [
    ("ai", Some(UsageCategory::AiTraining), "-01"),
    ("ai-output", Some(UsageCategory::AiInput), "-04"),
    ("all", None, "-02"),
    ("bots", None, "-04"),
    ("genai", Some(UsageCategory::AiTraining), "-01"),
    ("inference", Some(UsageCategory::AiInput), "-01"),
    ("tdm", None, "-01"),
    ("train-genai", Some(UsageCategory::AiTraining), "-03"),
];
