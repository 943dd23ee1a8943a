//! Diagnostics about one line that states preferences about use, or names license terms.

use std::ops::Range;

use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots_records::{ContentSignal, ContentUsage, ContentUse, KeyValue};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::findings::{Findings, Reported};
use crate::lines::meant_preference::{Meant, meant};
use crate::lines::preference_name::{
    example, is_any_label, is_content_use, is_known_key, is_same, known_value, knows, values,
};
use crate::lines::preference_syntax::invalid;
use crate::lines::record::Record;
use crate::lines::removal::Removal;
use crate::lines::sitemap_url::with_scheme;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn content_signal(&mut self, record: Record<'_>, removal: Removal<'_>) {
        let pairs = ContentSignal::new(record.value.bytes).pairs();
        let pairs: Vec<KeyValue<'_>> = pairs.take(MAX_PAIRS).collect();
        self.preferences(ExtensionField::ContentSignal, record, &pairs, removal);
    }

    pub(super) fn content_usage(&mut self, record: Record<'_>, removal: Removal<'_>) {
        let value = record.value;
        match ContentUsage::new(value.bytes) {
            Some(usage) => {
                let pairs: Vec<KeyValue<'_>> = usage.pairs().take(MAX_PAIRS).collect();
                self.preferences(ExtensionField::ContentUsage, record, &pairs, removal);
                // A path may have a `;` too.
                self.after_semicolon(value.tail(usage.path().map_or(0, <[u8]>::len)));
            }
            None => {
                self.report(DiagnosticCode::InvalidPreferences, value, || {
                    invalid(record)
                });
            }
        }
    }

    pub(super) fn relative_license(&mut self, record: Record<'_>) -> Option<Reported> {
        let value = record.value;
        self.report(DiagnosticCode::RelativeLicense, value, || {
            let start = format!(
                "crawlers find no license here, because {} is not a whole URL",
                quote(value.bytes)
            );
            let whole = with_scheme(value.bytes).filter(|url| url.iter().all(u8::is_ascii_graphic));
            let whole = whole.and_then(|url| String::from_utf8(url).ok());
            match whole {
                Some(url) => Advice::new(format!("{start}; write {}", quote(url.as_bytes())))
                    .propose(record.with_colon(Proposal::write(value.span(), url))),
                None => format!("{start}, which begins with `https://` and the host").into(),
            }
        })
    }

    fn preferences(
        &mut self,
        field: ExtensionField,
        record: Record<'_>,
        pairs: &[KeyValue<'_>],
        removal: Removal<'_>,
    ) {
        let value = record.value;
        if pairs.is_empty() {
            self.report(DiagnosticCode::InvalidPreferences, value, || {
                nothing_stated(field, record, removal)
            });
        }
        for (at, pair) in pairs.iter().enumerate() {
            self.label(field, value, pair);
            let is_opposite = |earlier: &KeyValue<'_>| {
                is_same(field, earlier.key(), pair.key())
                    && !earlier.value().eq_ignore_ascii_case(pair.value())
            };
            let opposite = pairs.iter().take(at).position(is_opposite);
            if let Some(opposite) = opposite.filter(|_| is_known_key(field, pair.key())) {
                let part = part_of(value, pair);
                self.report(DiagnosticCode::ConflictingPreferences, part, || {
                    contradiction(field, value, pairs, [opposite, at])
                });
            }
        }
    }

    /// Reports on the label of a pair or, if it is known, on the value.
    fn label(
        &mut self,
        field: ExtensionField,
        value: Part<'_>,
        pair: &KeyValue<'_>,
    ) -> Option<Reported> {
        let part = part_of(value, pair);
        if is_any_label(field, pair.key()) {
            return self.value(field, part, whole(value, pair), pair);
        }
        if is_known_key(field, pair.key()) {
            if is_content_use(pair.value()) {
                return None;
            }
            return self.report(DiagnosticCode::UnknownPreferenceValue, part, || {
                let known = ContentUse::KNOWN.iter();
                let known = known.map(|value| format!("use={value}")).collect();
                let start = format!("{} is no known value of `use`", quote(pair.value()));
                one_of(&start, whole(value, pair), known)
            });
        }
        let meant = meant(field, pair);
        let severity = match meant {
            Some(_) => Severity::Warning,
            None => Severity::Note,
        };
        self.grade(DiagnosticCode::UnknownPreference, severity, part, || {
            let advice = match meant {
                Some(Meant { reason, text }) if text.is_empty() => reason.into(),
                Some(Meant { reason, text }) => {
                    let separator = if reason.is_empty() { "" } else { ", so " };
                    let message = format!("{reason}{separator}write `{text}`");
                    Advice::new(message).write(part.span(), text)
                }
                None => knows(field).into(),
            };
            let text = text(pair);
            let quoted = quote(text.as_bytes());
            advice.after(format_args!("{quoted} states nothing that crawlers know"))
        })
    }

    fn value(
        &mut self,
        field: ExtensionField,
        part: Part<'_>,
        whole: Range<usize>,
        pair: &KeyValue<'_>,
    ) -> Option<Reported> {
        let [yes, no] = values(field);
        let value = pair.value();
        let is_known = |known: &str| is_same(field, known.as_bytes(), value);
        if is_known(yes) || is_known(no) {
            return None;
        }
        self.report(DiagnosticCode::UnknownPreferenceValue, part, || {
            let start = format!(
                "{} states nothing, because the values of `{field}` are `{yes}` and `{no}`",
                quote(text(pair).as_bytes()),
            );
            let key = String::from_utf8_lossy(pair.key());
            let values = match known_value(field, value) {
                Some(value) => vec![value],
                None => vec![yes, no],
            };
            let values = values.into_iter().map(|value| format!("{key}={value}"));
            one_of(&start, whole, values.collect())
        })
    }

    /// Reports a preference after a `;`, which makes it a parameter of the one before.
    fn after_semicolon(&mut self, value: Part<'_>) {
        let bytes = value.bytes.iter().enumerate();
        let semicolons = bytes.filter(|(_, byte)| **byte == b';').take(MAX_PAIRS);
        for (semicolon, _) in semicolons {
            let rest = value.tail(semicolon.saturating_add(1));
            let mut parts = rest.bytes.split(|byte| *byte == b';');
            let part = parts.next().unwrap_or_default();
            let name = part.split(|byte| *byte == b'=').next().unwrap_or_default();
            let is_label = is_any_label(ExtensionField::ContentUsage, name.trim_ascii());
            if part.contains(&b'=') && is_label {
                let part = rest.head(part.len()).trim();
                self.report(DiagnosticCode::UnknownPreference, part, || {
                    let message = format!(
                        "{} does not count, because it stands behind a `;`; write a comma in its place",
                        quote(part.bytes)
                    );
                    let sign = value.tail(semicolon).start..part.start;
                    Advice::new(message).write(sign, ", ")
                });
            }
        }
    }
}

/// The sentence with each text as one to write at a place.
fn one_of(start: &str, place: Range<usize>, texts: Vec<String>) -> Advice {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    let advice = Advice::new(format!("{start}; write {}", quoted.join(", or ")));
    let proposals = texts
        .into_iter()
        .map(|text| Proposal::write(place.clone(), text));
    advice.propose_all(proposals)
}

/// The advice about a record without a preference.
fn nothing_stated(field: ExtensionField, record: Record<'_>, removal: Removal<'_>) -> Advice {
    let value = record.value;
    let example = example(field);
    let end = value.end()..value.end();
    match value.bytes {
        // The longest path counts, whatever is stated about it.
        [b'/', ..] => Advice::new(format!(
            "{} gets no preference by this line, not even one of another line; write one after the path, as in `{example}`",
            quote(value.bytes),
        ))
        .propose(record.with_colon(Proposal::write(
            end,
            format!(" {example}")))),
        _ => {
            let sentence =
                format!("this line states nothing, as a preference is written `{example}`");
            removal.advice(&sentence, Effect::Nothing)
        }
    }
}

/// The advice about two pairs of a line with the same key and other values.
fn contradiction(
    field: ExtensionField,
    value: Part<'_>,
    pairs: &[KeyValue<'_>],
    places: [usize; 2],
) -> Advice {
    let [one, other] = places.map(|place| pairs.get(place));
    let (Some(one), Some(other)) = (one, other) else {
        return Advice::new("");
    };
    let is_use = one.key().eq_ignore_ascii_case(b"use");
    let (counting, idle) = match field {
        ExtensionField::ContentUsage => ("of which the last one counts", Some(0)),
        _ if is_use => ("and crawlers may take either", None),
        _ => {
            let is_refusal = other.value().eq_ignore_ascii_case(b"no");
            let counting = "of which `no` counts, and other readers may take the first or the last";
            (counting, Some(usize::from(!is_refusal)))
        }
    };
    let message = format!(
        "this line says {} and {}, {counting}; leave one of them out",
        quote(text(one).as_bytes()),
        quote(text(other).as_bytes()),
    );
    let order = if idle == Some(1) { [1, 0] } else { [0, 1] };
    let proposals = order.into_iter().filter_map(|place| {
        let effect = Effect::if_answers(idle != Some(place));
        let span = with_comma(value, pairs, *places.get(place)?)?;
        Some(Proposal::replace(span, "", effect))
    });
    Advice::new(message).propose_all(proposals)
}

/// The place of a pair, with the comma that is removed with it.
fn with_comma(value: Part<'_>, pairs: &[KeyValue<'_>], place: usize) -> Option<Range<usize>> {
    let start = pairs.get(place)?.span().start;
    let from = |at: usize| value.start.saturating_add(at);
    Some(match pairs.get(place.saturating_add(1)) {
        Some(next) => from(start)..from(next.span().start),
        None => {
            let comma = memchr::memrchr(b',', value.head(start).bytes)?;
            from(comma)..value.end()
        }
    })
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

/// The place of a pair with its `=`, after which there may be nothing.
fn whole(value: Part<'_>, pair: &KeyValue<'_>) -> Range<usize> {
    let part = part_of(value, pair);
    let rest = value.tail(pair.span().end).bytes;
    let sign = rest.iter().take_while(|byte| !matches!(byte, b',' | b';'));
    let sign = sign.take_while(|byte| **byte == b'=' || byte.is_ascii_whitespace());
    let has_sign = pair.value().is_empty() && rest.trim_ascii_start().starts_with(b"=");
    let more = if has_sign { sign.count() } else { 0 };
    part.start..part.end().saturating_add(more)
}

/// The place of a pair: from its key to the end of its value.
fn part_of<'a>(value: Part<'a>, pair: &KeyValue<'_>) -> Part<'a> {
    let span = pair.span();
    value.tail(span.start).head(span.len())
}

/// Pairs of one line that are looked at: three uses, and room for mistakes.
const MAX_PAIRS: usize = 32;
