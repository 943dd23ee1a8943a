//! The value of a `License` record: the URI of the license terms for the content.

use core::fmt;

use polite_robots::Robot;
use polite_robots::record::{ExtensionField, ExtensionLevel};
use polite_robots::text::split_scheme;

/// A `License` record: the URI of the license terms for the content (Really Simple Licensing 1.0
/// §4.4).
///
/// ```text
/// license = absolute-URI    ; RFC 3986 §4.3
/// ```
///
/// It never changes what may be fetched. The licenses in an agent's group replace those of the
/// whole file: see [`License::of`].
///
/// ```
/// use polite_robots::RobotsTxt;
/// use polite_robots_records::ExtensionValue;
///
/// let robots_txt = RobotsTxt::parse(b"License: https://example.com/a.xml\nLicense: /license.xml");
/// let mut values = robots_txt.extensions().map(|record| ExtensionValue::of(&record));
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
    /// The licenses for the agent of a robot, in the order of the file: those of its groups or, if
    /// they have none, those above every `User-agent` line (RSL 1.0 §4.4). Relative ones are left
    /// out.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_records::License;
    ///
    /// let robots_txt = RobotsTxt::parse(b"
    /// License: https://example.com/default.xml
    /// User-agent: ExampleBot
    /// License: https://example.com/examplebot.xml
    /// ");
    /// let [named, other] = [robots_txt.robot("ExampleBot")?, robots_txt.robot("OtherBot")?];
    /// assert_eq!(License::of(&named).next().unwrap().uri(), "https://example.com/examplebot.xml");
    /// assert_eq!(License::of(&other).next().unwrap().uri(), "https://example.com/default.xml");
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn of(robot: &'r Robot) -> impl Iterator<Item = License<'r>> {
        let at = move |level| {
            let records = robot.records().filter(move |record| {
                record.field() == ExtensionField::License && record.level() == level
            });
            records.filter_map(|record| License::new(record.value()))
        };
        let level = match at(ExtensionLevel::Group).next() {
            Some(_) => ExtensionLevel::Group,
            None => ExtensionLevel::File,
        };
        at(level)
    }

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
