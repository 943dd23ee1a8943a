//! The preference that a pair with an unknown name was probably meant to be.

use polite_robots::record::ExtensionField;
use polite_robots_records::{KeyValue, UsageCategory};

use crate::lines::field::difference;
use crate::lines::preference_name::{is_content_use, is_label, known_value, knows, name_in};

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
    Some(match meaning(field, key, value, reason)? {
        Meaning::Nothing(reason) => Meant {
            reason,
            text: String::new(),
        },
        Meaning::ContentUse => Meant {
            reason: knows(field),
            text: format!(
                "use={}",
                String::from_utf8_lossy(value).to_ascii_lowercase()
            ),
        },
        // A label alone states nothing either.
        Meaning::Use(_, reason) if value.is_empty() => Meant {
            reason: match reason.is_empty() {
                true => knows(field),
                false => reason,
            },
            text: String::new(),
        },
        Meaning::Use(use_of, reason) => {
            let known = known_value(field, value).map(str::to_owned);
            let value = known.unwrap_or_else(|| String::from_utf8_lossy(value).into_owned());
            let text = format!("{}={value}", name_in(field, use_of));
            Meant { reason, text }
        }
    })
}

enum Meaning {
    /// A use, and the reason why the label does not state it.
    Use(UsageCategory, String),
    /// The key `use`.
    ContentUse,
    /// A name for which the field has no other, with the reason.
    Nothing(String),
}

/// `reason` is the one by which a name that the field knows states nothing; empty if there is none.
fn meaning(field: ExtensionField, key: &[u8], value: &[u8], reason: &str) -> Option<Meaning> {
    let is_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let use_with = |is_meant: &dyn Fn(UsageCategory) -> bool| {
        let mut uses = UsageCategory::ALL.iter().copied();
        uses.find(|use_of| is_meant(*use_of))
    };
    let labelled = use_with(&|use_of| is_label(field, use_of, key));
    if let Some(use_of) = labelled.filter(|_| !reason.is_empty()) {
        return Some(Meaning::Use(use_of, reason.to_owned()));
    }
    if field == ExtensionField::ContentSignal
        && is_content_use(value)
        && (is_key("use") || WORDS_FOR_USE.iter().any(|word| is_key(word)))
    {
        return Some(Meaning::ContentUse);
    }
    let other = match field {
        ExtensionField::ContentUsage => ExtensionField::ContentSignal,
        _ => ExtensionField::ContentUsage,
    };
    if let Some(use_of) = use_with(&|use_of| is_key(name_in(other, use_of))) {
        let name = name_in(field, use_of);
        let reason = format!("that is the name in `{other}`, and in `{field}` it is `{name}`");
        return Some(Meaning::Use(use_of, reason));
    }
    let mut former = FORMER_LABELS.iter();
    if let Some(former) = former.find(|former| is_key(former.name)) {
        let until = format!(
            "draft-ietf-aipref-vocab{} was the last with that name",
            former.draft
        );
        return Some(match former.category {
            Some(use_of) => Meaning::Use(use_of, until),
            None => Meaning::Nothing(format!(
                "{until}, and {VOCABULARY} has no other in its place"
            )),
        });
    }
    let is_near = |use_of: UsageCategory| {
        let name = name_in(field, use_of).as_bytes();
        let head = key.get(..name.len()).unwrap_or_default();
        difference(key, name) <= name.len() / 4 || head.eq_ignore_ascii_case(name)
    };
    if let Some(use_of) = use_with(&is_near) {
        return Some(Meaning::Use(use_of, reason.to_owned()));
    }
    let (_, use_of) = WORDS_FOR_USES.iter().find(|(word, _)| is_key(word))?;
    Some(Meaning::Use(*use_of, knows(field)))
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
