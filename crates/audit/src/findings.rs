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
#[must_use]
pub fn all(file: &[u8], options: &Options) -> (RobotsTxt, Vec<Diagnostic>) {
    let mut findings = Vec::new();
    let robots_txt = RobotsTxt::parse_with(file, options, &mut findings);
    robots_txt.lint(&mut findings);
    (robots_txt, findings)
}

/// Whether the finding says that the file is no robots.txt, so that rewriting it would ruin it.
#[must_use]
pub fn is_no_robots_txt(code: DiagnosticCode) -> bool {
    matches!(code, DiagnosticCode::HtmlDocument | DiagnosticCode::Utf16)
}
