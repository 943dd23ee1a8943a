//! A verdict in a document, with its evidence: the same fields wherever one stands.

use polite_robots::{Access, Rule, Verdict};
use polite_robots_audit::answer::Answer;
use serde::Serialize;

use crate::reading::Dialect;

/// An answer about one URL: the verdict, its dialect, and what changes it.
#[derive(Serialize)]
pub(crate) struct AnswerFields<'a> {
    #[serde(flatten)]
    verdict: VerdictFields<'a>,
    dialect: Dialect,
    note: Option<String>,
}

impl<'a> AnswerFields<'a> {
    pub(crate) fn new(answer: &Answer<'a>) -> AnswerFields<'a> {
        AnswerFields {
            verdict: VerdictFields::new(&answer.verdict()),
            dialect: answer.dialect().into(),
            note: answer.note(),
        }
    }
}

/// A verdict about one URL.
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
            reason: verdict.reason().as_str(),
            explanation: verdict.to_string(),
        }
    }
}

#[derive(Serialize)]
struct RuleFields<'a> {
    access: &'static str,
    pattern: &'a str,
    bytes: usize,
}

impl<'a> RuleFields<'a> {
    fn new(rule: Rule<'a>) -> RuleFields<'a> {
        RuleFields {
            access: match rule.access() {
                Access::Allow => "allow",
                Access::Disallow => "disallow",
            },
            pattern: rule.pattern(),
            bytes: rule.length(),
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
