//! Writes the text of a robots.txt from groups and records.

use alloc::string::String;

use polite_robots::record::{ExtensionField, ExtensionLevel};

use crate::error::{InvalidRecord, Problem, Refusal};
use crate::group_builder::GroupBuilder;
use crate::value::{
    absolute_url, clean_param, host_and_port, plain, preferences, push_comment, push_record,
};

/// Writes a robots.txt from groups and records.
///
/// The file reads back as what was given, in both dialects: a value can neither begin a line, nor
/// end one early, nor be cut off. A value that the format cannot carry is an [`InvalidRecord`].
///
/// The builder decides the order. First come the comments and the records for everyone that would
/// belong to a group if they stood below one; then the groups in the order given; then the records
/// for everyone that may stand anywhere.
///
/// ```
/// use core::time::Duration;
/// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
///
/// let everyone = GroupBuilder::new("*")?
///     .disallow("/search")?
///     .allow("/search/about")?
///     .crawl_delay(Duration::from_millis(2500));
/// let archive = GroupBuilder::new("ExampleBot")?.comment("Our own archive.")?;
/// let robots_txt = RobotsTxtBuilder::new()
///     .sitemap("https://example.com/map.xml")?
///     .group(everyone)
///     .group(archive)
///     .build();
/// assert_eq!(robots_txt, "\
/// User-agent: *
/// Crawl-delay: 2.5
/// Disallow: /search
/// Allow: /search/about
///
/// ## Our own archive.
/// User-agent: ExampleBot
/// Disallow:
///
/// Sitemap: https://example.com/map.xml
/// ");
/// # Ok::<(), polite_robots_build::InvalidRecord>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsTxtBuilder {
    head: String,
    groups: String,
    tail: String,
}

impl RobotsTxtBuilder {
    /// An empty file, which allows everything.
    ///
    /// ```
    /// assert_eq!(polite_robots_build::RobotsTxtBuilder::new().build(), "");
    /// ```
    #[must_use]
    pub fn new() -> RobotsTxtBuilder {
        RobotsTxtBuilder::default()
    }

    /// Adds a comment at the top, one line for each line of `text`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a control character other than a tab or a line end, and for a line
    /// that is too long for Google's matcher.
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new()
    ///     .comment("Made from shop.toml.\nDo not edit.")?
    ///     .build();
    /// assert_eq!(robots_txt, "# Made from shop.toml.\n# Do not edit.\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn comment(mut self, text: &str) -> Result<Self, InvalidRecord> {
        push_comment(&mut self.head, text)?;
        Ok(self)
    }

    /// Adds a group below the groups that are there.
    ///
    /// All groups that name an agent count as one (RFC 9309 §2.2.1), so their order changes no
    /// answer.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let robots_txt = RobotsTxtBuilder::new()
    ///     .group(GroupBuilder::new("*")?.disallow("/cart")?)
    ///     .build();
    /// assert_eq!(robots_txt, "User-agent: *\nDisallow: /cart\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub fn group(mut self, group: GroupBuilder) -> RobotsTxtBuilder {
        if !self.groups.is_empty() {
            self.groups.push('\n');
        }
        group.write(&mut self.groups);
        self
    }

    /// Adds a `Sitemap` (sitemaps.org): an absolute http or https URL, on any host. Blanks and
    /// characters outside ASCII are percent-encoded.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for any other value, and for a URL with a fragment.
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new().sitemap("https://example.com/café.xml")?.build();
    /// assert_eq!(robots_txt, "Sitemap: https://example.com/caf%C3%A9.xml\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn sitemap(self, url: &str) -> Result<Self, InvalidRecord> {
        self.with_tail(ExtensionField::Sitemap, absolute_url(url))
    }

    /// Adds the preferred host (Yandex, until 2018), written `[https://]host[:port]`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for any other value, and for a host that is not ASCII.
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new().host("www.example.com")?.build();
    /// assert_eq!(robots_txt, "Host: www.example.com\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn host(self, host: &str) -> Result<Self, InvalidRecord> {
        self.with_tail(ExtensionField::Host, host_and_port(host))
    }

    /// Adds a `Clean-param` (Yandex): query parameters that do not change a page, on all paths or
    /// on the paths that begin with `path`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if there is no parameter, if a parameter is empty or holds a blank or one
    /// of `&=#?`, and if the path holds anything but letters, digits and `.-/*_`.
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new()
    ///     .clean_param(&["session", "ref"], Some("/shop/"))?
    ///     .build();
    /// assert_eq!(robots_txt, "Clean-param: session&ref /shop/\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn clean_param(
        self,
        parameters: &[&str],
        path: Option<&str>,
    ) -> Result<Self, InvalidRecord> {
        self.with_tail(ExtensionField::CleanParam, clean_param(parameters, path))
    }

    /// Adds a `Content-Signal` for everyone (contentsignals.org), above all groups.
    /// [`GroupBuilder::content_signal`] adds one for the agents of a group.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::content_signal`].
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new()
    ///     .content_signal(None, &[("ai-train", "no")])?
    ///     .build();
    /// assert_eq!(robots_txt, "Content-Signal: ai-train=no\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn content_signal(
        self,
        path: Option<&str>,
        signals: &[(&str, &str)],
    ) -> Result<Self, InvalidRecord> {
        let field = ExtensionField::ContentSignal;
        self.with_head(field, preferences(field, path, signals))
    }

    /// Adds a `License` for everyone (RSL 1.0 §4.4), above all groups: an absolute http or https
    /// URL. It does not apply to a group that has a `License` of its own.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::sitemap`].
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    ///
    /// let robots_txt = RobotsTxtBuilder::new()
    ///     .license("https://example.com/license.xml")?
    ///     .build();
    /// assert_eq!(robots_txt, "License: https://example.com/license.xml\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn license(self, url: &str) -> Result<Self, InvalidRecord> {
        self.with_head(ExtensionField::License, absolute_url(url))
    }

    /// Adds a record with the value as it stands, for fields and values that have no method of
    /// their own. The field decides where the record goes.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a field that applies to the agents above it, and for a value that
    /// would read back differently: empty, with a blank at either end, with `#` or a control
    /// character, or too long for Google's matcher.
    ///
    /// ```
    /// use polite_robots_build::RobotsTxtBuilder;
    /// use polite_robots::record::ExtensionField;
    ///
    /// let builder = RobotsTxtBuilder::new();
    /// assert!(builder.clone().extension(ExtensionField::Sitemap, "/relative.xml").is_ok());
    /// assert!(builder.clone().extension(ExtensionField::Sitemap, "/a\nDisallow: /").is_err());
    /// assert!(builder.extension(ExtensionField::CrawlDelay, "1").is_err());
    /// ```
    pub fn extension(self, field: ExtensionField, value: &str) -> Result<Self, InvalidRecord> {
        let plain = plain(value);
        let is_for_everyone = field.is_for_everyone_above_groups()
            || matches!(
                field,
                ExtensionField::Comment | ExtensionField::RobotVersion
            );
        match field.level() {
            ExtensionLevel::File => self.with_tail(field, plain),
            ExtensionLevel::Group if is_for_everyone => self.with_head(field, plain),
            ExtensionLevel::Group => {
                let refusal = Problem::GroupRecord(field).with(value);
                self.with_head(field, plain.and(Err::<&str, _>(refusal)))
            }
        }
    }

    /// The text of the file, ASCII but for comments and values that hold other characters.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let closed = GroupBuilder::new("*")?.disallow("/")?;
    /// assert_eq!(RobotsTxtBuilder::new().group(closed).build(), "User-agent: *\nDisallow: /\n");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub fn build(self) -> String {
        let mut file = self.head;
        for part in [self.groups, self.tail] {
            if !file.is_empty() && !part.is_empty() {
                file.push('\n');
            }
            file.push_str(&part);
        }
        file
    }

    /// Adds a record above the groups.
    fn with_head(
        mut self,
        field: ExtensionField,
        value: Result<impl AsRef<str>, Refusal>,
    ) -> Result<Self, InvalidRecord> {
        push_record(&mut self.head, field.as_str(), value)?;
        Ok(self)
    }

    /// Adds a record below the groups.
    fn with_tail(
        mut self,
        field: ExtensionField,
        value: Result<impl AsRef<str>, Refusal>,
    ) -> Result<Self, InvalidRecord> {
        push_record(&mut self.tail, field.as_str(), value)?;
        Ok(self)
    }
}
