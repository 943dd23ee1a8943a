//! A verdict in a document, with its evidence: the same fields in every document.

use polite_robots::{Access, Rule, Verdict};
use polite_robots_audit::answer::Answer;

use crate::json::{Fields, Object, object};
use crate::reading::Dialect;

/// An answer about one URL: the verdict, its dialect, and the note about it.
pub(crate) fn answer_fields<'a>(answer: &Answer<'a>) -> Object<impl Fields + use<'a>> {
    object! {
        ..verdict_fields(&answer.verdict()),
        "dialect": Dialect::from(answer.dialect()),
        "note": answer.note(),
    }
}

/// A verdict about one URL.
pub(crate) fn verdict_fields<'a>(verdict: &Verdict<'a>) -> Object<impl Fields + use<'a>> {
    object! {
        "allowed": verdict.is_allowed(),
        "line": verdict.rule().map(|rule| rule.line()),
        "rule": verdict.rule().map(rule_fields),
        "overruled": verdict.overruled().map(rule_on_line),
        "reason": verdict.reason().as_str(),
        "explanation": verdict.to_string(),
    }
}

/// A rule that is not the deciding one, whose line stands beside the answer.
pub(crate) fn rule_on_line(rule: Rule<'_>) -> Object<impl Fields> {
    object! { ..rule_fields(rule), "line": rule.line() }
}

fn rule_fields(rule: Rule<'_>) -> Object<impl Fields> {
    object! {
        "access": match rule.access() {
            Access::Allow => "allow",
            Access::Disallow => "disallow",
        },
        "pattern": rule.pattern(),
        "bytes": rule.length(),
    }
}
