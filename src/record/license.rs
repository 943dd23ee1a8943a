use core::fmt;

/// A `License` record (Really Simple Licensing 1.0 §4.4): where the licence terms of the content are.
///
/// ```text
/// license = absolute-URI
/// ```
///
/// It never changes what may be fetched. The licences of an agent's group replace those of the file, see
/// [`Robot::licenses`](crate::Robot::licenses).
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots::record::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"License: https://example.com/license.xml\nLicense: /license.xml");
/// let mut records = robots_txt.extensions().map(|record| record.typed());
/// assert!(matches!(records.next(), Some(ExtensionValue::License(license)) if license.uri() == "https://example.com/license.xml"));
/// assert_eq!(records.next(), Some(ExtensionValue::Rejected(b"/license.xml")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct License<'r> {
    uri: &'r str,
}

impl<'r> License<'r> {
    /// `None` unless a scheme and a colon begin the value (RFC 3986 §4.3) and no blank or control character is in it.
    pub(crate) fn new(value: &'r [u8]) -> Option<License<'r>> {
        let uri = core::str::from_utf8(value).ok()?;
        let behind_scheme = behind_scheme(uri)?;
        let is_blank = |character: char| character.is_whitespace() || character.is_control();
        let is_absolute = !behind_scheme.is_empty() && !uri.contains(is_blank);
        is_absolute.then_some(License { uri })
    }

    /// The absolute URI as written; it need not be percent-encoded, nor of the same host.
    #[must_use]
    pub fn uri(&self) -> &'r str {
        self.uri
    }
}

impl fmt::Display for License<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.uri)
    }
}

/// What follows `scheme ":"`, where `scheme = ALPHA *( ALPHA / DIGIT / "+" / "-" / "." )` (RFC 3986 §3.1).
pub(crate) fn behind_scheme(reference: &str) -> Option<&str> {
    let (scheme, rest) = reference.split_once(':')?;
    let is_scheme = scheme.starts_with(|first: char| first.is_ascii_alphabetic())
        && scheme
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme.then_some(rest)
}
