//! The findings of a file, with what can be fixed safely.

use polite_robots::lint::Severity;
use polite_robots::{Dialect, Options};
use polite_robots_audit::findings;
use polite_robots_audit::suggestion::Suggestions;
use serde::Serialize;

use crate::places::Places;

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Findings {
    found: Vec<Finding>,
    total: usize,
    errors: usize,
    fixable: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Finding {
    code: &'static str,
    page_url: &'static str,
    severity: &'static str,
    line: u32,
    /// The first byte, by which a fix finds it again.
    start: usize,
    columns: [usize; 2],
    message: String,
    suggestion: Option<String>,
    can_fix: bool,
}

impl Findings {
    pub(crate) fn new(bytes: &[u8]) -> Findings {
        let (robots_txt, found) = findings::all(bytes, &Options::rfc9309());
        let suggestions = Suggestions::new(&robots_txt, &found, Dialect::Rfc9309);
        let places = Places::new(bytes, &robots_txt);
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&index| {
            found
                .get(index)
                .map(|finding| (finding.line(), finding.span().start))
        });
        let shown = order
            .into_iter()
            .take(MOST_FINDINGS)
            .filter_map(|index| Some((index, found.get(index)?)))
            .map(|(index, finding)| {
                let code = finding.code();
                Finding {
                    code: code.as_str(),
                    page_url: code.page_url(),
                    severity: finding.severity().as_str(),
                    line: finding.line(),
                    start: finding.span().start,
                    columns: places.columns(finding.line(), finding.span()),
                    message: finding.message().to_owned(),
                    suggestion: suggestions.safe(index, finding).map(str::to_owned),
                    can_fix: suggestions.can_fix(index),
                }
            })
            .collect();
        let errors = found
            .iter()
            .filter(|finding| finding.severity() == Severity::Error);
        Findings {
            found: shown,
            total: found.len(),
            errors: errors.count(),
            fixable: (0..found.len())
                .filter(|&index| suggestions.can_fix(index))
                .count(),
        }
    }
}

/// More than anyone reads; a page with all of a hostile file would not scroll.
const MOST_FINDINGS: usize = 500;
