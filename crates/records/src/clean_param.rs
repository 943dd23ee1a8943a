//! The value of a `Clean-param` record: query parameters that do not change a page.

use core::fmt;

use polite_robots::text::escaped;

use crate::number::{split_at_blank, trim_start_blanks};

/// A `Clean-param` record: the names of query parameters that do not change a page (Yandex).
///
/// ```text
/// clean-param = name *( "&" name ) [ 1*WS path ]
/// path        = ( "/" / "*" ) *( ALPHA / DIGIT / "." / "-" / "/" / "*" / "_" )
/// ```
///
/// A record has at most 500 characters, as Yandex says; a longer one is rejected, and so is one
/// whose path has other characters. The path is a prefix: it matches as if a `*` followed it. A
/// record without a path applies to every page. It applies to every agent, wherever it stands in
/// the file. [`CleanParams`](crate::CleanParams) removes the parameters from a URL.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"Clean-param: s&ref /forum*/showthread.php");
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::CleanParam(record) = ExtensionValue::of(&extension) else {
///     panic!("no record");
/// };
/// assert_eq!(record.names().collect::<Vec<_>>(), [b"s" as &[u8], b"ref"]);
/// assert_eq!(record.path(), Some(&b"/forum*/showthread.php"[..]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct CleanParam<'r> {
    names: &'r [u8],
    path: Option<&'r [u8]>,
}

impl<'r> CleanParam<'r> {
    pub(crate) fn new(value: &'r [u8]) -> Option<CleanParam<'r>> {
        // Counts characters, not bytes: `10xxxxxx` continues a character of UTF-8.
        let characters = value.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        let (names, path) = split_at_blank(value);
        let path = Some(trim_start_blanks(path)).filter(|path| !path.is_empty());
        let is_path = |path: &[u8]| {
            matches!(path, [b'/' | b'*', ..])
                && path
                    .iter()
                    .all(|byte| byte.is_ascii_alphanumeric() || b".-/*_".contains(byte))
        };
        let record = CleanParam { names, path };
        let is_valid = characters <= MAX_CHARACTERS
            && record.names().next().is_some()
            && path.is_none_or(is_path);
        is_valid.then_some(record)
    }

    /// The names of the parameters as written; at least one.
    pub fn names(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        let names = self.names.split(|byte| *byte == b'&');
        names.filter(|name| !name.is_empty())
    }

    /// The path prefix as written, in which `*` stands for any bytes; `None` if the record applies
    /// to every page.
    pub fn path(&self) -> Option<&'r [u8]> {
        self.path
    }
}

/// The record's value, with control characters escaped.
impl fmt::Display for CleanParam<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        escaped(self.names).fmt(f)?;
        match self.path {
            Some(path) => write!(f, " {}", escaped(path)),
            None => Ok(()),
        }
    }
}

/// Yandex ignores a longer record.
const MAX_CHARACTERS: usize = 500;
