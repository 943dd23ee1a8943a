//! The value of a `Clean-param` record: query parameters that do not change a page.

use core::fmt;

use crate::text::quote::write_escaped;

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
/// the file. [`RobotsTxt::clean_url`](crate::RobotsTxt::clean_url) removes the parameters from a
/// URL.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"Clean-param: s&ref /forum*/showthread.php");
/// let extension = robots_txt.extensions().next().unwrap();
/// let ExtensionValue::CleanParam(record) = extension.typed() else {
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
        let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
        let names_end = value.iter().position(is_blank).unwrap_or(value.len());
        let (names, path) = value.split_at_checked(names_end)?;
        let path_start = path.iter().position(|byte| !is_blank(byte));
        let path = path_start.and_then(|start| path.get(start..));
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
        write_escaped(f, self.names)?;
        if let Some(path) = self.path {
            f.write_str(" ")?;
            write_escaped(f, path)?;
        }
        Ok(())
    }
}

/// Yandex ignores what is longer.
const MAX_CHARACTERS: usize = 500;
