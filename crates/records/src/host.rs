//! The value of a `Host` record: the preferred host name of a site.

use core::fmt;

use polite_robots::RobotsTxt;
use polite_robots::record::ExtensionField;
use polite_robots::text::{WebScheme, split_before_authority};

/// A `Host` record: the name that a site prefers among its mirrors (Yandex, which stopped reading
/// it in March 2018).
///
/// ```text
/// host = [ "http://" / "https://" ] name [ ":" port ] [ "/" ]
/// ```
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::Host;
///
/// let robots_txt = RobotsTxt::parse(b"User-agent: *\nHost: https://www.example.com:8443");
/// let host = Host::of(&robots_txt).unwrap();
/// assert_eq!((host.scheme(), host.name()), (Some("https"), "www.example.com"));
/// assert_eq!(host.port(), Some(8443));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host<'r> {
    scheme: Option<&'r str>,
    name: &'r str,
    port: Option<u16>,
}

impl<'r> Host<'r> {
    /// The preferred host name of a site: the first valid `Host` record of its file.
    #[must_use]
    pub fn of(robots_txt: &'r RobotsTxt) -> Option<Host<'r>> {
        let records = robots_txt.extensions();
        let mut records = records.filter(|record| record.field() == ExtensionField::Host);
        records.find_map(|record| Host::new(record.value()))
    }

    pub(crate) fn new(value: &'r [u8]) -> Option<Host<'r>> {
        let text = core::str::from_utf8(value).ok()?;
        let (scheme, rest) = match split_before_authority(text) {
            Some((scheme, rest)) => (Some(scheme), rest),
            None => (None, text),
        };
        let is_web = |scheme: &str| WebScheme::new(scheme.as_bytes()).is_some();
        let authority = rest.strip_suffix('/').unwrap_or(rest);
        let (name, port) = match authority.split_once(':') {
            // `parse` would accept `+80`.
            Some((_, port)) if port.starts_with('+') => return None,
            Some((name, port)) => (name, Some(port.parse().ok()?)),
            None => (authority, None),
        };
        let is_name_character = |character: char| {
            character.is_ascii_alphanumeric()
                || matches!(character, '.' | '-' | '_')
                || (!character.is_ascii() && !character.is_control())
        };
        let is_host =
            scheme.is_none_or(is_web) && !name.is_empty() && name.chars().all(is_name_character);
        is_host.then_some(Host { scheme, name, port })
    }

    /// The scheme, `http` or `https` in any case, as written; `None` if the record names none.
    pub fn scheme(&self) -> Option<&'r str> {
        self.scheme
    }

    /// The name of the host as written: in any case, and possibly not in ASCII.
    pub fn name(&self) -> &'r str {
        self.name
    }

    /// The port; `None` if the record names none.
    pub fn port(&self) -> Option<u16> {
        self.port
    }
}

/// The record's value, without a slash at its end.
impl fmt::Display for Host<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(scheme) = self.scheme {
            write!(f, "{scheme}://")?;
        }
        f.write_str(self.name)?;
        match self.port {
            Some(port) => write!(f, ":{port}"),
            None => Ok(()),
        }
    }
}
