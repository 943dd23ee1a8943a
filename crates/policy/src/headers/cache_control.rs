//! The directives of `Cache-Control` that bound a lifetime (RFC 9111 §5.2).

use core::time::Duration;

use crate::retry_after::delta_seconds;

/// The directives of all `Cache-Control` fields of a response that bound the lifetime.
///
/// RFC 9110 §5.3 makes several fields one list. Each field is read by itself, so that a quote which
/// is left open in one does not swallow the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct CacheControl {
    storing: Storing,
    /// The first `max-age`, as RFC 9111 §4.2.1 permits.
    max_age: Option<u64>,
}

/// Whether an answer may be used again without asking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Storing {
    #[default]
    Permitted,
    /// `no-store` or `no-cache`.
    Forbidden,
}

impl CacheControl {
    /// Takes the list of one more field.
    pub(crate) fn add(&mut self, value: &str) {
        for directive in directives(value) {
            let (name, argument) = match directive.split_once('=') {
                Some((name, argument)) => (
                    name.trim_matches(BLANKS),
                    Some(argument.trim_matches(BLANKS)),
                ),
                None => (directive, None),
            };
            let is = |known: &str| name.eq_ignore_ascii_case(known);
            if (is("no-store") || is("no-cache")) && argument.is_none() {
                self.storing = Storing::Forbidden;
            }
            if is("max-age") && self.max_age.is_none() {
                let seconds = argument.map_or("", unquoted);
                self.max_age = Some(delta_seconds(seconds).unwrap_or(0));
            }
        }
    }

    /// The directives of this list and then those of another.
    pub(crate) fn followed_by(self, other: CacheControl) -> CacheControl {
        CacheControl {
            storing: match self.storing {
                Storing::Permitted => other.storing,
                Storing::Forbidden => Storing::Forbidden,
            },
            max_age: self.max_age.or(other.max_age),
        }
    }

    /// The lifetime; `None` if no directive gives one.
    pub(crate) fn lifetime(self) -> Option<Duration> {
        match self.storing {
            Storing::Forbidden => Some(Duration::ZERO),
            Storing::Permitted => self.max_age.map(Duration::from_secs),
        }
    }
}

/// The members of a list; commas in quoted strings do not divide it.
///
/// ```text
/// Cache-Control   = #cache-directive
/// cache-directive = token [ "=" ( token / quoted-string ) ]
/// ```
fn directives(value: &str) -> impl Iterator<Item = &str> {
    let mut quoted = Quoted::No;
    value
        .split(move |character| {
            quoted = match (quoted, character) {
                (Quoted::No, '"') | (Quoted::Escape, _) => Quoted::Yes,
                (Quoted::Yes, '"') => Quoted::No,
                (Quoted::Yes, '\\') => Quoted::Escape,
                (Quoted::Yes | Quoted::No, _) => quoted,
            };
            character == ',' && quoted == Quoted::No
        })
        .map(|directive| directive.trim_matches(BLANKS))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quoted {
    No,
    Yes,
    Escape,
}

/// `max-age="60"` is not valid, but §5.2 asks to take it.
fn unquoted(argument: &str) -> &str {
    argument
        .strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(argument)
}

const BLANKS: [char; 2] = [' ', '\t'];
