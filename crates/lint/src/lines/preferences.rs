//! Diagnostics about one line that states preferences about use, or names license terms.

use std::ops::Range;

use polite_robots::record::ExtensionField;
use polite_robots::text::quote;
use polite_robots_records::{
    ContentSignal, ContentUsage, ContentUse, KeyValue, Preference, UsageCategory,
};

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::extension::Removal;
use crate::lines::field::difference;
use crate::lines::findings::Findings;
use crate::lines::sitemap_url::with_scheme;
use crate::proposal::{Effect, Proposal};
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn content_signal(&mut self, value: Part<'_>, removal: Removal<'_>) {
        let pairs = ContentSignal::new(value.bytes).pairs().take(MAX_PAIRS);
        let pairs: Vec<KeyValue<'_>> = pairs.collect();
        self.preferences(ExtensionField::ContentSignal, value, &pairs, removal);
    }

    pub(super) fn content_usage(&mut self, value: Part<'_>, removal: Removal<'_>) {
        match ContentUsage::new(value.bytes) {
            Some(usage) => {
                let pairs: Vec<KeyValue<'_>> = usage.pairs().take(MAX_PAIRS).collect();
                self.preferences(ExtensionField::ContentUsage, value, &pairs, removal);
                self.after_semicolon(value);
            }
            None => {
                let message = || invalid(value);
                self.report(DiagnosticCode::InvalidPreferences, value, message);
            }
        }
    }

    pub(super) fn relative_license(&mut self, value: Part<'_>) {
        let message = || {
            let start = format!(
                "crawlers find no license here, because {} is not a whole URL",
                quote(value.bytes)
            );
            let whole = with_scheme(value.bytes).and_then(|url| String::from_utf8(url).ok());
            match whole {
                Some(url) => Advice::new(format!("{start}; write {}", quote(url.as_bytes())))
                    .propose(Proposal::replace(value.span(), url, Effect::Answers)),
                None => format!("{start}, which begins with `https://` and the host").into(),
            }
        };
        self.report(DiagnosticCode::RelativeLicense, value, message);
    }

    fn preferences(
        &mut self,
        field: ExtensionField,
        value: Part<'_>,
        pairs: &[KeyValue<'_>],
        removal: Removal<'_>,
    ) {
        if pairs.is_empty() {
            let message = || nothing_stated(field, value, removal);
            self.report(DiagnosticCode::InvalidPreferences, value, message);
        }
        for (at, pair) in pairs.iter().enumerate() {
            let part = part_of(value, pair);
            self.label(field, part, pair);
            let is_opposite = |earlier: &&KeyValue<'_>| {
                is_same_key(field, earlier, pair)
                    && !earlier.value().eq_ignore_ascii_case(pair.value())
            };
            let opposite = pairs
                .iter()
                .take(at)
                .position(|earlier| is_opposite(&earlier));
            if let Some(opposite) = opposite.filter(|_| is_known_key(field, pair.key())) {
                let message = || contradiction(field, value, pairs, [opposite, at]);
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
            if !is_content_use(pair.value()) {
                let message = || {
                    let known = ContentUse::KNOWN.iter();
                    let known = known.map(|value| format!("use={value}")).collect();
                    let start = format!("{} is no known value of `use`", quote(pair.value()));
                    one_of(&start, part, known)
                };
                self.report(DiagnosticCode::UnknownPreferenceValue, part, message);
            }
            return;
        }
        let meant = meant(field, pair);
        let severity = match meant {
            Some(_) => Severity::Warning,
            None => Severity::Note,
        };
        let message = || {
            let start = format!(
                "{} states nothing that crawlers know",
                quote(text(pair).as_bytes())
            );
            match meant {
                Some(Meant { reason, text }) if text.is_empty() => {
                    format!("{start}; {reason}").into()
                }
                Some(Meant { reason, text }) => {
                    let separator = if reason.is_empty() { "" } else { ", so " };
                    let message = format!("{start}; {reason}{separator}write `{text}`");
                    Advice::new(message).propose(Proposal::replace(
                        part.span(),
                        text,
                        Effect::Answers,
                    ))
                }
                None => format!("{start}; `{field}` knows {}", all_labels(field)).into(),
            }
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
        let message = || {
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
            one_of(&start, part, values.collect())
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
                    let message = format!(
                        "{} does not count, because it stands behind a `;`; write a comma in its place",
                        quote(part.bytes)
                    );
                    let sign = value.tail(semicolon).start..part.start;
                    Advice::new(message).propose(Proposal::replace(sign, ", ", Effect::Answers))
                };
                self.report(DiagnosticCode::UnknownPreference, part, message);
            }
        }
    }
}

/// The sentence with each text as a way to write the part.
fn one_of(start: &str, part: Part<'_>, texts: Vec<String>) -> Advice {
    let quoted: Vec<String> = texts.iter().map(|text| format!("`{text}`")).collect();
    let advice = Advice::new(format!("{start}; write {}", quoted.join(", or ")));
    let proposals = texts.into_iter();
    let proposals = proposals.map(|text| Proposal::replace(part.span(), text, Effect::Answers));
    proposals.fold(advice, Advice::propose)
}

/// The advice about a record without a preference.
fn nothing_stated(field: ExtensionField, value: Part<'_>, removal: Removal<'_>) -> Advice {
    let example = example(field);
    let end = value.end()..value.end();
    let write =
        |before: &str| Proposal::replace(end, format!("{before}{example}"), Effect::Answers);
    match value.bytes {
        // The longest path counts, whatever is stated about it.
        [b'/', ..] if field == ExtensionField::ContentUsage => Advice::new(format!(
            "{} gets no preference by this line, not even one of another line; write one after the path, as in `{example}`",
            quote(value.bytes),
        ))
        .propose(write(" ")),
        _ => Advice::new(format!("this line states nothing, as a preference is written `{example}`; remove it"))
            .propose_if(removal.proposal(Effect::Nothing)),
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
        let effect = match idle {
            Some(idle) if idle == place => Effect::Nothing,
            _ => Effect::Answers,
        };
        let span = with_comma(value, pairs, *places.get(place)?)?;
        Some(Proposal::replace(span, "", effect))
    });
    proposals.fold(Advice::new(message), Advice::propose)
}

/// The place of a pair with the comma that goes if it does.
fn with_comma(value: Part<'_>, pairs: &[KeyValue<'_>], place: usize) -> Option<Range<usize>> {
    let start = pairs.get(place)?.span().start;
    let from = |at: usize| value.start.saturating_add(at);
    Some(match pairs.get(place.saturating_add(1)) {
        Some(next) => from(start)..from(next.span().start),
        None => {
            let comma = value
                .head(start)
                .bytes
                .iter()
                .rposition(|byte| *byte == b',')?;
            from(comma)..value.end()
        }
    })
}

/// The advice about a text that is no dictionary.
fn invalid(value: Part<'_>) -> Advice {
    let start = "nothing on this line counts";
    let pairs = after_path(value.bytes);
    let path = value.head(value.bytes.len().saturating_sub(pairs.len()));
    let Some((reason, fixed)) = fault(pairs) else {
        return format!(
            "{start}: it is no list of names and values, such as `search=y, train-ai=n`"
        )
        .into();
    };
    let blank = if path.bytes.is_empty() { "" } else { " " };
    let fixed = format!(
        "{}{blank}{}",
        String::from_utf8_lossy(path.bytes),
        fixed.trim()
    );
    let usage = ContentUsage::new(fixed.as_bytes());
    let is_stated = |use_of: &UsageCategory| {
        usage.is_some_and(|usage| usage.preference(*use_of) != Preference::Unstated)
    };
    let effect = match UsageCategory::ALL.iter().any(is_stated) {
        true => Effect::Answers,
        false => Effect::Nothing,
    };
    let message = format!("{start}: {reason}; write {}", quote(fixed.as_bytes()));
    Advice::new(message).propose(Proposal::replace(value.span(), fixed, effect))
}

/// The reason why a text is no dictionary, and the text that is one; `None` where none is near.
fn fault(pairs: &[u8]) -> Option<(&'static str, String)> {
    let with = |change: fn(u8) -> Option<u8>| -> Vec<u8> {
        pairs.iter().filter_map(|byte| change(*byte)).collect()
    };
    let without_comma = pairs.trim_ascii_end().strip_suffix(b",").unwrap_or(b"?");
    let fixes = [
        (
            "a name with a capital letter makes all of it invalid",
            with(|byte| Some(byte.to_ascii_lowercase())),
        ),
        (
            "a comma at the end makes all of it invalid",
            without_comma.to_vec(),
        ),
        (
            "names and values have a `=` between them, and no blank",
            with(|byte| Some(if byte == b':' { b'=' } else { byte })),
        ),
        (
            "names and values have a `=` between them, and no blank",
            with(|byte| match byte {
                b':' => Some(b'='),
                byte => Some(byte).filter(|byte| *byte != b' '),
            }),
        ),
        (
            "there is no comma between two preferences",
            with(|byte| Some(if byte == b' ' { b',' } else { byte })),
        ),
    ];
    let is_list =
        |fixed: &[u8]| is_dictionary(fixed) && (fixed.contains(&b'=') || fixed == without_comma);
    let (reason, fixed) = fixes.into_iter().find(|(_, fixed)| is_list(fixed))?;
    let fixed = String::from_utf8(fixed).ok()?;
    Some((reason, fixed.replace(',', ", ").replace(",  ", ", ")))
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

/// The preference that a pair was probably meant to be.
struct Meant {
    /// The reason why its label states nothing; may be empty.
    reason: String,
    /// The pair to write; empty if the field has none in its place.
    text: String,
}

fn meant(field: ExtensionField, pair: &KeyValue<'_>) -> Option<Meant> {
    let (key, value, reason) = match split_at_sign(pair) {
        Some((key, value)) => (key, value, "names and values have a `=` between them"),
        None => (pair.key(), pair.value(), ""),
    };
    let is_other_key = |name: &str| key.eq_ignore_ascii_case(name.as_bytes());
    let meant = |reason: String, use_of: UsageCategory| {
        let value = known_value(field, value).map_or_else(
            || String::from_utf8_lossy(value).into_owned(),
            str::to_owned,
        );
        let sign = if value.is_empty() { "" } else { "=" };
        let text = format!("{}{sign}{value}", name_in(field, use_of));
        Some(Meant { reason, text })
    };
    let mut uses = UsageCategory::ALL.iter().copied();
    if !reason.is_empty()
        && let Some(use_of) = uses.clone().find(|use_of| is_label(field, *use_of, key))
    {
        return meant(reason.to_owned(), use_of);
    }
    if field == ExtensionField::ContentSignal
        && is_content_use(value)
        && (is_other_key("use") || WORDS_FOR_USE.iter().any(|word| is_other_key(word)))
    {
        let value = String::from_utf8_lossy(value).to_ascii_lowercase();
        let text = format!("use={value}");
        return Some(Meant {
            reason: reason.to_owned(),
            text,
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
    let by_word = WORDS_FOR_USES
        .iter()
        .find(is_word)
        .map(|(_, use_of)| *use_of);
    meant(reason.to_owned(), uses.find(is_near).or(by_word)?)
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
fn known_value(field: ExtensionField, word: &[u8]) -> Option<&'static str> {
    let [yes, no] = values(field);
    let is_one_of = |words: &[&[u8]]| words.iter().any(|known| known.eq_ignore_ascii_case(word));
    match (is_one_of(WORDS_FOR_YES), is_one_of(WORDS_FOR_NO)) {
        (true, _) => Some(yes),
        (_, true) => Some(no),
        _ => None,
    }
}

fn is_content_use(value: &[u8]) -> bool {
    let mut known = ContentUse::KNOWN.iter();
    known.any(|known| known.as_bytes().eq_ignore_ascii_case(value))
}

fn is_known_key(field: ExtensionField, key: &[u8]) -> bool {
    let is_use = field == ExtensionField::ContentSignal && key.eq_ignore_ascii_case(b"use");
    is_use
        || UsageCategory::ALL
            .iter()
            .any(|use_of| is_label(field, *use_of, key))
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
