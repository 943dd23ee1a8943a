//! A known crawler in the place of a path, as in `Disallow: GPTBot`.

use std::cell::LazyCell;

use polite_robots::document::{Line, LineKind};
use polite_robots::{Access, RobotsTxt};
use polite_robots_audit::known::find;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Proposal, with_line_end};

/// Adds to the findings about such paths how a file names a crawler: the owner means the crawler,
/// and `/GPTBot` would be a page of that name.
pub(super) fn name_crawlers_as_paths(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let lines: LazyCell<Vec<Line<'_>>, _> = LazyCell::new(|| robots_txt.lines().collect());
    let starts: LazyCell<Vec<u32>, _> = LazyCell::new(|| {
        let groups = robots_txt.groups();
        groups.map(|group| group.line()).collect()
    });
    let line_of = |number: u32| lines.get(usize::try_from(number).ok()?.checked_sub(1)?);
    for finding in findings {
        if finding.code() != DiagnosticCode::PathWithoutSlash {
            continue;
        }
        let value = robots_txt.as_bytes().get(finding.span());
        let name = value.and_then(|value| core::str::from_utf8(value).ok());
        let Some(crawler) = name.and_then(find).filter(|crawler| !crawler.is_word()) else {
            continue;
        };
        let after = starts.partition_point(|start| *start <= finding.line());
        let start = after.checked_sub(1).and_then(|at| starts.get(at));
        let places = line_of(finding.line()).zip(start.and_then(|start| line_of(*start)));
        let advice = places
            .and_then(|(line, start)| advice(crawler.token(), line, start, robots_txt.as_bytes()));
        if let Some(advice) = advice {
            *finding = Diagnostic::advised(finding.code(), finding.line(), finding.span(), advice)
                .with_severity(finding.severity());
        }
    }
}

/// The advice to name the crawler above the group that starts at a line, in place of the rule.
fn advice(token: &str, rule: &Line<'_>, start: &Line<'_>, file: &[u8]) -> Option<Advice> {
    let LineKind::Rule(access) = rule.kind() else {
        return None;
    };
    let does = match access {
        Access::Allow => "open",
        Access::Disallow => "close",
    };
    let message = format!(
        "`{token}` is a crawler and no path, so this rule matches nothing; write `User-agent: {token}` and `{access}: /` above this group, which {does} the whole site to it"
    );
    let text = format!("User-agent: {token}\n{access}: /\n");
    let above = Proposal::line_above(file, start.span(), &text);
    let line = with_line_end(file, rule.span());
    Some(Advice::new(message).propose(above.and(line, "")))
}
