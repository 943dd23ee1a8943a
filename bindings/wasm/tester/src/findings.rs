//! The findings of a file, with what can be fixed safely.

use polite_robots::RobotsTxt;
use polite_robots_lint::fix::Suggestions;
use polite_robots_lint::{Severity, lint};
use serde::Serialize;

use crate::json::json;
use crate::places::Places;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Findings<'a> {
    found: Vec<Finding<'a>>,
    total: usize,
    errors: usize,
    fixable: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding<'a> {
    code: &'static str,
    page_url: &'static str,
    severity: &'static str,
    line: u32,
    /// The first byte, by which a fix finds it again.
    start: usize,
    columns: [usize; 2],
    message: &'a str,
    suggestion: Option<&'a str>,
    can_fix: bool,
}

pub(crate) fn findings(bytes: &[u8]) -> String {
    let robots_txt = RobotsTxt::parse(bytes);
    let found = lint(&robots_txt);
    let suggestions = Suggestions::new(&robots_txt, &found);
    let places = Places::new(bytes, &robots_txt);
    let shown = found
        .iter()
        .enumerate()
        .take(MOST_FINDINGS)
        .map(|(index, finding)| {
            let code = finding.code();
            Finding {
                code: code.as_str(),
                page_url: code.page_url(),
                severity: finding.severity().as_str(),
                line: finding.line(),
                start: finding.span().start,
                columns: places.columns(finding.line(), finding.span()),
                message: finding.message(),
                suggestion: suggestions.safe(index, finding),
                can_fix: suggestions.can_fix(index),
            }
        })
        .collect();
    let errors = found
        .iter()
        .filter(|finding| finding.severity() == Severity::Error);
    json(&Findings {
        found: shown,
        total: found.len(),
        errors: errors.count(),
        fixable: (0..found.len())
            .filter(|&index| suggestions.can_fix(index))
            .count(),
    })
}

/// More than anyone reads; a page with all of a hostile file would not scroll.
const MOST_FINDINGS: usize = 500;
