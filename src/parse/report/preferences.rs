//! Diagnostics about one line that states preferences about use, or names license terms.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::code::{DiagnosticCode, Severity};
use crate::parse::field::ExtensionField;
use crate::parse::part::Part;
use crate::parse::report::field::difference;
use crate::parse::report::findings::Findings;
use crate::record::content_signal::ContentSignal;
use crate::record::content_usage::ContentUsage;
use crate::record::content_use::ContentUse;
use crate::record::dictionary::is_dictionary;
use crate::record::label::{CONTENT_USE, FORMER_LABELS, LABELS, Label, VOCABULARY};
use crate::record::license::License;
use crate::record::preference::{KeyValue, split_path};
use crate::text::quote::quote;

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
                        fault(split_path(value.bytes).1)
                    )
                };
                self.report(DiagnosticCode::InvalidPreferences, value, message);
            }
        }
    }

    pub(super) fn license(&mut self, value: Part<'_>) {
        if License::new(value.bytes).is_none() {
            let message = || {
                format!(
                    "crawlers find no license here, because {} is not a whole URL; write it with `https://` and the host",
                    quote(value.bytes)
                )
            };
            self.report(DiagnosticCode::RelativeLicense, value, message);
        }
    }

    fn preferences(&mut self, field: ExtensionField, value: Part<'_>, pairs: &[KeyValue<'_>]) {
        if pairs.is_empty() {
            let message = || {
                format!(
                    "this line states nothing; write a preference, as in `{}`",
                    example(field)
                )
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
        if LABELS
            .iter()
            .any(|known| is_label(field, known, pair.key()))
        {
            self.value(field, part, pair);
            return;
        }
        if field == ExtensionField::ContentSignal
            && pair.key().eq_ignore_ascii_case(CONTENT_USE.as_bytes())
        {
            if let ContentUse::Other(_) = ContentUse::new(pair.value()) {
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
        let parts = value
            .bytes
            .split(|byte| *byte == b';')
            .skip(1)
            .take(MAX_PAIRS);
        for part in parts {
            let name = part.split(|byte| *byte == b'=').next().unwrap_or_default();
            let is_label = |label: &Label| label.usage.as_bytes() == name.trim_ascii();
            if part.contains(&b'=') && LABELS.iter().any(is_label) {
                let start = part.as_ptr().addr() - value.bytes.as_ptr().addr();
                let part = value.tail(start).head(part.len()).trim();
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

/// The label that was probably meant, as advice.
fn meant(field: ExtensionField, key: &[u8]) -> Option<String> {
    let is_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let other = match field {
        ExtensionField::ContentUsage => ExtensionField::ContentSignal,
        _ => ExtensionField::ContentUsage,
    };
    if let Some(label) = LABELS.iter().find(|label| is_key(name_in(other, label))) {
        return Some(format!(
            "that is the name in `{other}`, and in `{field}` it is `{}`",
            name_in(field, label)
        ));
    }
    if let Some(former) = FORMER_LABELS.iter().find(|former| is_key(former.name)) {
        let until = format!(
            "draft-ietf-aipref-vocab{} was the last with that name",
            former.draft
        );
        let label = LABELS
            .iter()
            .find(|label| Some(label.category) == former.category);
        return Some(match label {
            Some(label) => format!("{until}, and today it is `{}`", name_in(field, label)),
            None => format!("{until}, and {VOCABULARY} has no other in its place"),
        });
    }
    let is_near = |label: &&Label| {
        let name = name_in(field, label).as_bytes();
        let head = key.get(..name.len()).unwrap_or_default();
        difference(key, name) <= name.len() / 4 || head.eq_ignore_ascii_case(name)
    };
    let label = LABELS.iter().find(is_near)?;
    Some(format!(
        "write `{}` if you mean that",
        name_in(field, label)
    ))
}

fn is_label(field: ExtensionField, label: &Label, key: &[u8]) -> bool {
    match field {
        ExtensionField::ContentUsage => key == label.usage.as_bytes(),
        _ => key.eq_ignore_ascii_case(label.signal.as_bytes()),
    }
}

fn is_same_key(field: ExtensionField, one: &KeyValue<'_>, other: &KeyValue<'_>) -> bool {
    match field {
        ExtensionField::ContentUsage => one.key() == other.key(),
        _ => one.key().eq_ignore_ascii_case(other.key()),
    }
}

fn name_in(field: ExtensionField, label: &Label) -> &'static str {
    match field {
        ExtensionField::ContentUsage => label.usage,
        _ => label.signal,
    }
}

fn all_labels(field: ExtensionField) -> String {
    let [first, second, third] = LABELS.map(|label| name_in(field, &label));
    format!("`{first}`, `{second}` and `{third}`")
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
    let base = value.bytes.as_ptr().addr();
    let offset = |text: &[u8]| text.as_ptr().addr().saturating_sub(base);
    let start = offset(pair.key());
    let end = match pair.value() {
        [] => start + pair.key().len(),
        value => offset(value) + value.len(),
    };
    value.tail(start).head(end.saturating_sub(start))
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
