//! Everything that is odd about a file: its lines, its rules compared with each other, and its agents compared with the
//! table of known crawlers.
//!
//! ```
//! use polite_robots::Options;
//! use polite_robots::lint::DiagnosticCode;
//! use polite_robots_audit::findings;
//!
//! let (_, found) = findings::all(b"User-agent: GTPBot\nDisalow: /x\n", &Options::rfc9309());
//! assert_eq!(found[0].code(), DiagnosticCode::MisspelledField);
//! // No crawler is called so; GPTBot is.
//! assert_eq!(found[1].code(), DiagnosticCode::MisspelledCrawler);
//! ```

mod agent_names;
mod crawl_delays;
mod exceptions;
mod names;
mod opinions;
mod preferences;

use polite_robots::lint::{Diagnostic, DiagnosticCode, Sink};
use polite_robots::record::Extension;
use polite_robots::{Options, RobotsTxt};

use crate::findings::agent_names::agent_names;
use crate::findings::crawl_delays::crawl_delays;
use crate::findings::exceptions::{leave_out_exceptions, name_the_crawlers};
use crate::findings::preferences::preferences;

pub use crate::findings::opinions::opinions;

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
    leave_out_exceptions(&mut findings, &robots_txt);
    name_the_crawlers(&mut findings, &robots_txt);
    of_rules(&robots_txt, &mut findings);
    let code = |finding: &Diagnostic| finding.code();
    if findings
        .iter()
        .any(|finding| code(finding) == DiagnosticCode::NoRecord)
    {
        findings.retain(|finding| is_about_the_file(code(finding)));
    }
    (robots_txt, findings)
}

/// Reports the findings of [`RobotsTxt::lint`], and those that the table of known crawlers shows, in the order of the file.
///
/// A finding of the library that the table proves wrong is left out.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::lint::Diagnostic;
/// use polite_robots_audit::findings;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /cart\n\nUser-agent: AdsBot-Google\nDisallow: /x\n");
/// let mut found: Vec<Diagnostic> = Vec::new();
/// findings::of_rules(&robots_txt, &mut found);
/// // AdsBot-Google never reads the group for everyone, so it does not lose the rule for `/cart`.
/// assert!(found.is_empty());
/// ```
pub fn of_rules(robots_txt: &RobotsTxt, sink: &mut (impl Sink + ?Sized)) {
    if !sink.is_listening() {
        return;
    }
    let mut findings = Vec::new();
    robots_txt.lint(&mut findings);
    leave_out_exceptions(&mut findings, robots_txt);
    agent_names(robots_txt, &mut findings);
    let records: Vec<Extension<'_>> = robots_txt.extensions().collect();
    crawl_delays(&records, &mut findings);
    preferences(robots_txt, &records, &mut findings);
    findings.sort_by_key(|finding| (finding.line(), finding.span().start));
    for finding in findings {
        sink.report(finding);
    }
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
