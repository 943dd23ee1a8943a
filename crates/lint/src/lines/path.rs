//! Diagnostics about the path pattern of a rule.

use std::borrow::Cow;

use polite_robots::document::LineKind;
use polite_robots::text::quote;
use polite_robots::{Access, Dialect};

use crate::code::{DiagnosticCode, Severity};
use crate::lines::field::is_known;
use crate::lines::findings::{Findings, Text};
use crate::lines::invisible::Visibility;
use crate::lines::path_syntax::is_whole_site;
use crate::lines::path_without_slash::LONGEST_ADVICE;
use crate::lines::plain_path::{escaped, starts_well};
use crate::text::html_tag::before_tag;
use crate::text::invisible::first_invisible;
use crate::text::mojibake;
use crate::text::part::Part;

impl Findings<'_, '_> {
    pub(super) fn path(&mut self, rule: Access, path: Part<'_>) {
        let starts_well = starts_well(path.bytes);
        if let Some(placeholder) = placeholder(path.bytes).filter(|_| starts_well) {
            self.placeholder_in_path(path, placeholder);
        } else {
            if starts_well {
                self.path_syntax(path);
            }
            self.odd_path(path, starts_well);
        }
        self.comment_in_path(rule, path);
    }

    fn placeholder_in_path(&mut self, value: Part<'_>, placeholder: &[u8]) {
        let message = || {
            format!(
                "{} is the placeholder of a template that was not filled in, and {} holds a blank, so it matches nothing for Google; write the path in its place",
                quote(placeholder),
                quote(value.bytes)
            )
        };
        self.report(DiagnosticCode::BlankInPath, value, message);
    }

    fn odd_path(&mut self, value: Part<'_>, starts_well: bool) {
        // A part of mojibake is invisible: `Ã` and U+00A0 for `à`.
        let meant = starts_well.then(|| mojibake::meant(value.bytes)).flatten();
        if let Some(meant) = meant.filter(|meant| first_invisible(meant.as_bytes()).is_none()) {
            let message = || {
                let (quoted, meant_path) = (quote(value.bytes), quote(meant.as_bytes()));
                let percent_encoded = escaped(meant.as_bytes()).unwrap_or_default();
                format!(
                    "{quoted} is probably {meant_path} that a program has saved in a wrong encoding, so it matches no URL with that name; write {}",
                    quote(percent_encoded.as_bytes())
                )
            };
            return self.report(DiagnosticCode::MojibakeInPath, value, message);
        }
        let effect = if starts_well {
            "this rule matches only URLs with"
        } else {
            "this rule matches nothing because of"
        };
        if self.invisible(value, Severity::Error, effect) == Visibility::Reported {
            return;
        }
        if !starts_well {
            return self.path_without_slash(value);
        }
        if let Some(at) = dollar_before_end(value.bytes) {
            let dollar = value.tail(at).head(1);
            let after = value.bytes.get(at.saturating_add(1)..).unwrap_or_default();
            // `/*$history` is about the character, `/*.pdf$/` about the end.
            let is_of_text = |byte: &u8| byte.is_ascii_alphanumeric() || b"_{(%".contains(byte);
            let severity = if after.first().is_some_and(is_of_text) {
                Severity::Note
            } else {
                Severity::Warning
            };
            let message = || "a `$` before the end of a path is an ordinary character; move it to the end, or leave it if you mean the character: with `%24` in its place Google matches only URLs that contain `%24`";
            self.grade(DiagnosticCode::DollarNotAtEnd, severity, dollar, message);
        }
        let quoted = quote(value.bytes);
        let has_blank = value.bytes.iter().any(|byte| byte.is_ascii_whitespace());
        let has_line_end = memchr::memmem::find(value.bytes, TEXT_OF_LINE_END).is_some();
        let with_record = Some(value.bytes).filter(|_| has_blank || has_line_end);
        let has_other = value.bytes.iter().any(|byte| !byte.is_ascii());
        if let Some(path) = before_tag(value.bytes) {
            let message = || {
                let fix = match path {
                    // A hint is never to close or open a whole site unsaid.
                    path if is_whole_site(path) => {
                        "without the tag it is the whole site, so remove it only if that is meant"
                            .into()
                    }
                    path => format!("write {} if that is the path", quote(path)),
                };
                format!(
                    "{quoted} matches only URLs with this HTML tag, which was probably copied from a page; {fix}"
                )
            };
            self.report(DiagnosticCode::HtmlInPath, value, message);
        } else if memchr::memchr2(b'<', b'>', value.bytes).is_some() && has_blank {
            let message = || {
                let fix = match paths(value.bytes).next() {
                    Some(path) if is_whole_site(path) => {
                        "the path before the HTML is the whole site, so write it alone only if that is meant"
                    }
                    _ => "remove the HTML behind the path",
                };
                format!(
                    "{quoted} is read as one path with its blanks, so it matches nothing for Google; {fix}"
                )
            };
            self.report(DiagnosticCode::BlankInPath, value, message);
        } else if let Some((path, record)) = with_record.and_then(second_record) {
            let message = || {
                let fix = match path {
                    // A hint is never to close or open a whole site unsaid.
                    path if is_whole_site(path) => format!(
                        "{} alone is the whole site, so give each record a line of its own only if that is meant",
                        quote(path)
                    ),
                    path => {
                        let field = record.split(|byte| *byte == b':').next();
                        let kind = LineKind::of_field(field.unwrap_or_default(), Dialect::Rfc9309);
                        let start = match kind {
                            LineKind::UserAgent => ", which starts a group",
                            _ => "",
                        };
                        format!(
                            "write {} here, and {} on a line of its own{start}",
                            quote(path),
                            quote(record)
                        )
                    }
                };
                format!("{quoted} is read as one path, because a line holds one record; {fix}")
            };
            self.report(DiagnosticCode::BlankInPath, value, message);
        } else if has_blank {
            // For two paths on one line `%20` would cement the mistake.
            let is_one_path = !value.bytes.windows(2).any(|pair| pair == b" /");
            let whole_site = whole_site_among(value.bytes);
            let fixed = match self.text {
                Text::Read if is_one_path && whole_site.is_none() => escaped(value.bytes),
                Text::Read | Text::Unread => None,
            };
            // A tab is hardly a part of a path.
            let is_shown =
                |fixed: &&String| fixed.len() <= LONGEST_ADVICE && !value.bytes.contains(&b'\t');
            let advice: Cow<'_, str> = match fixed.as_ref().filter(is_shown) {
                Some(_) if value.bytes.starts_with(b"/ ") => {
                    "remove the blank if the path has none, or write `%20` for it".into()
                }
                Some(fixed) => {
                    format!("write `{fixed}` if it is one path, and Google follows the rule too")
                        .into()
                }
                None => match whole_site {
                    Some(advice) => advice.into(),
                    None if is_one_path => "write `%20` for a blank".into(),
                    None => "write each path on a line of its own".into(),
                },
            };
            let message =
                || format!("{quoted} holds a blank, so it matches nothing for Google; {advice}");
            self.suggest(DiagnosticCode::BlankInPath, value, message, || fixed);
        } else if has_other {
            let message = || {
                format!(
                    "{quoted} matches only in crawlers that percent-encode it, as RFC 9309 §2.2.2 asks; write it percent-encoded, as Google recommends"
                )
            };
            let fixed = || escaped(value.bytes);
            self.suggest(DiagnosticCode::NonAsciiInPath, value, message, fixed);
        } else if let Some((path, sign)) = before_sign(value.bytes) {
            self.sign_after_path(value, path, sign);
        }
    }

    fn sign_after_path(&mut self, value: Part<'_>, path: &[u8], sign: &[u8]) {
        // The URLs of some servers have parameters after a `;`.
        let severity = match sign {
            b";" => Severity::Note,
            _ => Severity::Warning,
        };
        let message = || {
            let reason = match sign {
                TEXT_OF_LINE_END => "which is no line break",
                _ => "because a rule holds one path and no list",
            };
            let fix = match path {
                // A hint is never to close or open a whole site unsaid.
                path if is_whole_site(path) => {
                    "without it the path is the whole site, so remove it only if that is meant"
                        .into()
                }
                path => format!("write {} if that is the path", quote(path)),
            };
            format!(
                "{} matches only URLs with this {}, {reason}; {fix}",
                quote(value.bytes),
                quote(sign)
            )
        };
        self.grade(DiagnosticCode::SignAfterPath, severity, value, message);
    }
}

/// The path before a sign that ends the item of a list, or the text for a line end in programs.
fn before_sign(value: &[u8]) -> Option<(&[u8], &[u8])> {
    if let Some(path) = value.strip_suffix(TEXT_OF_LINE_END) {
        return Some((path, TEXT_OF_LINE_END));
    }
    let (path, sign) = value.split_at_checked(value.len().checked_sub(1)?)?;
    // `/*,` and `/*;` are about the sign, and `&amp;` ends with it.
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'/';
    let is_listed = matches!(sign, b"," | b";") && path.last().is_some_and(is_plain);
    (is_listed && !path.contains(&b'&')).then_some((path, sign))
}

/// The two characters that stand for a line end in programs.
const TEXT_OF_LINE_END: &[u8] = br"\n";

/// The parts of a value that were perhaps meant as one path each: `/a, /b`.
fn paths(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b';');
    value.split(is_between).filter(|path| !path.is_empty())
}

/// The advice about several paths, if a rule for one of them alone would be one about the whole
/// site: `/ /admin`, `/ // staging`.
fn whole_site_among(value: &[u8]) -> Option<String> {
    let is_one_path = !value.windows(2).any(|pair| pair == b" /");
    if is_one_path && !paths(value).all(is_whole_site) {
        return None;
    }
    let whole = quote(paths(value).find(|path| is_whole_site(path))?);
    let is_other = |path: &&[u8]| matches!(path, [b'/', ..]) && !is_whole_site(path);
    Some(match paths(value).find(is_other) {
        Some(other) => format!(
            "{whole} is the whole site, so write {} alone unless that is meant",
            quote(other)
        ),
        None => format!(
            "{whole} is the whole site, so write it alone only if that is meant; a comment begins with `#`"
        ),
    })
}

/// The place of a `$` that is not the last byte.
fn dollar_before_end(value: &[u8]) -> Option<usize> {
    let at = memchr::memchr(b'$', value)?;
    (at.saturating_add(1) < value.len()).then_some(at)
}

/// The path and the second record after it, as in `/ User-agent: *` and `/a/User-agent: PlumBot`.
fn second_record(value: &[u8]) -> Option<(&[u8], &[u8])> {
    let ends = memchr::memchr_iter(b':', value);
    ends.filter_map(|end| {
        let window = end.saturating_sub(LONGEST_FIELD);
        let before = value.get(window..end)?;
        let is_before_name = |byte: &u8| byte.is_ascii_whitespace() || b"/\\".contains(byte);
        let at = before.iter().rposition(is_before_name)?;
        let is_text_of_line_end = before.get(at..)?.starts_with(TEXT_OF_LINE_END);
        let start = at.saturating_add(if is_text_of_line_end { 2 } else { 1 });
        let (path, record) = value.split_at_checked(window.saturating_add(start))?;
        // `http://allow:8080/` is no rule.
        let is_field = before.get(start..).is_some_and(is_known) && !path.ends_with(b"//");
        let path = path.strip_suffix(TEXT_OF_LINE_END).unwrap_or(path);
        is_field.then_some((path.trim_ascii_end(), record))
    })
    .next()
}

/// The search for a field name ends here, so that a hostile path takes no longer than others.
const LONGEST_FIELD: usize = 32;

/// A placeholder with blanks in it, as templates have them: `{{ path }}`. Files close URLs with
/// `{{path}}` on purpose, as browsers did not fill in that of a page.
fn placeholder(value: &[u8]) -> Option<&[u8]> {
    PLACEHOLDERS.iter().find_map(|(open, close)| {
        let start = memchr::memmem::find(value, open)?;
        let from = value.get(start..)?;
        let len = memchr::memmem::find(from, close)?;
        let placeholder = from.get(..len.saturating_add(close.len()))?;
        placeholder.contains(&b' ').then_some(placeholder)
    })
}

/// The marks around a placeholder in the templates of Jinja, Twig, ERB and shells.
const PLACEHOLDERS: [(&[u8], &[u8]); 4] = [
    (b"{{", b"}}"),
    (b"{%", b"%}"),
    (b"<%", b"%>"),
    (b"${", b"}"),
];
