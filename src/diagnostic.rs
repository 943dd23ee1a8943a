use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

/// Something odd about a line of a robots.txt, with its place.
///
/// A diagnostic is never an error: whatever it speaks of, the rest of the file counts. Get them from
/// [`RobotsTxt::parse_with`](crate::RobotsTxt::parse_with).
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
            line,
            span,
            message: message.into(),
            suggestion: None,
        }
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

    /// How much it matters: that of its [`Code`].
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// The line it is on, from 1.
    #[must_use]
    pub fn line(&self) -> u32 {
        self.line
    }

    /// Where it is, in octets of the file.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// One sentence without the line number, for a person who maintains the file.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.message
    }

    /// What could stand in place of [`Diagnostic::span`] without changing what the file means, where that is safe.
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

/// The kinds of [`Diagnostic`].
///
/// ```
/// use polite_robots::{Code, Severity};
///
/// assert_eq!(Code::MissingColon.as_str(), "missing-colon");
/// assert!(Code::RuleBeforeGroup.severity() > Severity::Warning);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The file starts with a UTF-8 byte order mark, or with a part of one; it is skipped.
    ByteOrderMark,
    /// A NUL octet; the rest of its line is dropped, as Google does.
    NulOctet,
    /// A line of more than 16,663 octets; Google's matcher drops the rest of it.
    LineTooLong,
    /// A line that is neither blank, nor a comment, nor a record: no colon and not two words, or no field name.
    NotARecord,
    /// A record without a colon, read as two words.
    MissingColon,
    /// A field name that is only accepted as a misspelling, or because it begins like a known one.
    MisspelledField,
    /// A field name that nobody defined; the line has no effect.
    UnknownField,
    /// A `User-agent` line without a value; it names nobody.
    EmptyUserAgent,
    /// A `User-agent` value that is more, or something else, than a product token.
    InvalidProductToken,
    /// An `Allow` or `Disallow` line before the first `User-agent` line; it has no effect.
    RuleBeforeGroup,
    /// A path pattern that starts with neither `/` nor `*`; it cannot match.
    PathWithoutSlash,
    /// A `Crawl-delay` value that is not a number of seconds.
    InvalidCrawlDelay,
    /// A `Sitemap` value that is not UTF-8; it is handed out with U+FFFD in place of what is not.
    SitemapNotUtf8,
    /// The file was cut at [`Options::max_bytes`](crate::Options::max_bytes).
    Truncated,
}

impl Code {
    /// The stable name, for machines: lower case with hyphens, such as `missing-colon`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::ByteOrderMark => "byte-order-mark",
            Code::NulOctet => "nul-octet",
            Code::LineTooLong => "line-too-long",
            Code::NotARecord => "not-a-record",
            Code::MissingColon => "missing-colon",
            Code::MisspelledField => "misspelled-field",
            Code::UnknownField => "unknown-field",
            Code::EmptyUserAgent => "empty-user-agent",
            Code::InvalidProductToken => "invalid-product-token",
            Code::RuleBeforeGroup => "rule-before-group",
            Code::PathWithoutSlash => "path-without-slash",
            Code::InvalidCrawlDelay => "invalid-crawl-delay",
            Code::SitemapNotUtf8 => "sitemap-not-utf8",
            Code::Truncated => "truncated",
        }
    }

    /// How much a finding of this kind matters to the owner of the file.
    #[must_use]
    pub const fn severity(self) -> Severity {
        match self {
            Code::NulOctet
            | Code::NotARecord
            | Code::RuleBeforeGroup
            | Code::PathWithoutSlash
            | Code::Truncated => Severity::Error,
            Code::LineTooLong
            | Code::MissingColon
            | Code::MisspelledField
            | Code::EmptyUserAgent
            | Code::InvalidProductToken
            | Code::InvalidCrawlDelay
            | Code::SitemapNotUtf8 => Severity::Warning,
            Code::ByteOrderMark | Code::UnknownField => Severity::Note,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// How much a [`Diagnostic`] matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Works as meant; worth knowing.
    Note,
    /// Works, but other crawlers may read it otherwise.
    Warning,
    /// Very likely does not do what its author meant.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        })
    }
}

/// Where diagnostics go while a file is parsed: `()` drops them at no cost, a `Vec` keeps them, a closure
/// looks at each.
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
pub(crate) fn quote(octets: &[u8]) -> String {
    const LONGEST: usize = 60;

    let (shown, ellipsis) = match octets.get(..LONGEST) {
        Some(start) if octets.len() > LONGEST => (start, "…"),
        _ => (octets, ""),
    };
    let text = String::from_utf8_lossy(shown);
    alloc::format!("`{}{ellipsis}`", text.escape_debug())
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
