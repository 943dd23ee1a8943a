//! The file line by line, as it is written.

use core::fmt;
use core::ops::Range;

use nom::Offset as _;

use crate::access::Access;
use crate::options::Dialect;
use crate::parse::field::{Directive, ExtensionField, Spelling, directive};
use crate::parse::line::{
    GOOGLE_LINE_BYTES, PhysicalLine, PhysicalLines, Separator, record, without_comment,
};
use crate::text::quote::write_escaped;

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
/// assert_eq!((lines[2].number(), lines[2].key(), lines[2].value()), (3, Some(&b"Disalow"[..]), Some(&b"/x"[..])));
/// assert_eq!(&robots_txt.as_bytes()[lines[2].span()], b"Disalow /x # typo");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<'r> {
    number: u32,
    start: usize,
    bytes: &'r [u8],
    kind: LineKind,
    /// The key, its spelling, what separates it, and the value.
    record: Option<(&'r [u8], Spelling, Separator, &'r [u8])>,
    comment: Option<&'r [u8]>,
}

impl<'r> Line<'r> {
    /// From 1.
    #[must_use]
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Where it lies in [`RobotsTxt::as_bytes`](crate::RobotsTxt::as_bytes), without its end and, if it is the first,
    /// without a byte order mark.
    #[must_use]
    pub fn span(&self) -> Range<usize> {
        self.start..self.start.saturating_add(self.bytes.len())
    }

    /// The bytes of [`Line::span`].
    #[must_use]
    pub fn as_bytes(&self) -> &'r [u8] {
        self.bytes
    }

    /// What the line is.
    #[must_use]
    pub fn kind(&self) -> LineKind {
        self.kind
    }

    /// The field name as written, without blanks around it; `None` if the line is no record.
    #[must_use]
    pub fn key(&self) -> Option<&'r [u8]> {
        self.record.map(|(key, ..)| key)
    }

    /// The value as written, without blanks around it and without a comment; `None` if the line is no record.
    #[must_use]
    pub fn value(&self) -> Option<&'r [u8]> {
        self.record.map(|(.., value)| value)
    }

    /// How the field name was recognised; `None` if it was not.
    #[must_use]
    pub fn spelling(&self) -> Option<Spelling> {
        match self.kind {
            LineKind::UserAgent | LineKind::Rule(_) | LineKind::Extension(_) => {
                self.record.map(|(_, spelling, ..)| spelling)
            }
            LineKind::Blank | LineKind::UnknownField | LineKind::NotARecord => None,
        }
    }

    /// What stands between key and value; `None` if the line is no record.
    #[must_use]
    pub fn separator(&self) -> Option<Separator> {
        self.record.map(|(_, _, separator, _)| separator)
    }

    /// The comment with its `#`, if there is one.
    #[must_use]
    pub fn comment(&self) -> Option<&'r [u8]> {
        self.comment
    }

    /// Whether it has more bytes than Google's matcher reads of a line, 16,663. In the Google dialect key, value and
    /// comment are what stands in those.
    #[must_use]
    pub fn is_too_long(&self) -> bool {
        self.bytes.len() > GOOGLE_LINE_BYTES
    }
}

/// The line, with what a terminal would obey escaped.
impl fmt::Display for Line<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_escaped(f, self.bytes)
    }
}

/// What a [`Line`] is.
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
    /// Nothing, or a comment alone.
    Blank,
    /// A `User-agent` record.
    UserAgent,
    /// An `Allow` or `Disallow` record, also one outside of every group.
    Rule(Access),
    /// A record outside of RFC 9309 that this crate knows.
    Extension(ExtensionField),
    /// A record with another field name; it has no effect.
    UnknownField,
    /// Something else; it has no effect.
    NotARecord,
}

pub(crate) fn lines(file: &[u8], dialect: Dialect) -> impl Iterator<Item = Line<'_>> {
    PhysicalLines::new(file).map(move |line| listed(file, &line, dialect))
}

fn listed<'r>(file: &[u8], line: &PhysicalLine<'r>, dialect: Dialect) -> Line<'r> {
    let read = line.read(dialect);
    let text = without_comment(read);
    let comment = read
        .get(text.len()..)
        .filter(|rest| rest.first() == Some(&b'#'));
    let record = record(read);
    let known = record.and_then(|record| directive(record.field, dialect));
    let kind = match (known, record) {
        (Some((Directive::UserAgent, _)), _) => LineKind::UserAgent,
        (Some((Directive::Rule(access), _)), _) => LineKind::Rule(access),
        (Some((Directive::Extension(field), _)), _) => LineKind::Extension(field),
        (None, Some(_)) => LineKind::UnknownField,
        (None, None) if text.trim_ascii().is_empty() => LineKind::Blank,
        (None, None) => LineKind::NotARecord,
    };
    let spelling = known.map_or(Spelling::Standard, |(_, spelling)| spelling);
    Line {
        number: line.number,
        start: file.offset(line.bytes),
        bytes: line.bytes,
        kind,
        record: record.map(|record| {
            let value = record.value.bytes();
            (record.field, spelling, record.separator, value)
        }),
        comment,
    }
}
