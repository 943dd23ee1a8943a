//! The value of a `License` record: where the terms for the content are.

use core::fmt;

use crate::text::scheme::split_scheme;

/// A `License` record: the URI of the license terms for the content (Really Simple Licensing 1.0
/// §4.4).
///
/// ```text
/// license = absolute-URI    ; RFC 3986 §4.3
/// ```
///
/// It never changes what may be fetched. The licenses in an agent's group replace those of the
/// whole file: see [`Robot::licenses`](crate::Robot::licenses).
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"License: https://example.com/a.xml\nLicense: /license.xml");
/// let mut values = robots_txt.extensions().map(|record| record.typed());
/// let Some(ExtensionValue::License(license)) = values.next() else {
///     panic!("no license");
/// };
/// assert_eq!(license.uri(), "https://example.com/a.xml");
/// assert_eq!(values.next(), Some(ExtensionValue::Rejected(b"/license.xml")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct License<'r> {
    uri: &'r str,
}

impl<'r> License<'r> {
    /// `None` unless the value begins with a scheme, goes on after it, and holds no blank and no
    /// control character. Nothing else of the URI is checked.
    pub(crate) fn new(value: &'r [u8]) -> Option<License<'r>> {
        let uri = core::str::from_utf8(value).ok()?;
        let (_, after_scheme) = split_scheme(uri)?;
        let is_blank = |character: char| character.is_whitespace() || character.is_control();
        let is_absolute = !after_scheme.is_empty() && !uri.contains(is_blank);
        is_absolute.then_some(License { uri })
    }

    /// The absolute URI as written. It may hold characters outside ASCII, and name another host.
    pub fn uri(&self) -> &'r str {
        self.uri
    }
}

/// The URI as written.
impl fmt::Display for License<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.uri)
    }
}
