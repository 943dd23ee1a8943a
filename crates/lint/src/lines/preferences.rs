//! Diagnostics about one line that states preferences about use, or names license terms.

use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots_records::{ContentSignal, ContentUsage, ContentUse, KeyValue, UsageCategory};

use crate::code::{DiagnosticCode, Severity};
use crate::lines::field::difference;
use crate::lines::findings::Findings;
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn content_signal(&mut self, value: Part<'_>) {
        let pairs = ContentSignal::new(value.bytes).pairs().take(MAX_PAIRS);
        let pairs: Vec<KeyValue<'_>> = pairs.collect();
        self.preferences(ExtensionField::ContentSignal, value, &pairs);
    }

    pub(super) fn content_usage(&mut self, value: Part<'_>) {
        match ContentUsage::new(value.bytes) {
            Some(usage) => {
                let pairs: Vec<KeyValue<'_>> = usage.pairs().take(MAX_PAIRS).collect();
                self.preferences(ExtensionField::ContentUsage, value, &pairs);
                self.after_semicolon(value);
            }
            None => {
                let message = || {
                    format!(
                        "nothing on this line counts: {}",
                        fault(after_path(value.bytes))
                    )
                };
                self.report(DiagnosticCode::InvalidPreferences, value, message);
            }
        }
    }

    pub(super) fn relative_license(&mut self, value: Part<'_>) {
        let message = || {
            format!(
                "crawlers find no license here, because {} is not a whole URL; write it with `https://` and the host",
                quote(value.bytes)
            )
        };
        self.report(DiagnosticCode::RelativeLicense, value, message);
    }

    fn preferences(&mut self, field: ExtensionField, value: Part<'_>, pairs: &[KeyValue<'_>]) {
        if pairs.is_empty() {
            let message = || match value.bytes {
                // The longest path counts, whatever is stated about it.
                [b'/', ..] if field == ExtensionField::ContentUsage => format!(
                    "{} gets no preference by this line, not even one of another line; write one after the path, as in `{}`",
                    quote(value.bytes),
                    example(field)
                ),
                _ => format!(
                    "this line states nothing; write a preference, as in `{}`",
                    example(field)
                ),
            };
            self.report(DiagnosticCode::InvalidPreferences, value, message);
        }
        for (at, pair) in pairs.iter().enumerate() {
            let part = part_of(value, pair);
            self.label(field, part, pair);
            let earlier = pairs.iter().take(at);
            let opposite = earlier
                .filter(|earlier| is_same_key(field, earlier, pair))
                .find(|earlier| !earlier.value().eq_ignore_ascii_case(pair.value()));
            if let Some(opposite) = opposite {
                let counting = match field {
                    ExtensionField::ContentUsage => "the last one counts",
                    _ => "`no` counts, and other readers may take the first or the last",
                };
                let message = || {
                    format!(
                        "this line says {} and {}, of which {counting}; leave one of them out",
                        quote(text(opposite).as_bytes()),
                        quote(text(pair).as_bytes()),
                    )
                };
                self.report(DiagnosticCode::ConflictingPreferences, part, message);
            }
        }
    }

    /// Reports on the label of a pair or, if it is known, on the value.
    fn label(&mut self, field: ExtensionField, part: Part<'_>, pair: &KeyValue<'_>) {
        let is_key = |use_of: &UsageCategory| is_label(field, *use_of, pair.key());
        if UsageCategory::ALL.iter().any(is_key) {
            self.value(field, part, pair);
            return;
        }
        if field == ExtensionField::ContentSignal && pair.key().eq_ignore_ascii_case(b"use") {
            let is_value =
                |known: &ContentUse<'_>| known.as_bytes().eq_ignore_ascii_case(pair.value());
            if !ContentUse::KNOWN.iter().any(is_value) {
                let message = || {
                    format!(
                        "{} is no known value of `use`; known are `immediate`, `reference` and `full`",
                        quote(pair.value())
                    )
                };
                self.report(DiagnosticCode::UnknownPreferenceValue, part, message);
            }
            return;
        }
        let (severity, advice) = match meant(field, pair.key()) {
            Some(advice) => (Severity::Warning, advice),
            None => (
                Severity::Note,
                format!("`{field}` knows {}", all_labels(field)),
            ),
        };
        let message = || {
            format!(
                "{} states nothing that crawlers know; {advice}",
                quote(text(pair).as_bytes())
            )
        };
        let code = DiagnosticCode::UnknownPreference;
        self.grade(code, severity, part, message);
    }

    fn value(&mut self, field: ExtensionField, part: Part<'_>, pair: &KeyValue<'_>) {
        let [yes, no] = values(field);
        let value = pair.value();
        let is_known = match field {
            ExtensionField::ContentUsage => [yes, no].iter().any(|known| known.as_bytes() == value),
            _ => [yes, no]
                .iter()
                .any(|known| known.as_bytes().eq_ignore_ascii_case(value)),
        };
        if is_known {
            return;
        }
        let is_one_of = |words: &[&[u8]]| words.iter().any(|word| word.eq_ignore_ascii_case(value));
        let advice = if is_one_of(WORDS_FOR_YES) {
            format!("write `{yes}`")
        } else if is_one_of(WORDS_FOR_NO) {
            format!("write `{no}`")
        } else {
            format!("write `{yes}` or `{no}`")
        };
        let message = || {
            format!(
                "{} states nothing, because the values of `{field}` are `{yes}` and `{no}`; {advice}",
                quote(text(pair).as_bytes()),
            )
        };
        self.report(DiagnosticCode::UnknownPreferenceValue, part, message);
    }

    /// Reports a preference that stands behind a `;`, which makes it a parameter of the one before.
    fn after_semicolon(&mut self, value: Part<'_>) {
        let bytes = value.bytes.iter().enumerate();
        let semicolons = bytes.filter(|(_, byte)| **byte == b';').take(MAX_PAIRS);
        for (semicolon, _) in semicolons {
            let rest = value.tail(semicolon.saturating_add(1));
            let part = rest
                .bytes
                .split(|byte| *byte == b';')
                .next()
                .unwrap_or_default();
            let name = part.split(|byte| *byte == b'=').next().unwrap_or_default();
            let is_label =
                |use_of: &UsageCategory| use_of.usage_label().as_bytes() == name.trim_ascii();
            if part.contains(&b'=') && UsageCategory::ALL.iter().any(is_label) {
                let part = rest.head(part.len()).trim();
                let message = || {
                    format!(
                        "{} does not count, because it stands behind a `;`; write a comma in its place",
                        quote(part.bytes)
                    )
                };
                self.report(DiagnosticCode::UnknownPreference, part, message);
            }
        }
    }
}

/// The reason why a text is no dictionary, and the fix.
fn fault(pairs: &[u8]) -> &'static str {
    let with = |change: fn(u8) -> Option<u8>| {
        let changed: Vec<u8> = pairs.iter().filter_map(|byte| change(*byte)).collect();
        is_dictionary(&changed) && changed.contains(&b'=')
    };
    if with(|byte| Some(byte.to_ascii_lowercase())) {
        "a name with a capital letter makes all of it invalid; write the names in lower case"
    } else if is_dictionary(pairs.trim_ascii_end().strip_suffix(b",").unwrap_or(b"?")) {
        "a comma at the end makes all of it invalid; remove it"
    } else if with(|byte| Some(if byte == b':' { b'=' } else { byte }))
        || with(|byte| match byte {
            b':' => Some(b'='),
            byte => Some(byte).filter(|byte| *byte != b' '),
        })
    {
        "names and values have a `=` between them, and no blank; write it as in `search=y, train-ai=n`"
    } else if with(|byte| Some(if byte == b' ' { b',' } else { byte })) {
        "there is no comma between two preferences; write it as in `search=y, train-ai=n`"
    } else {
        "it is no list of names and values; write it as in `search=y, train-ai=n`"
    }
}

/// Whether a text without a path is a dictionary (RFC 9651 §3.2).
fn is_dictionary(pairs: &[u8]) -> bool {
    !pairs.trim_ascii_start().starts_with(b"/") && ContentUsage::new(pairs).is_some()
}

/// The pairs of a value after its path, if it begins with one.
fn after_path(value: &[u8]) -> &[u8] {
    if value.first() != Some(&b'/') {
        return value;
    }
    let end = value.iter().position(|byte| matches!(byte, b' ' | b'\t'));
    end.and_then(|end| value.get(end..)).unwrap_or_default()
}

/// The label that was probably meant, as advice.
fn meant(field: ExtensionField, key: &[u8]) -> Option<String> {
    let is_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let other = match field {
        ExtensionField::ContentUsage => ExtensionField::ContentSignal,
        _ => ExtensionField::ContentUsage,
    };
    let mut uses = UsageCategory::ALL.iter().copied();
    if let Some(use_of) = uses.clone().find(|use_of| is_key(name_in(other, *use_of))) {
        return Some(format!(
            "that is the name in `{other}`, and in `{field}` it is `{}`",
            name_in(field, use_of)
        ));
    }
    if let Some(former) = FORMER_LABELS.iter().find(|former| is_key(former.name)) {
        let until = format!(
            "draft-ietf-aipref-vocab{} was the last with that name",
            former.draft
        );
        return Some(match former.category {
            Some(use_of) => format!("{until}, and today it is `{}`", name_in(field, use_of)),
            None => format!("{until}, and {VOCABULARY} has no other in its place"),
        });
    }
    let is_near = |use_of: &UsageCategory| {
        let name = name_in(field, *use_of).as_bytes();
        let head = key.get(..name.len()).unwrap_or_default();
        difference(key, name) <= name.len() / 4 || head.eq_ignore_ascii_case(name)
    };
    let use_of = uses.find(is_near)?;
    Some(format!(
        "write `{}` if you mean that",
        name_in(field, use_of)
    ))
}

fn is_label(field: ExtensionField, use_of: UsageCategory, key: &[u8]) -> bool {
    match field {
        ExtensionField::ContentUsage => key == use_of.usage_label().as_bytes(),
        _ => key.eq_ignore_ascii_case(use_of.signal_label().as_bytes()),
    }
}

fn is_same_key(field: ExtensionField, one: &KeyValue<'_>, other: &KeyValue<'_>) -> bool {
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
    let names: Vec<String> = uses
        .map(|use_of| format!("`{}`", name_in(field, *use_of)))
        .collect();
    match names.split_last() {
        Some((last, before)) => format!("{} and {last}", before.join(", ")),
        None => String::new(),
    }
}

/// The values for `yes` and `no`.
fn values(field: ExtensionField) -> [&'static str; 2] {
    match field {
        ExtensionField::ContentUsage => ["y", "n"],
        _ => ["yes", "no"],
    }
}

fn example(field: ExtensionField) -> &'static str {
    match field {
        ExtensionField::ContentUsage => "search=y, train-ai=n",
        _ => "search=yes, ai-train=no",
    }
}

/// The pair as a text: `train-ai=n`.
fn text(pair: &KeyValue<'_>) -> String {
    let mut text = String::from_utf8_lossy(pair.key()).into_owned();
    if !pair.value().is_empty() {
        text.push('=');
        text.push_str(&String::from_utf8_lossy(pair.value()));
    }
    text
}

/// The place of a pair: from its key to the end of its value.
fn part_of<'a>(value: Part<'a>, pair: &KeyValue<'_>) -> Part<'a> {
    let span = pair.span();
    value.tail(span.start).head(span.len())
}

/// Pairs of one line that are looked at: three uses, and room for mistakes.
const MAX_PAIRS: usize = 32;

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
