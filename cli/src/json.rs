//! The answers for programs: one JSON document. Names and order of the fields are part of the command's contract.

use std::io::{self, Write};

use polite_robots::{Access, Reason, Rule, Verdict};
use serde::Serialize;

use crate::terminal::is_safe;

/// Writes a document, indented, so that people can read it too.
pub(crate) fn write(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_string_pretty(document)?;
    writeln!(out, "{}", escape_the_unsafe(&json))
}

/// An answer about one URL.
#[derive(Serialize)]
pub(crate) struct VerdictFields<'a> {
    allowed: bool,
    line: Option<u32>,
    rule: Option<RuleFields<'a>>,
    overruled: Option<RuleOnLine<'a>>,
    reason: &'static str,
    explanation: String,
}

impl<'a> VerdictFields<'a> {
    pub(crate) fn new(verdict: &Verdict<'a>) -> VerdictFields<'a> {
        VerdictFields {
            allowed: verdict.is_allowed(),
            line: verdict.rule().map(|rule| rule.line()),
            rule: verdict.rule().map(RuleFields::new),
            overruled: verdict.overruled().map(RuleOnLine::new),
            reason: reason_name(verdict),
            explanation: verdict.to_string(),
        }
    }
}

#[derive(Serialize)]
struct RuleFields<'a> {
    access: &'static str,
    pattern: &'a str,
    octets: usize,
}

impl<'a> RuleFields<'a> {
    fn new(rule: Rule<'a>) -> RuleFields<'a> {
        RuleFields {
            access: match rule.access() {
                Access::Allow => "allow",
                Access::Disallow => "disallow",
            },
            pattern: rule.pattern(),
            octets: rule.octets(),
        }
    }
}

/// A rule that is not the deciding one, whose line stands beside the answer.
#[derive(Serialize)]
pub(crate) struct RuleOnLine<'a> {
    #[serde(flatten)]
    rule: RuleFields<'a>,
    line: u32,
}

impl<'a> RuleOnLine<'a> {
    pub(crate) fn new(rule: Rule<'a>) -> RuleOnLine<'a> {
        RuleOnLine {
            rule: RuleFields::new(rule),
            line: rule.line(),
        }
    }
}

/// A reason that a later library adds is `other` until it has a name here; `explanation` says it meanwhile.
fn reason_name(verdict: &Verdict<'_>) -> &'static str {
    match verdict.reason() {
        Reason::Rule(_) => "rule",
        Reason::DirectoryOfIndex(_) => "directory_of_index",
        Reason::NoRuleMatches => "no_rule_matches",
        Reason::NoGroup => "no_group",
        Reason::RobotsTxtItself => "robots_txt_itself",
        _ => "other",
    }
}

/// JSON may hold DEL, U+009B and directional marks as they are, but a terminal should not. They stand in strings
/// only, as the rest of a document is printable ASCII, and all are within the 16 bits of one `\u` escape.
fn escape_the_unsafe(json: &str) -> String {
    let mut escaped = String::with_capacity(json.len());
    for character in json.chars() {
        if character == '\n' || is_safe(character) {
            escaped.push(character);
        } else {
            escaped.push_str(&format!("\\u{:04x}", u32::from(character)));
        }
    }
    escaped
}
