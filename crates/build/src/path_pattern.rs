//! The path of a rule, written so that it reads back as the paths that were meant.

use alloc::string::String;
use core::fmt::Write as _;

use crate::error::{Problem, Refusal};

/// The paths that a rule of a [`GroupBuilder`](crate::GroupBuilder) matches: a pattern, all
/// paths with a given start, or one path.
///
/// A `&str` converts to a pattern, as [`PathPattern::new`] does. Every kind is written as it
/// appears in a URL: `#`, blanks and characters outside ASCII are percent-encoded, which both
/// dialects read alike (a raw blank matches nothing in Google's). Every other character is written
/// as it stands, escapes and a `%` without digits included. A control character is refused, and so
/// is a blank at the end, which may be a mistake.
///
/// ```
/// use polite_robots_build::{GroupBuilder, PathPattern, RobotsTxtBuilder};
///
/// let group = GroupBuilder::new("*")?
///     .disallow("/*?session=")?
///     .disallow(PathPattern::prefix("/a*b $"))?
///     .allow(PathPattern::exact("/café"))?;
/// assert_eq!(
///     RobotsTxtBuilder::new().group(group).build(),
///     "User-agent: *\nDisallow: /*?session=\nDisallow: /a%2Ab%20$*\nAllow: /caf%C3%A9$\n",
/// );
/// # Ok::<(), polite_robots_build::InvalidRecord>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PathPattern<'p> {
    text: &'p str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    Pattern,
    Prefix,
    Exact,
}

impl<'p> PathPattern<'p> {
    /// A pattern of RFC 9309 §2.2.3: `*` matches any bytes, a `$` at the end matches the end of the
    /// path. It must begin with `/` or `*`.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, PathPattern};
    ///
    /// let pdf_files = PathPattern::new("/*.pdf$");
    /// assert!(GroupBuilder::new("*")?.disallow(pdf_files).is_ok());
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub const fn new(pattern: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: pattern,
            kind: Kind::Pattern,
        }
    }

    /// Every path that begins with `path`, in which `*` and `$` are ordinary characters. It must
    /// begin with `/`.
    ///
    /// A `*` is written `%2A`, as RFC 9309 §2.2.3 asks. Google's matcher has no notation for a
    /// literal `*`: there `%2A` matches only a URL that is requested with `%2A`, and an escape in
    /// lower case, such as `%c3`, matches no URL. A `$` at the end is followed by a `*`; both
    /// dialects then read it as the character.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, PathPattern, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.disallow(PathPattern::prefix("/50$"))?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nDisallow: /50$*\n"
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub const fn prefix(path: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: path,
            kind: Kind::Prefix,
        }
    }

    /// The one path `path`, with its query if it has one. `*` and `$` are ordinary characters, as
    /// in [`PathPattern::prefix`].
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, PathPattern, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.allow(PathPattern::exact("/"))?;
    /// assert_eq!(RobotsTxtBuilder::new().group(group).build(), "User-agent: *\nAllow: /$\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub const fn exact(path: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: path,
            kind: Kind::Exact,
        }
    }

    /// The text as written into the file.
    pub(crate) fn to_value(self) -> Result<String, Refusal> {
        let text = self.text;
        if let Some(problem) = self.problem() {
            return Err(problem.with(text));
        }
        let mut value = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '*' if self.kind != Kind::Pattern => push_escaped(&mut value, character),
                '#' => push_escaped(&mut value, character),
                _ => push_in_url(&mut value, character),
            }
        }
        match self.kind {
            Kind::Prefix if text.ends_with('$') => value.push('*'),
            Kind::Exact => value.push('$'),
            Kind::Prefix | Kind::Pattern => {}
        }
        Ok(value)
    }

    fn problem(self) -> Option<Problem> {
        let is_control = |character: &char| character.is_ascii_control() && !is_blank(*character);
        match (self.text.bytes().next(), self.kind) {
            (None, _) => Some(Problem::Empty),
            (Some(b'/'), _) | (Some(b'*'), Kind::Pattern) if self.text.ends_with(is_blank) => {
                Some(Problem::BlankAtEdge)
            }
            (Some(b'/'), _) | (Some(b'*'), Kind::Pattern) => {
                self.text.chars().find(is_control).map(Problem::Control)
            }
            (Some(_), Kind::Pattern) => Some(Problem::PatternStart),
            (Some(_), Kind::Prefix | Kind::Exact) => Some(Problem::PathStart),
        }
    }
}

impl<'p> From<&'p str> for PathPattern<'p> {
    fn from(pattern: &'p str) -> PathPattern<'p> {
        PathPattern::new(pattern)
    }
}

impl<'p> From<&'p String> for PathPattern<'p> {
    fn from(pattern: &'p String) -> PathPattern<'p> {
        PathPattern::new(pattern)
    }
}

/// Appends a character as a URL is requested: blanks and characters outside ASCII are
/// percent-encoded.
pub(crate) fn push_in_url(out: &mut String, character: char) {
    if character.is_ascii() && !is_blank(character) {
        out.push(character);
    } else {
        push_escaped(out, character);
    }
}

fn push_escaped(out: &mut String, character: char) {
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        let _ = write!(out, "%{byte:02X}");
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}
