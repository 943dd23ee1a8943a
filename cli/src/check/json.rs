//! The answers for programs: one JSON document. Names and order of the fields are part of the command's contract.

use std::io::{self, Write};

use polite_robots::{Access, AgentMatch, Reason, Rule, Verdict};
use serde::Serialize;

use crate::check::{Check, Checked};
use crate::json;
use crate::outcome::Answer;
use crate::reading::Dialect;

pub(super) fn write(
    out: &mut dyn Write,
    check: &Check,
    agent_match: AgentMatch,
    answer: Answer,
    checked: &[Checked<'_>],
) -> io::Result<()> {
    let document = Document {
        file: &check.file.argument(),
        agent: &check.agent,
        dialect: check.reading.dialect,
        agent_match: agent_match.as_str(),
        all_allowed: answer == Answer::Yes,
        results: checked.iter().map(UrlResult::new).collect(),
    };
    json::write(out, &document)
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    agent: &'a str,
    dialect: Dialect,
    agent_match: &'static str,
    all_allowed: bool,
    results: Vec<UrlResult<'a>>,
}

#[derive(Serialize)]
struct UrlResult<'a> {
    url: &'a str,
    allowed: bool,
    line: Option<u32>,
    rule: Option<RuleFields<'a>>,
    overruled: Option<OverruledFields<'a>>,
    reason: &'static str,
    explanation: String,
}

impl<'a> UrlResult<'a> {
    fn new(checked: &Checked<'a>) -> UrlResult<'a> {
        let verdict = &checked.verdict;
        UrlResult {
            url: checked.url,
            allowed: verdict.is_allowed(),
            line: verdict.rule().map(|rule| rule.line()),
            rule: verdict.rule().map(RuleFields::new),
            overruled: verdict.overruled().map(OverruledFields::new),
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

#[derive(Serialize)]
struct OverruledFields<'a> {
    #[serde(flatten)]
    rule: RuleFields<'a>,
    line: u32,
}

impl<'a> OverruledFields<'a> {
    fn new(rule: Rule<'a>) -> OverruledFields<'a> {
        OverruledFields {
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
