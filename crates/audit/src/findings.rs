//! Everything that is odd about a file: its lines, and its rules held against each other.
//!
//! ```
//! use polite_robots::Options;
//! use polite_robots::lint::DiagnosticCode;
//!
//! let (_, findings) = polite_robots_audit::findings::all(b"User-agent: *\nDisalow: /x\n", &Options::rfc9309());
//! assert_eq!(findings[0].code(), DiagnosticCode::MisspelledField);
//! ```

use polite_robots::lint::{Diagnostic, DiagnosticCode};
use polite_robots::{Options, RobotsTxt};

/// Parses a file and collects all findings, of the lines first and then of the rules.
///
/// Where no line is a record, single lines have no findings: one cause is said once.
///
/// ```
/// use polite_robots::Options;
///
/// let (_, findings) = polite_robots_audit::findings::all(b"Service Unavailable\nTry later\n", &Options::rfc9309());
/// let codes: Vec<&str> = findings.iter().map(|finding| finding.code().as_str()).collect();
/// assert_eq!(codes, ["no-record"]);
/// ```
#[must_use]
pub fn all(file: &[u8], options: &Options) -> (RobotsTxt, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let robots_txt = RobotsTxt::parse_with(file, options, &mut findings);
    robots_txt.lint(&mut findings);
    let code = |finding: &Diagnostic| finding.code();
    if findings
        .iter()
        .any(|finding| code(finding) == DiagnosticCode::NoRecord)
    {
        findings.retain(|finding| is_about_the_file(code(finding)));
    }
    (robots_txt, findings)
}

/// Parses a file, with the finding that it is no robots.txt at all, if it is none.
///
/// ```
/// use polite_robots::Options;
/// use polite_robots_audit::findings;
///
/// let (robots_txt, doubt) = findings::parse_with_doubt(b"<!DOCTYPE html>", &Options::rfc9309());
/// assert!(robots_txt.robot("ExampleBot")?.allowed("/"));
/// assert_eq!(doubt.ok_or("no doubt")?.code().as_str(), "html-document");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn parse_with_doubt(file: &[u8], options: &Options) -> (RobotsTxt, Option<Diagnostic>) {
    let mut doubt = None;
    let mut keep = |finding: Diagnostic| {
        if is_no_robots_txt(finding.code()) && doubt.is_none() {
            doubt = Some(finding);
        }
    };
    let robots_txt = RobotsTxt::parse_with(file, options, &mut keep);
    // The rules are linted only if there are none.
    if robots_txt.merged_groups().next().is_none() {
        robots_txt.lint(&mut keep);
    }
    (robots_txt, doubt)
}

/// Whether the finding says that the file is no robots.txt, so that rewriting it would ruin it.
#[must_use]
pub fn is_no_robots_txt(code: DiagnosticCode) -> bool {
    matches!(
        code,
        DiagnosticCode::HtmlDocument | DiagnosticCode::Utf16 | DiagnosticCode::NoRecord
    )
}

fn is_about_the_file(code: DiagnosticCode) -> bool {
    is_no_robots_txt(code)
        || matches!(
            code,
            DiagnosticCode::ByteOrderMark | DiagnosticCode::TooLarge | DiagnosticCode::Truncated
        )
}
