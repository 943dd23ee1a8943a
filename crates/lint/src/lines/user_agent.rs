//! Diagnostics about the value of a `User-agent` record.

use polite_robots::ProductToken;
use polite_robots::document::{is_wildcard, leading_name, leading_token};
use polite_robots::text::quote;

use crate::advice::Advice;
use crate::code::{DiagnosticCode, Severity};
use crate::lines::agent_advice::{lines_of_list, record_of_its_own, renamed};
use crate::lines::findings::{Findings, Reported};
use crate::lines::invisible::name_read;
use crate::lines::second_record::second_record;
use crate::text::address::kind_of_address;
use crate::text::html_tag::before_tag;
use crate::text::part::Part;
use crate::text::token::is_token_or_wildcard;

impl Findings<'_, '_> {
    pub(super) fn agent_name(&mut self, part: Part<'_>) -> Option<Reported> {
        let value = part.bytes;
        if is_token_or_wildcard(value) {
            return self.nearly_policy_token(part);
        }
        if value.is_empty() {
            return self.no_name(part);
        }
        // The name ends at the first line break, and the rest of a value may be right once the
        // invisible character is gone.
        self.line_break_text(DiagnosticCode::RecordOnAgentLine, part)
            .or_else(|| self.record_on_agent_line(part))
            .or_else(|| self.invisible(part, Severity::Error, effect_on_name(value), name_read))
            .or_else(|| self.nearly_policy_token(part))
            .or_else(|| self.name_and_more(part))
    }

    fn record_on_agent_line(&mut self, part: Part<'_>) -> Option<Reported> {
        let (file, second) = (self.file.bytes, second_record(part)?);
        self.report(DiagnosticCode::RecordOnAgentLine, second, || {
            record_of_its_own(file, part, second)
        })
    }

    /// Reports a value that is not a name, or is more than one.
    fn name_and_more(&mut self, part: Part<'_>) -> Option<Reported> {
        let value = part.bytes;
        let quoted = quote(value);
        let token = leading_token(value);
        let code = DiagnosticCode::InvalidProductToken;
        if is_wildcard(value) {
            self.report(code, part, || {
                Advice::new(format!("{quoted} is read as `*`, every crawler; write `*`"))
                    .suggest(part.span(), "*")
            })
        } else if let Some(first) = first_of_several(value) {
            let named = only(leading_name(first), "none");
            let file = self.file.bytes;
            self.report(DiagnosticCode::CommaSeparatedAgents, part, || {
                let advice = Advice::new(format!(
                    "this line lists several crawlers ({quoted}), but names {named}; give each a line of its own"
                ));
                advice.propose_all(lines_of_list(file, part))
            })
        } else if let Some(name) = before_tag(value).filter(|name| !name.is_empty()) {
            self.report(code, part, || {
                let advice = Advice::new(format!(
                    "{} the HTML tag in {quoted}, which was probably copied from a page; write {}",
                    effect_on_name(value),
                    quote(name)
                ));
                advice.propose_all(renamed(part, name))
            })
        } else if let Some(kind) = kind_of_address(value) {
            self.report(code, part, || {
                format!(
                    "no known crawler is called {quoted}, which is {kind}: a `User-agent` line has the name of a crawler"
                )
            })
        } else if is_name(value) {
            // Only a table of known crawlers shows whether Google takes it for another crawler.
            None
        } else if token.is_empty() {
            self.no_token(part)
        } else {
            self.more_than_token(part, token)
        }
    }

    /// Reports a value that does not end after the token that Google reads.
    fn more_than_token(&mut self, part: Part<'_>, token: &[u8]) -> Option<Reported> {
        let value = part.bytes;
        let (quoted, quoted_token) = (quote(value), quote(token));
        let rest = value.get(token.len()..).unwrap_or_default();
        let code = DiagnosticCode::InvalidProductToken;
        if rest == b"*" {
            return self.grade(code, Severity::Note, part, || {
                let message = format!(
                    "Google and others read only {quoted_token} of {quoted}, because names have no wildcards: each further name needs a line of its own; write {quoted_token}"
                );
                Advice::new(message).propose_all(renamed(part, token))
            });
        }
        if leading_name(value).len() == token.len() && is_mere_decoration(rest) {
            return self.grade(code, Severity::Note, part, || {
                let message = format!(
                    "crawlers read only {quoted_token} of {quoted}, so the rest has no effect; write {quoted_token}"
                );
                Advice::new(message).suggest(part.span(), String::from_utf8_lossy(token))
            });
        }
        self.report(code, part, || {
            let header = core::str::from_utf8(value).unwrap_or_default();
            // Only a whole header has its token somewhere in the middle.
            let is_header = header.starts_with("Mozilla/") || header.starts_with("mozilla/");
            let meant = ProductToken::from_user_agent(header).filter(|meant| {
                is_header && !meant.as_str().as_bytes().eq_ignore_ascii_case(token)
            });
            let compatible = after_compatible(header).filter(|_| is_header);
            let name = meant.as_ref().map(ProductToken::as_str).or(compatible);
            let fix = match name {
                Some(name) if meant.is_some() => format!("; write {}", quote(name.as_bytes())),
                Some(name) => format!("; write `{name}` if that is the name"),
                None => String::new(),
            };
            let message = format!(
                "Google and others read only {quoted_token} of {quoted}, because a name has letters, `-` and `_` alone{fix}"
            );
            Advice::new(message).write_if(part.span(), name)
        })
    }
}

fn effect_on_name(value: &[u8]) -> &'static str {
    if leading_token(value).is_empty() {
        "this line names no crawler because of"
    } else {
        "some crawlers do not find their name here because of"
    }
}

/// The name without a version in a header: `Mozilla/5.0 (compatible; PlumBot)`. `None` for that of
/// a browser.
fn after_compatible(header: &str) -> Option<&str> {
    let (_, after) = header.split_once("(compatible; ")?;
    let name = core::str::from_utf8(leading_token(after.as_bytes())).ok()?;
    let is_whole = after.get(name.len()..)?.starts_with([';', ')']);
    (is_whole && !name.is_empty()).then_some(name)
}

/// Says which part of a value is read: `only` that part, or the words `none` for an empty one.
fn only(read: &[u8], none: &str) -> String {
    if read.is_empty() {
        none.into()
    } else {
        format!("only {}", quote(read))
    }
}

/// Whether the value may be the name of a crawler such as `MJ12bot`. That crawler finds its group
/// only if it is written so.
fn is_name(value: &[u8]) -> bool {
    leading_name(value).len() == value.len() && value.last().is_some_and(u8::is_ascii_alphanumeric)
}

/// Whether the text after a token is a version or has no word in it. To a crawler that compares the
/// whole value, a further word or digit may be a part of its name: `Offline Explorer`.
fn is_mere_decoration(rest: &[u8]) -> bool {
    // The text after the slash of `GPTBot/CCBot` is a name.
    let is_version = match rest {
        [b'/', b'v' | b'V', after @ ..] | [b'/', after @ ..] => {
            after.first().is_some_and(u8::is_ascii_digit)
        }
        _ => false,
    };
    rest.iter().all(u8::is_ascii_graphic)
        && (is_version || !rest.iter().any(u8::is_ascii_alphanumeric))
}

/// The text before the first comma or semicolon, if a further name follows it.
fn first_of_several(value: &[u8]) -> Option<&[u8]> {
    let at = memchr::memchr2(b',', b';', value)?;
    let (first, others) = value.split_at_checked(at)?;
    let next = others.get(1..).unwrap_or_default().trim_ascii_start();
    let starts_a_name = |text: &[u8]| {
        matches!(
            text,
            [b'*' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z', ..]
        )
    };
    // These are no lists: `Mozilla/5.0 (compatible; ExampleBot)`, `HTTrack [NC,OR]`,
    // `Check&amp;Get`, `ExampleBot/2.0;+http://…`, `Reaper v7 - www,example.com/reaper`,
    // `nachtschatten, neofonie search:robot`
    let end = memchr::memchr2(b',', b';', next).unwrap_or(next.len());
    let second = next.get(..end).unwrap_or(next);
    let is_in_names = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_./*".contains(byte);
    let is_one_name =
        |text: &[u8]| starts_a_name(text) && text.trim_ascii_end().iter().all(is_in_names);
    (is_one_name(first) && is_one_name(second)).then_some(first)
}
