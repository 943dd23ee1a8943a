//! The paths of rules, as they are written.

use alloc::string::String;

use crate::build::error::Problem;
use crate::text::percent::encode;

/// Which paths a rule of a [`GroupBuilder`](crate::build::GroupBuilder) is about.
///
/// A `&str` is a pattern, as in [`PathPattern::new`]. Whatever the kind, the path is written as a URL has it: `#`, blanks
/// and bytes outside of ASCII are percent-encoded, which both dialects take for the same (a raw blank meets nothing in
/// Google's). All else stays as it is, escapes and a `%` without digits too. A control character is refused, and so is
/// a blank at an end, which may be there by mistake.
///
/// ```
/// use polite_robots::build::{GroupBuilder, PathPattern, RobotsTxtBuilder};
///
/// let group = GroupBuilder::new("*")?
///     .disallow("/*?session=")?
///     .disallow(PathPattern::prefix("/a*b $"))?
///     .allow(PathPattern::exact("/café"))?;
/// assert_eq!(
///     RobotsTxtBuilder::new().group(group).build(),
///     "User-agent: *\nDisallow: /*?session=\nDisallow: /a%2Ab%20$*\nAllow: /caf%C3%A9$\n",
/// );
/// # Ok::<(), polite_robots::build::InvalidRecord>(())
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
    /// A pattern of RFC 9309 §2.2.3: `*` stands for any bytes, a last `$` for the end of the path. It begins with `/`
    /// or `*`.
    #[must_use]
    pub const fn new(pattern: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: pattern,
            kind: Kind::Pattern,
        }
    }

    /// Every path that begins with `path`, in which `*` and `$` mean themselves. It begins with `/`.
    ///
    /// A `*` is written as `%2A`, as RFC 9309 §2.2.3 asks. Google's matcher has no way to say it: there `%2A` meets only
    /// a URL that is requested with `%2A`. Nor can it meet an escape in lower case, such as `%c3`. A last `$` gets a `*`
    /// behind it, which both dialects read as the character.
    #[must_use]
    pub const fn prefix(path: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: path,
            kind: Kind::Prefix,
        }
    }

    /// The one path `path` (with its query, if it has one), in which `*` and `$` mean themselves, as in
    /// [`PathPattern::prefix`].
    #[must_use]
    pub const fn exact(path: &'p str) -> PathPattern<'p> {
        PathPattern {
            text: path,
            kind: Kind::Exact,
        }
    }

    /// As it was given.
    pub(crate) fn text(&self) -> &'p str {
        self.text
    }

    /// As it is written.
    pub(crate) fn to_value(self) -> Result<String, Problem> {
        let text = self.text;
        match (text.bytes().next(), self.kind) {
            (None, _) => return Err(Problem::Empty),
            (Some(b'/'), _) | (Some(b'*'), Kind::Pattern) => {}
            (Some(_), Kind::Pattern) => return Err(Problem::PatternStart),
            (Some(_), Kind::Prefix | Kind::Exact) => return Err(Problem::PathStart),
        }
        if text.ends_with(is_blank) {
            return Err(Problem::BlankAtEdge);
        }
        let is_control = |character: &char| character.is_ascii_control() && !is_blank(*character);
        if let Some(control) = text.chars().find(is_control) {
            return Err(Problem::Control(control));
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

/// Appends a character as a URL is requested with it: blanks and what is not ASCII percent-encoded.
pub(crate) fn push_in_url(out: &mut String, character: char) {
    if character.is_ascii() && !is_blank(character) {
        out.push(character);
    } else {
        push_escaped(out, character);
    }
}

fn push_escaped(out: &mut String, character: char) {
    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
        out.extend(encode(byte).map(char::from));
    }
}

fn is_blank(character: char) -> bool {
    matches!(character, ' ' | '\t')
}
