//! The finding that no line of a file is a record: an error page, JSON or compressed data in place
//! of a robots.txt, or records that no crawler knows.

use polite_robots::document::{Line, LineKind};
use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::doubt::Doubt;
use polite_robots_records::ProposedField;

use crate::code::{DiagnosticCode, Severity};
use crate::diagnostic::Diagnostic;

/// The finding, about the first line with text. HTML and UTF-16 have findings of their own.
pub(crate) fn no_record(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let Some(doubt) = Doubt::about_lines(robots_txt) else {
        return no_known_record(robots_txt);
    };
    let mut lines = robots_txt.lines();
    let first = lines.find(|line| line.kind() != LineKind::Blank)?;
    Some(at_start_of(&first, doubt.message()))
}

/// The finding that all records have names that nobody knows: `Benutzeragent: *`, `• Disallow: /x`.
fn no_known_record(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let is_text = |line: &Line<'_>| line.kind() != LineKind::Blank;
    let is_unread = |line: Line<'_>| {
        matches!(
            line.kind(),
            LineKind::NotARecord | LineKind::UnknownField | LineKind::Blank
        )
    };
    if Doubt::about_start(robots_txt).is_some() || !robots_txt.lines().all(is_unread) {
        return None;
    }
    let first = robots_txt.lines().find(is_text)?;
    // Proposed fields are known to some, and `Sitemap_index` is to Google's matcher.
    let google = RobotsTxt::parse_with(robots_txt.as_bytes(), &Options::google());
    if ProposedField::of(robots_txt).next().is_some() || !google.lines().all(is_unread) {
        return None;
    }
    let message = "every crawler may fetch everything, as crawlers know no record of this file: they know lines such as `User-agent: *` and `Disallow: /path`";
    Some(at_start_of(&first, message).with_severity(Severity::Warning))
}

fn at_start_of(line: &Line<'_>, message: &'static str) -> Diagnostic {
    let start = line.span().start;
    Diagnostic::new(
        DiagnosticCode::NoRecord,
        line.number(),
        start..start,
        message,
    )
}
