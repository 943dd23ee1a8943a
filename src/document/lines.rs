//! The lines of a file as written: number, span, kind, record and comment.

use core::fmt;
use core::ops::Range;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::content::Content;
use crate::parse::content_of;
use crate::parse::field::{Directive, ExtensionField, Spelling, directive};
use crate::parse::grammar::Separator;
use crate::parse::line::{PhysicalLine, PhysicalLines};
use crate::parse::part::Part;
use crate::parse::trim::value_of;
use crate::text::quote::escaped;

/// A line of a robots.txt: the text between two line ends (LF, CR or CRLF).
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::document::LineKind;
///
/// let robots_txt = RobotsTxt::parse(b"# for everyone\nUser-agent: *\nDisalow /x # typo");
/// let lines: Vec<_> = robots_txt.lines().collect();
/// assert_eq!(lines[0].kind(), LineKind::Blank);
/// assert_eq!(lines[0].comment(), Some(&b"# for everyone"[..]));
/// assert_eq!(lines[1].kind(), LineKind::UserAgent);
/// assert_eq!((lines[2].number(), lines[2].key()), (3, Some(&b"Disalow"[..])));
/// assert_eq!(lines[2].value(), Some(&b"/x"[..]));
/// assert_eq!(&robots_txt.as_bytes()[lines[2].span()], b"Disalow /x # typo");
/// // The same parts by their place in the file.
/// assert_eq!((lines[2].key_span(), lines[2].value_span()), (Some(29..36), Some(37..39)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'r> {
    line: PhysicalLine<'r>,
    /// The part of the line that the dialect reads.
    text: Part<'r>,
    content: Content<'r>,
}

impl<'r> Line<'r> {
    #[inline]
    fn new(line: PhysicalLine<'r>, dialect: Dialect) -> Line<'r> {
        let text = line.text(dialect);
        Line {
            line,
            text,
            content: content_of(text, dialect),
        }
    }

    /// The number of the line, counted from 1.
    pub fn number(&self) -> u32 {
        self.line.number
    }

    /// The bytes of the line in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes), without the
    /// line end and, for the first line, without a byte order mark.
    pub fn span(&self) -> Range<usize> {
        self.line.part.span()
    }

    /// The bytes of [`Line::span`].
    pub fn as_bytes(&self) -> &'r [u8] {
        self.line.part.bytes
    }

    /// The meaning of the line in the dialect of the file.
    pub fn kind(&self) -> LineKind {
        match self.content {
            Content::Blank => LineKind::Blank,
            Content::NotARecord => LineKind::NotARecord,
            Content::UnknownField(_) => LineKind::UnknownField,
            Content::Known(_, directive) => directive.into(),
        }
    }

    /// The field name as written, without white space around it; `None` if the line is not a
    /// record.
    pub fn key(&self) -> Option<&'r [u8]> {
        self.content.record().map(|record| record.field.bytes)
    }

    /// The place of [`Line::key`] in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn key_span(&self) -> Option<Range<usize>> {
        self.content.record().map(|record| record.field.span())
    }

    /// The value as written, without white space around it and without a comment; `None` if the
    /// line is not a record.
    pub fn value(&self) -> Option<&'r [u8]> {
        self.content
            .record()
            .map(|record| value_of(record.written.bytes))
    }

    /// The place of [`Line::value`] in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn value_span(&self) -> Option<Range<usize>> {
        let record = self.content.record()?;
        Some(record.written.value().span())
    }

    /// How closely the field name follows its specification; `None` if the field is unknown.
    pub fn spelling(&self) -> Option<Spelling> {
        match self.content {
            Content::Known(record, directive) => Some(Spelling::of(record.field.bytes, directive)),
            Content::Blank | Content::NotARecord | Content::UnknownField(_) => None,
        }
    }

    /// The separator between key and value; `None` if the line is not a record.
    pub fn separator(&self) -> Option<Separator> {
        self.content.record().map(|record| record.separator)
    }

    /// The place of [`Line::separator`] with the white space on both sides: from the end of the key
    /// to the start of the value.
    pub fn separator_span(&self) -> Option<Range<usize>> {
        Some(self.key_span()?.end..self.value_span()?.start)
    }

    /// The comment with its `#`, if there is one.
    pub fn comment(&self) -> Option<&'r [u8]> {
        let comment = self.unread_text().bytes;
        comment.starts_with(b"#").then_some(comment)
    }

    /// The place of [`Line::comment`] in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes).
    pub fn comment_span(&self) -> Option<Range<usize>> {
        self.comment().map(|_| self.unread_text().span())
    }

    /// The text from a `#` or a NUL on.
    fn unread_text(&self) -> Part<'r> {
        self.text.tail(self.text.without_comment().bytes.len())
    }

    /// The reason why the line is no record; `None` unless its kind is [`LineKind::NotARecord`].
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::document::Unread;
    ///
    /// let robots_txt = RobotsTxt::parse(b"<html>\nkeep out please\n: /private\nColour: red");
    /// let reasons: Vec<Option<Unread>> = robots_txt.lines().map(|line| line.unread()).collect();
    /// let expected = [Unread::NoSeparator, Unread::SeveralWords, Unread::NoKey].map(Some);
    /// assert_eq!(reasons[..3], expected);
    /// assert_eq!(reasons[3], None);
    /// ```
    pub fn unread(&self) -> Option<Unread> {
        let text = self.text.value().bytes;
        match self.content {
            Content::NotARecord if text.contains(&b':') => Some(Unread::NoKey),
            Content::NotARecord if text.iter().any(|byte| matches!(byte, b' ' | b'\t')) => {
                Some(Unread::SeveralWords)
            }
            Content::NotARecord => Some(Unread::NoSeparator),
            _ => None,
        }
    }

    /// Whether the line has more than the 16,663 bytes that Google's matcher reads. In the Google
    /// dialect the key, the value and the comment come from those bytes alone.
    pub fn is_too_long(&self) -> bool {
        self.line.is_too_long()
    }
}

/// The line with control characters escaped, safe for a terminal.
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.as_bytes()).fmt(f)
    }
}

/// The meaning of a [`Line`].
///
/// ```
/// use polite_robots::{Access, RobotsTxt};
/// use polite_robots::document::LineKind;
///
/// let robots_txt = RobotsTxt::parse(b"Disallow: /x\n\n<html>\nColour: red");
/// let kinds: Vec<LineKind> = robots_txt.lines().map(|line| line.kind()).collect();
/// let rule = LineKind::Rule(Access::Disallow);
/// assert_eq!(kinds, [rule, LineKind::Blank, LineKind::NotARecord, LineKind::UnknownField]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LineKind {
    /// Nothing, white space, or a comment alone.
    Blank,
    /// A `User-agent` record.
    UserAgent,
    /// An `Allow` or `Disallow` record, also one outside of every group.
    Rule(Access),
    /// A record outside of RFC 9309 that this crate knows.
    Extension(ExtensionField),
    /// A record with another field name; it has no effect.
    UnknownField,
    /// Text that cannot be read as a record; it has no effect.
    NotARecord,
}

impl LineKind {
    /// The kind of a record with this field name in a dialect. Google's matcher reads more names as
    /// fields than RFC 9309 does.
    ///
    /// ```
    /// use polite_robots::document::LineKind;
    /// use polite_robots::{Access, Dialect};
    ///
    /// let name = b"DisallowAITraining";
    /// assert_eq!(LineKind::of_field(name, Dialect::Rfc9309), LineKind::UnknownField);
    /// let rule = LineKind::Rule(Access::Disallow);
    /// assert_eq!(LineKind::of_field(name, Dialect::Google), rule);
    /// ```
    #[must_use]
    pub fn of_field(name: &[u8], dialect: Dialect) -> LineKind {
        directive(name, dialect).map_or(LineKind::UnknownField, LineKind::from)
    }
}

impl From<Directive> for LineKind {
    fn from(directive: Directive) -> LineKind {
        match directive {
            Directive::UserAgent => LineKind::UserAgent,
            Directive::Rule(access) => LineKind::Rule(access),
            Directive::Extension(field) => LineKind::Extension(field),
        }
    }
}

/// The reason why a [`Line`] is no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unread {
    /// One word, and nothing that separates a field name from a value.
    NoSeparator,
    /// Three words or more without a colon. Two would be a key and a value.
    SeveralWords,
    /// A colon with nothing before it.
    NoKey,
}

/// The lines of a file, in its order.
pub(crate) fn lines(file: &[u8], dialect: Dialect) -> impl Iterator<Item = Line<'_>> {
    PhysicalLines::new(file).map(move |line| Line::new(line, dialect))
}

/// The lines of [`LineKind::NotARecord`], in the order of the file. A question about one stops at
/// the first: a file of error messages is not read to its end.
pub(crate) fn unread_lines(file: &[u8], dialect: Dialect) -> impl Iterator<Item = Line<'_>> {
    let is_unread = move |line: &PhysicalLine<'_>| {
        matches!(content_of(line.text(dialect), dialect), Content::NotARecord)
    };
    let unread = PhysicalLines::new(file).filter(is_unread);
    unread.map(move |line| Line::new(line, dialect))
}
