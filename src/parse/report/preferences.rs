//! Diagnostics about one line that states preferences about use, or names license terms.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use crate::lint::code::{DiagnosticCode, Severity};
use crate::lint::diagnostic::Diagnostic;
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
        let pairs: Vec<KeyValue<'_>> = ContentSignal::new(value.bytes).pairs().collect();
        self.preferences(ExtensionField::ContentSignal, value, &pairs);
    }

    pub(super) fn content_usage(&mut self, value: Part<'_>) {
        match ContentUsage::new(value.bytes) {
            Some(usage) => {
                let pairs: Vec<KeyValue<'_>> = usage.pairs().collect();
                self.preferences(ExtensionField::ContentUsage, value, &pairs);
            }
            None => {
                let message = format!(
                    "nothing on this line counts: {}",
                    fault(split_path(value.bytes).1)
                );
                self.report(DiagnosticCode::InvalidPreferences, value, message);
            }
        }
    }

    pub(super) fn license(&mut self, value: Part<'_>) {
        if License::new(value.bytes).is_none() {
            let message = format!(
                "crawlers find no license here, because {} is not a whole URL; write it with `https://` and the host",
                quote(value.bytes)
            );
            self.report(DiagnosticCode::RelativeLicense, value, message);
        }
    }

    fn preferences(&mut self, field: ExtensionField, value: Part<'_>, pairs: &[KeyValue<'_>]) {
        if pairs.is_empty() {
            let message = format!(
                "this line states nothing; write a preference, as in `{}`",
                example(field)
            );
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
                let message = format!(
                    "this line says {} and {}, of which {counting}; leave one of them out",
                    quote(text(opposite).as_bytes()),
                    quote(text(pair).as_bytes()),
                );
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
                let message = format!(
                    "{} is no known value of `use`; known are `immediate`, `reference` and `full`",
                    quote(pair.value())
                );
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
        let message = format!(
            "{} states nothing that crawlers know; {advice}",
            quote(text(pair).as_bytes())
        );
        let code = DiagnosticCode::UnknownPreference;
        let diagnostic = Diagnostic::new(code, self.line.number, part.span(), message);
        (self.sink)(diagnostic.with_severity(severity));
    }

    fn value(&mut self, field: ExtensionField, part: Part<'_>, pair: &KeyValue<'_>) {
        let [yes, no] = values(field);
        let value = pair.value();
        let is_known = match field {
            ExtensionField::ContentUsage => value == yes || value == no,
            _ => value.eq_ignore_ascii_case(yes) || value.eq_ignore_ascii_case(no),
        };
        if !is_known {
            let key = quote(pair.key());
            let (yes, no) = (quote(yes), quote(no));
            let message = format!(
                "{} states nothing, because the value of {key} is {yes} or {no}; write one of them",
                quote(text(pair).as_bytes()),
            );
            self.report(DiagnosticCode::UnknownPreferenceValue, part, message);
        }
    }
}

/// The reason why a text is no dictionary, and the fix.
fn fault(pairs: &[u8]) -> String {
    let lower = pairs.to_ascii_lowercase();
    if is_dictionary(&lower) {
        return "a name with capital letters makes all of it invalid; write the names in lower case"
            .into();
    }
    let mut tight: Vec<u8> = lower;
    tight.retain(|byte| !matches!(byte, b' ' | b'\t'));
    if is_dictionary(&tight) && tight.contains(&b'=') {
        return format!(
            "there is a blank too many, or a comma is missing; write it as in `{}`",
            example(ExtensionField::ContentUsage)
        );
    }
    format!(
        "it is no list of names and values that commas divide; write it as in `{}`",
        example(ExtensionField::ContentUsage)
    )
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
        let until = format!("a draft had that name until {}", former.draft);
        let label = LABELS
            .iter()
            .find(|label| Some(label.category) == former.category);
        return Some(match label {
            Some(label) => format!("{until}, and it is `{}` today", name_in(field, label)),
            None => format!("{until}, and {VOCABULARY} has none in its place"),
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
fn values(field: ExtensionField) -> [&'static [u8]; 2] {
    match field {
        ExtensionField::ContentUsage => [b"y", b"n"],
        _ => [b"yes", b"no"],
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
