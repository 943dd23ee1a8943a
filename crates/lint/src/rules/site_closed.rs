//! Finds sites that are closed to every crawler, as a test server's file closes them.

use polite_robots::RobotsTxt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// Reports the line that closes the whole site to everyone.
pub(super) fn site_closed(robots_txt: &RobotsTxt, line: u32) -> Diagnostic {
    let rules = robots_txt.groups().flat_map(|group| group.rules());
    let rule = rules.into_iter().find(|rule| rule.line() == line);
    let span = rule.map_or(0..0, |rule| rule.span());
    let message = "no crawler may fetch anything of this site, so it leaves the search engines; if that is not meant, remove this line";
    Diagnostic::new(DiagnosticCode::SiteClosed, line, span, message)
}
