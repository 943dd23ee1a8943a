//! What is odd about a file, and where that is told.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::lint::code::{DiagnosticCode, Severity};

/// Something odd about a robots.txt, with its place.
///
/// It never stops the reading: whatever it speaks of, the rest of the file counts. What a line shows comes from
/// [`RobotsTxt::parse_with`](crate::RobotsTxt::parse_with), what the rules show together from
/// [`RobotsTxt::lint`](crate::RobotsTxt::lint).
///
/// ```
/// use polite_robots::{Options, RobotsTxt};
/// use polite_robots::lint::{Diagnostic, DiagnosticCode};
///
/// let mut found: Vec<Diagnostic> = Vec::new();
/// RobotsTxt::parse_with(b"User-agent: *\nDisalow: /x", &Options::rfc9309(), &mut found);
///
/// let odd = &found[0];
/// assert_eq!(odd.code(), DiagnosticCode::MisspelledField);
/// assert_eq!((odd.line(), odd.span()), (2, 14..21));
/// assert_eq!(odd.suggestion(), Some("Disallow"));
/// assert_eq!(odd.to_string(), "line 2: `Disalow` is read as `Disallow`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    code: DiagnosticCode,
    severity: Severity,
    line: u32,
    span: Range<usize>,
    message: Cow<'static, str>,
    suggestion: Option<Cow<'static, str>>,
}

impl Diagnostic {
    pub(crate) fn new(
        code: DiagnosticCode,
        line: u32,
        span: Range<usize>,
        message: impl Into<Cow<'static, str>>,
    ) -> Diagnostic {
        Diagnostic {
            code,
            severity: code.severity(),
            line,
            span,
            message: message.into(),
            suggestion: None,
        }
    }

    pub(crate) fn with_severity(self, severity: Severity) -> Diagnostic {
        Diagnostic { severity, ..self }
    }

    pub(crate) fn with_suggestion(self, suggestion: impl Into<Cow<'static, str>>) -> Diagnostic {
        Diagnostic {
            suggestion: Some(suggestion.into()),
            ..self
        }
    }

    /// What kind of oddity it is; stable across releases.
    #[must_use]
    pub fn code(&self) -> DiagnosticCode {
        self.code
    }

    /// How much it matters: as its [`DiagnosticCode`] says, or less.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The line it is on, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where it is in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes): bytes, from 0.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// One sentence without the line number, for a person who maintains the file.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What could stand in place of [`Diagnostic::span`] without changing what the file means to RFC 9309, where such a
    /// mend exists. Suggestions of one file do not overlap.
    #[must_use]
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

/// Where diagnostics go while a file is parsed: a `Vec` keeps them, a closure looks at each, and for `()` the parser
/// does not look for any.
///
/// ```
/// use polite_robots::{Options, RobotsTxt};
/// use polite_robots::lint::{Diagnostic, Severity};
///
/// let mut errors = 0;
/// let mut count_errors = |odd: Diagnostic| errors += u32::from(odd.severity() == Severity::Error);
/// let file = b"Disallow: /x\nUser-agent: *\nDisallow: x";
/// let _ = RobotsTxt::parse_with(file, &Options::rfc9309(), &mut count_errors);
/// assert_eq!(errors, 2);
/// ```
pub trait Sink {
    /// Takes one finding; they come in the order of the file.
    fn report(&mut self, diagnostic: Diagnostic);

    /// Whether findings are wanted at all. The parser does not look for any when this says no.
    fn is_listening(&self) -> bool {
        true
    }
}

impl Sink for () {
    fn report(&mut self, _: Diagnostic) {}

    fn is_listening(&self) -> bool {
        false
    }
}

impl Sink for Vec<Diagnostic> {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.push(diagnostic);
    }
}

impl<F: FnMut(Diagnostic)> Sink for F {
    fn report(&mut self, diagnostic: Diagnostic) {
        self(diagnostic);
    }
}
