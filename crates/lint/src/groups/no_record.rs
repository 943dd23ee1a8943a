//! The finding that no line of a file is a record: an error page, JSON or compressed data in place
//! of a robots.txt.

use polite_robots::RobotsTxt;
use polite_robots::document::LineKind;
use polite_robots_audit::doubt::Doubt;

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;

/// The finding, about the first line with text. HTML and UTF-16 have findings of their own.
pub(crate) fn no_record(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let doubt = Doubt::about_lines(robots_txt)?;
    let mut lines = robots_txt.lines();
    let first = lines.find(|line| line.kind() != LineKind::Blank)?;
    let start = first.span().start;
    let code = DiagnosticCode::NoRecord;
    Some(Diagnostic::new(
        code,
        first.number(),
        start..start,
        doubt.message(),
    ))
}
