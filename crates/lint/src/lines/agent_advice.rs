//! Names to write in the place of a value of a `User-agent` line.

use polite_robots::document::leading_token;
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::lines::findings::{Findings, Reported, Text};
use crate::proposal::{Effect, Proposal, usual_line_end};
use crate::text::html_tag::before_tag;
use crate::text::part::Part;
use crate::text::token::is_token_or_wildcard;
use crate::text::words::is_one_of;

impl Findings<'_, '_> {
    /// Reports a line without a name. Beside other agents it changes nothing.
    pub(super) fn no_name(&mut self, value: Part<'_>) -> Option<Reported> {
        let record = self.line.part.without_comment().trim();
        // The sentence asks for the groups, which the sink of the diagnostic has.
        let advice = match self.text {
            Text::Read => self.name_to_write(value),
            Text::Unread => "".into(),
        };
        self.report(DiagnosticCode::EmptyUserAgent, record, || advice)
    }

    fn name_to_write(&self, value: Part<'_>) -> Advice {
        let (groups, line) = (self.groups(), self.line.part);
        if groups.names_anybody(self.line.number) {
            let without = Proposal::without_line(self.file.bytes, line.span(), Effect::Answers);
            return Advice::new("a `User-agent` line without a value names nobody; remove it")
                .propose(without);
        }
        let closing = match groups.closes_site(self.line.number) {
            true => ", which closes the whole site",
            false => "",
        };
        let before = line.head(value.start.saturating_sub(line.start)).bytes;
        let name = if before.ends_with(b":") { " *" } else { "*" };
        Advice::new(format!(
            "a `User-agent` line without a value names nobody, so its rules are for nobody; write `*` if they are for every crawler{closing}"
        ))
        .write(value.span(), name)
    }

    /// Reports a value that does not begin with a product token.
    pub(super) fn no_token(&mut self, part: Part<'_>) -> Option<Reported> {
        let value = part.bytes;
        let is_star = is_star_within_signs(value);
        let closes_site = is_star && self.groups().closes_site(self.line.number);
        self.report(DiagnosticCode::InvalidProductToken, part, || {
            let quoted = quote(value);
            let reason = match value {
                [b'*', ..] => "because names have no wildcards",
                _ => "because it does not begin with a letter, `-` or `_`",
            };
            let (name, condition) = match within_signs(value) {
                _ if closes_site => (
                    Some(&b"*"[..]),
                    "if every crawler is meant, to whom this group closes the whole site",
                ),
                _ if is_star => (Some(&b"*"[..]), "if every crawler is meant"),
                name => (name, "if that is the name"),
            };
            let fix = name.map(|name| format!("; write {} {condition}", quote(name)));
            let fix = fix.unwrap_or_default();
            Advice::new(format!(
                "{quoted} names no crawler for Google and others, {reason}{fix}"
            ))
            .propose_all(name.and_then(|name| renamed(part, name)))
        })
    }
}

/// Another name in the place of the value; `None` if it is no UTF-8.
pub(super) fn renamed(value: Part<'_>, name: &[u8]) -> Option<Proposal> {
    let name = core::str::from_utf8(name).ok()?;
    Some(Proposal::write(value.span(), name))
}

/// Each name of a list on a line of its own.
pub(super) fn lines_of_list(file: &[u8], list: Part<'_>) -> Option<Proposal> {
    let text = core::str::from_utf8(list.bytes).ok()?;
    let names = text.split([',', ';']).map(str::trim);
    let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    let line_end = usual_line_end(file);
    let lines = names.join(&format!("{line_end}User-agent: "));
    Some(Proposal::write(list.span(), lines))
}

/// `Disallow: /x` for `Disallow /x`.
fn with_colon(record: &[u8]) -> Vec<u8> {
    let blank = record.iter().position(u8::is_ascii_whitespace);
    let parts = blank.and_then(|at| record.split_at_checked(at));
    match parts.filter(|_| !record.contains(&b':')) {
        Some((field, path)) => [field, b": ", path.trim_ascii_start()].concat(),
        None => record.to_vec(),
    }
}

/// The record `second` of the value on a line of its own.
pub(super) fn record_of_its_own(file: &[u8], value: Part<'_>, second: Part<'_>) -> Advice {
    let before = value.head(second.start.saturating_sub(value.start)).trim();
    let name = before_tag(before.bytes).unwrap_or(before.bytes);
    let name = name.strip_suffix(b",").unwrap_or(name).trim_ascii_end();
    let record = &with_colon(before_tag(second.bytes).unwrap_or(second.bytes));
    let closing = match record
        .split(|byte| *byte == b':')
        .nth(1)
        .map(<[u8]>::trim_ascii)
    {
        Some(b"/" | b"*" | b"/*") => ", which is about the whole site",
        _ => "",
    };
    let fix = match name {
        name if !is_token_or_wildcard(name) => "give each record a line of its own".into(),
        name if name.len() < before.bytes.len() => {
            format!(
                "write {} here, and {} on a line of its own",
                quote(name),
                quote(record)
            )
        }
        _ => format!("write {} on a line of its own", quote(record)),
    };
    let text = [name, usual_line_end(file).as_bytes(), record].concat();
    Advice::new(format!(
        "a `User-agent` line holds a name alone, so the rest has no effect; {fix}{closing}"
    ))
    .write_if(value.span(), String::from_utf8(text).ok())
}

/// The product token between signs: `*PlumBot*`, `~PlumBot`. Words that end many names are none.
fn within_signs(value: &[u8]) -> Option<&[u8]> {
    let start = value.iter().position(u8::is_ascii_alphabetic)?;
    let end = value.iter().rposition(u8::is_ascii_alphabetic)?;
    let name = value.get(start..=end)?;
    let is_word = is_one_of(name, &["bot", "bots", "crawler", "robot", "spider"]);
    (leading_token(name).len() == name.len() && !is_word).then_some(name)
}

/// Whether a value is `*` with signs around it, or the wide `＊`: `'*'`, `**`, `[*]`, and `: *`
/// after a second colon.
fn is_star_within_signs(value: &[u8]) -> bool {
    let text = core::str::from_utf8(value).unwrap_or_default();
    let is_sign = |sign: char| "*＊\"'`‘’“”[](),;:. ".contains(sign);
    text.contains(['*', '＊']) && text.chars().all(is_sign)
}
