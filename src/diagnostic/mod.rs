//! What is odd about a file, and where that is told.

pub(crate) mod code;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use crate::diagnostic::code::{Code, Severity};

/// Something odd about a robots.txt, with its place.
///
/// It never stops the reading: whatever it speaks of, the rest of the file counts. What a line shows comes from
/// [`RobotsTxt::parse_with`](crate::RobotsTxt::parse_with), what the rules show together from
/// [`RobotsTxt::lint`](crate::RobotsTxt::lint).
///
/// ```
/// use polite_robots::{Code, Diagnostic, Options, RobotsTxt};
///
/// let mut found: Vec<Diagnostic> = Vec::new();
/// RobotsTxt::parse_with(b"User-agent: *\nDisalow: /x", &Options::rfc9309(), &mut found);
///
/// let odd = &found[0];
/// assert_eq!(odd.code(), Code::MisspelledField);
/// assert_eq!((odd.line(), odd.span()), (2, 14..21));
/// assert_eq!(odd.suggestion(), Some("Disallow"));
/// assert_eq!(odd.to_string(), "line 2: `Disalow` is read as `Disallow`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Diagnostic {
    code: Code,
    severity: Severity,
    line: u32,
    span: Range<usize>,
    message: Cow<'static, str>,
    suggestion: Option<Cow<'static, str>>,
}

impl Diagnostic {
    pub(crate) fn new(
        code: Code,
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
    pub fn code(&self) -> Code {
        self.code
    }

    /// How much it matters: as its [`Code`] says, or less.
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// The line it is on, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where it is in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes): octets, from 0.
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
/// use polite_robots::{Diagnostic, Options, RobotsTxt, Severity};
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

/// Octets of a file as a short quotation in a message.
pub(crate) fn quote(octets: &[u8]) -> Quote<'_> {
    Quote { octets }
}

#[derive(Debug)]
pub(crate) struct Quote<'a> {
    octets: &'a [u8],
}

impl fmt::Display for Quote<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;

        let (shown, ellipsis) = match self.octets.get(..LONGEST) {
            Some(start) if self.octets.len() > LONGEST => (start, "…"),
            _ => (self.octets, ""),
        };
        let is_plain =
            |octet: &u8| matches!(octet, b' '..=b'~') && !matches!(octet, b'"' | b'\'' | b'\\');
        f.write_str("`")?;
        // Escaping takes a hundred times as long, and hardly any quotation needs it.
        match core::str::from_utf8(shown) {
            Ok(text) if shown.iter().all(is_plain) => f.write_str(text)?,
            _ => write!(f, "{}", String::from_utf8_lossy(shown).escape_debug())?,
        }
        f.write_str(ellipsis)?;
        f.write_str("`")
    }
}

/// Octets of a file on a terminal, which must not obey them: control characters are escaped.
pub(crate) fn write_escaped(f: &mut fmt::Formatter<'_>, octets: &[u8]) -> fmt::Result {
    for character in String::from_utf8_lossy(octets).chars() {
        if character.is_control() {
            write!(f, "{}", character.escape_default())?;
        } else {
            write!(f, "{character}")?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use alloc::format;
    use alloc::string::ToString as _;

    use super::*;

    #[test]
    fn a_quotation_has_sixty_octets_at_most_and_escapes_what_could_mislead() {
        let quoted = |text: &str| quote(text.as_bytes()).to_string();
        let sixty = "a".repeat(60);
        assert_eq!(quoted(&sixty), format!("`{sixty}`"));
        assert_eq!(quoted(&format!("{sixty}a")), format!("`{sixty}…`"));
        assert_eq!(quoted("/a b~"), "`/a b~`");
        assert_eq!(quoted("\"'\\"), r#"`\"\'\\`"#);
        assert_eq!(quoted("é\u{7f}\n"), "`é\\u{7f}\\n`");
        assert_eq!(quote(b"a\xFF").to_string(), "`a\u{fffd}`");
    }
}
