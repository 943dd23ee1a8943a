//! The finding that no line of a file is a record: an error page, JSON or compressed data in place of a robots.txt.

use crate::document::lines::{Line, LineKind};
use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::Diagnostic;
use crate::parse::line::Separator;
use crate::robots::robots_txt::RobotsTxt;

/// The finding, about the first line with text. HTML and UTF-16 have findings of their own.
pub(super) fn no_record(robots_txt: &RobotsTxt) -> Option<Diagnostic> {
    let file = robots_txt.as_bytes();
    if is_found_by_parser(file) || robots_txt.lines().any(|line| is_record(&line)) {
        return None;
    }
    let mut lines = robots_txt.lines();
    let first = lines.find(|line| line.kind() != LineKind::Blank)?;
    let span = first.span();
    Some(Diagnostic::new(
        DiagnosticCode::NoRecord,
        first.number(),
        span.start..span.start,
        message(file),
    ))
}

fn message(file: &[u8]) -> &'static str {
    let text = file.trim_ascii_start();
    if file.starts_with(GZIP) {
        "every crawler may fetch everything, as the file is compressed (gzip); serve it as plain text"
    } else if file.contains(&0) {
        "every crawler may fetch everything, as the file is no text; serve a plain text file in its place"
    } else if text.starts_with(b"{") || text.starts_with(b"[{") || text.starts_with(b"[\"") {
        "every crawler may fetch everything, as the file is JSON; serve a plain text file in its place"
    } else {
        "every crawler may fetch everything, as no line of this file is a record; is it an error page?"
    }
}

/// Whether a line is a record that is known, or at least `Name: value`.
fn is_record(line: &Line<'_>) -> bool {
    match line.kind() {
        LineKind::Blank | LineKind::NotARecord => false,
        LineKind::UserAgent | LineKind::Rule(_) | LineKind::Extension(_) => true,
        LineKind::UnknownField => {
            // Letters of all scripts, but not the quotes and brackets of JSON.
            let is_of_name = |byte: &u8| {
                byte.is_ascii_alphanumeric()
                    || !byte.is_ascii()
                    || matches!(byte, b'-' | b'_' | b' ')
            };
            line.separator() == Some(Separator::Colon)
                && line.key().is_some_and(|key| key.iter().all(is_of_name))
        }
    }
}

/// Whether the file begins like HTML or UTF-16, about which the parser has a finding.
fn is_found_by_parser(file: &[u8]) -> bool {
    matches!(
        file,
        [0xFE, 0xFF, ..] | [0xFF, 0xFE, ..] | [0, ..] | [_, 0, ..]
    ) || file
        .strip_prefix(b"\xEF\xBB\xBF")
        .unwrap_or(file)
        .trim_ascii_start()
        .starts_with(b"<")
}

/// The first bytes of a gzip member (RFC 1952 §2.3.1).
const GZIP: &[u8] = b"\x1F\x8B";
