use core::fmt;

use crate::text::quote::write_escaped;

/// A `Clean-param` record (Yandex): query parameters that do not change a page.
///
/// ```text
/// clean-param = name *( "&" name ) [ 1*WS path ]
/// path        = ( "/" / "*" ) *( ALPHA / DIGIT / "." / "-" / "/" / "*" / "_" )
/// ```
///
/// At most 500 characters, as Yandex says; a longer record, and one with another path, is rejected. The path is a
/// prefix: it ends in a `*` that is not written. Without one the record is about every page. It speaks to everyone,
/// wherever in the file it stands. [`RobotsTxt::clean_url`](crate::RobotsTxt::clean_url) applies it.
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"Clean-param: s&ref /forum*/showthread.php");
/// let Some(ExtensionValue::CleanParam(record)) = robots_txt.extensions().next().map(|record| record.typed()) else {
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
        // Bytes that continue a character of UTF-8 do not begin one.
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
        let is_valid = characters <= MOST_CHARACTERS
            && record.names().next().is_some()
            && path.is_none_or(is_path);
        is_valid.then_some(record)
    }

    /// The names of the parameters, at least one, as written.
    pub fn names(&self) -> impl Iterator<Item = &'r [u8]> + use<'r> {
        let names = self.names.split(|byte| *byte == b'&');
        names.filter(|name| !name.is_empty())
    }

    /// The path prefix, in which `*` stands for any bytes, as written; `None` if the record is about every page.
    #[must_use]
    pub fn path(&self) -> Option<&'r [u8]> {
        self.path
    }
}

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

const MOST_CHARACTERS: usize = 500;
