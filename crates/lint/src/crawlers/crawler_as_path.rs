//! A known crawler in the place of a path, as in `Disallow: GPTBot`.

use polite_robots::RobotsTxt;
use polite_robots::document::{Line, LineKind};
use polite_robots_audit::known::find;

use crate::advice::Advice;
use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use crate::proposal::{Effect, Proposal};

/// Says in the findings about such paths how a crawler is named: its owner means the crawler, and
/// `/GPTBot` would be a page of that name.
pub(super) fn name_crawlers_as_paths(findings: &mut [Diagnostic], robots_txt: &RobotsTxt) {
    let mut groups: Option<Vec<(u32, u32)>> = None;
    let mut lines: Option<Vec<Line<'_>>> = None;
    for finding in findings {
        if finding.code() != DiagnosticCode::PathWithoutSlash {
            continue;
        }
        let value = robots_txt.as_bytes().get(finding.span());
        let name = value.and_then(|value| core::str::from_utf8(value).ok());
        let Some(crawler) = name.and_then(find).filter(|crawler| !crawler.is_word()) else {
            continue;
        };
        let lines = lines.get_or_insert_with(|| robots_txt.lines().collect());
        let line_of = |number: u32| lines.get(usize::try_from(number).ok()?.checked_sub(1)?);
        let Some(line) = line_of(finding.line()) else {
            continue;
        };
        let LineKind::Rule(rule) = line.kind() else {
            continue;
        };
        // The line and the number of rules of each group.
        let groups = groups.get_or_insert_with(|| {
            let groups = robots_txt.groups();
            groups
                .map(|group| (group.line(), group.rules().take(2).count() as u32))
                .collect()
        });
        let after = groups.partition_point(|(start, _)| *start <= finding.line());
        let group = after.checked_sub(1).and_then(|at| groups.get(at));
        let token = crawler.token();
        let Some((start, rules)) =
            group.and_then(|(start, rules)| Some((line_of(*start)?, *rules)))
        else {
            continue;
        };
        let closes = match rule {
            polite_robots::Access::Allow => "open",
            polite_robots::Access::Disallow => "close",
        };
        let message = format!(
            "`{token}` is a crawler and no path, so this line has no effect; write `User-agent: {token}` and `{rule}: /` above this group, which {closes} the whole site to it"
        );
        let file = robots_txt.as_bytes();
        let text = format!("User-agent: {token}\n{rule}: /\n");
        let above = Proposal::line_above(file, start.span(), &text, Effect::Answers);
        let end = line.span().end;
        // Without a rule the agents of the group would get those below.
        let without = match rules {
            1 => above.and(finding.span(), ""),
            _ => {
                let end_len = crate::proposal::line_end(file, end).len();
                above.and(line.span().start..end.saturating_add(end_len), "")
            }
        };
        let advice = Advice::new(message).propose(without);
        *finding = Diagnostic::advised(finding.code(), finding.line(), finding.span(), advice)
            .with_severity(finding.severity());
    }
}
