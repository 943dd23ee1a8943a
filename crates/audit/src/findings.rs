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
mod dropped_rules;
mod names;

use polite_robots::lint::{Diagnostic, DiagnosticCode, Sink};
use polite_robots::{Options, RobotsTxt};

use crate::findings::agent_names::agent_names;
use crate::findings::dropped_rules::is_about_crawlers_that_read_the_wildcard;

/// Parses a file and collects all findings, of the lines first and then of the rules.
#[must_use]
pub fn all(file: &[u8], options: &Options) -> (RobotsTxt, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let robots_txt = RobotsTxt::parse_with(file, options, &mut findings);
    of_rules(&robots_txt, &mut findings);
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
    findings.retain(|finding| is_about_crawlers_that_read_the_wildcard(finding, robots_txt));
    agent_names(robots_txt, &mut findings);
    findings.sort_by_key(|finding| (finding.line(), finding.span().start));
    for finding in findings {
        sink.report(finding);
    }
}

/// Whether the finding says that the file is no robots.txt, so that rewriting it would ruin it.
#[must_use]
pub fn is_no_robots_txt(code: DiagnosticCode) -> bool {
    matches!(code, DiagnosticCode::HtmlDocument | DiagnosticCode::Utf16)
}
