//! Writes one group of a robots.txt: its agents, their records and their rules.

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::time::Duration;

use polite_robots::record::{ExtensionField, ExtensionLevel};
use polite_robots::{Access, ProductToken};

use crate::error::{InvalidRecord, Problem, Refusal};
use crate::path_pattern::PathPattern;
use crate::value::{
    absolute_url, crawl_delay, plain, preferences, push_comment, push_record, request_rate,
    visit_time,
};

/// Writes one group for a [`RobotsTxtBuilder`](crate::RobotsTxtBuilder): its agents, and the
/// rules and records that apply to them.
///
/// Records outside RFC 9309 are written directly below the agents, so that they apply to no other
/// agent. A group without rules gets an empty `Disallow`; without it, its agents would join the
/// next group (RFC 9309 §2.1).
///
/// ```
/// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
///
/// let mut group = GroupBuilder::new("ExampleBot")?.user_agent("ExampleBot-Image")?;
/// for folder in ["/tmp/", "/cgi bin/"] {
///     group = group.disallow(folder)?;
/// }
/// let robots_txt = RobotsTxtBuilder::new().group(group).build();
/// assert_eq!(
///     robots_txt,
///     "User-agent: ExampleBot\nUser-agent: ExampleBot-Image\n\
///      Disallow: /tmp/\nDisallow: /cgi%20bin/\n",
/// );
/// # Ok::<(), polite_robots_build::InvalidRecord>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GroupBuilder {
    first_agent: String,
    comments: String,
    agents: String,
    records: String,
    rules: String,
}

impl GroupBuilder {
    /// A group for one agent: a product token, or `*` for every agent that no group names.
    ///
    /// Google and others cut a token at the first digit or dot: they read `MJ12bot` as `MJ`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for any other value; its message names the token that was probably meant.
    ///
    /// ```
    /// use polite_robots_build::GroupBuilder;
    ///
    /// assert!(GroupBuilder::new("ExampleBot").is_ok() && GroupBuilder::new("*").is_ok());
    /// assert!(GroupBuilder::new("ExampleBot/2.1").is_err());
    /// ```
    pub fn new(agent: &str) -> Result<Self, InvalidRecord> {
        let mut agents = String::new();
        push_agent(&mut agents, agent)?;
        Ok(GroupBuilder {
            first_agent: agent.to_owned(),
            comments: String::new(),
            agents,
            records: String::new(),
            rules: String::new(),
        })
    }

    /// Adds another agent.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::new`].
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("PlumBot")?.user_agent("PearBot")?.disallow("/tmp/")?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: PlumBot\nUser-agent: PearBot\nDisallow: /tmp/\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn user_agent(self, agent: &str) -> Result<Self, InvalidRecord> {
        self.with(|group| push_agent(&mut group.agents, agent))
    }

    /// Adds a comment above the group, one line for each line of `text`.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::comment`](crate::RobotsTxtBuilder::comment).
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("ExampleBot")?.comment("Our own archive.")?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "# Our own archive.\nUser-agent: ExampleBot\nDisallow:\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn comment(self, text: &str) -> Result<Self, InvalidRecord> {
        self.with(|group| push_comment(&mut group.comments, text))
    }

    /// Adds an `Allow` rule.
    ///
    /// Google's matcher also applies an `Allow` of `…/index.htm…` to the bare directory.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a path that is empty, does not begin as its [`PathPattern`] must, ends
    /// in a blank, holds a control character, or is too long for Google's matcher.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.disallow("/search")?.allow("/search/about")?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nDisallow: /search\nAllow: /search/about\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn allow<'p>(self, path: impl Into<PathPattern<'p>>) -> Result<Self, InvalidRecord> {
        self.rule(Access::Allow, path.into())
    }

    /// Adds a `Disallow` rule.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::allow`].
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, PathPattern, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?
    ///     .disallow("/*?sort=")?
    ///     .disallow(PathPattern::exact("/cart"))?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nDisallow: /*?sort=\nDisallow: /cart$\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn disallow<'p>(self, path: impl Into<PathPattern<'p>>) -> Result<Self, InvalidRecord> {
        self.rule(Access::Disallow, path.into())
    }

    fn rule(self, access: Access, path: PathPattern<'_>) -> Result<Self, InvalidRecord> {
        self.with(|group| push_record(&mut group.rules, access.as_str(), path.to_value()))
    }

    /// Adds a `Crawl-delay` in seconds, exact to the nanosecond. If a group has several, the
    /// largest counts for [`Robot::crawl_delay`](polite_robots::Robot::crawl_delay).
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.crawl_delay(Duration::from_millis(1500));
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nCrawl-delay: 1.5\nDisallow:\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    #[must_use]
    pub fn crawl_delay(mut self, delay: Duration) -> GroupBuilder {
        // A duration has 30 digits at most, so the line is never too long.
        let field = ExtensionField::CrawlDelay.as_str();
        let _ = push_record(&mut self.records, field, Ok(crawl_delay(delay)));
        self
    }

    /// Adds a `Request-rate` (robots.txt 2.0, a draft of 1996): a number of documents in a number
    /// of whole seconds.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if either is zero, or if `per` is not a whole number of seconds.
    ///
    /// ```
    /// use core::time::Duration;
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.request_rate(1, Duration::from_secs(10))?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nRequest-rate: 1/10\nDisallow:\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn request_rate(self, documents: u32, per: Duration) -> Result<Self, InvalidRecord> {
        self.record(ExtensionField::RequestRate, request_rate(documents, per))
    }

    /// Adds a `Visit-time` (robots.txt 2.0, a draft of 1996): the time of day for visits, as hours
    /// and minutes in UTC. It spans midnight if `to` is the earlier time.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a pair that is not a time of day.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?.visit_time((22, 0), (6, 30))?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: *\nVisit-time: 2200-0630\nDisallow:\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn visit_time(self, from: (u8, u8), to: (u8, u8)) -> Result<Self, InvalidRecord> {
        self.record(ExtensionField::VisitTime, visit_time(from, to))
    }

    /// Adds a `Content-Signal` (contentsignals.org): keys and values such as `("ai-train", "no")`,
    /// for all paths or for the paths that match the pattern `path`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if there is no signal; for a key or value that does not begin with a
    /// letter or holds anything but letters, digits, `_`, `-` and `.`; and for a path that does not
    /// begin with `/` or that [`GroupBuilder::allow`] would refuse.
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("*")?
    ///     .content_signal(None, &[("search", "yes"), ("ai-train", "no")])?
    ///     .content_usage(Some("/photos/"), &[("train-ai", "n")])?;
    /// assert_eq!(RobotsTxtBuilder::new().group(group).build(), "\
    /// User-agent: *
    /// Content-Signal: search=yes, ai-train=no
    /// Content-Usage: /photos/ train-ai=n
    /// Disallow:
    /// ");
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn content_signal(
        self,
        path: Option<&str>,
        signals: &[(&str, &str)],
    ) -> Result<Self, InvalidRecord> {
        let field = ExtensionField::ContentSignal;
        self.record(field, preferences(field, path, signals))
    }

    /// Adds a `Content-Usage` (draft-ietf-aipref-attach), like a `Content-Signal` but with keys in
    /// lower case.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::content_signal`], and for a key in upper case.
    ///
    /// ```
    /// use polite_robots_build::GroupBuilder;
    ///
    /// assert!(GroupBuilder::new("*")?.content_usage(None, &[("train-ai", "n")]).is_ok());
    /// assert!(GroupBuilder::new("*")?.content_usage(None, &[("Train-AI", "n")]).is_err());
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn content_usage(
        self,
        path: Option<&str>,
        usage: &[(&str, &str)],
    ) -> Result<Self, InvalidRecord> {
        let field = ExtensionField::ContentUsage;
        self.record(field, preferences(field, path, usage))
    }

    /// Adds a `License` (RSL 1.0): an absolute http or https URL. It replaces the licenses for
    /// everyone in this group.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::sitemap`](crate::RobotsTxtBuilder::sitemap).
    ///
    /// ```
    /// use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
    ///
    /// let group = GroupBuilder::new("PlumBot")?.license("https://example.com/license.xml")?;
    /// assert_eq!(
    ///     RobotsTxtBuilder::new().group(group).build(),
    ///     "User-agent: PlumBot\nLicense: https://example.com/license.xml\nDisallow:\n",
    /// );
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn license(self, url: &str) -> Result<Self, InvalidRecord> {
        self.record(ExtensionField::License, absolute_url(url))
    }

    /// Adds a record with the value as it stands, for fields and values that have no method of
    /// their own.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::extension`](crate::RobotsTxtBuilder::extension), but it
    /// refuses a field that applies to everyone.
    ///
    /// ```
    /// use polite_robots_build::GroupBuilder;
    /// use polite_robots::record::ExtensionField;
    ///
    /// let group = GroupBuilder::new("*")?.extension(ExtensionField::CrawlDelay, "10s")?;
    /// assert!(group.extension(ExtensionField::Sitemap, "https://example.com/map.xml").is_err());
    /// # Ok::<(), polite_robots_build::InvalidRecord>(())
    /// ```
    pub fn extension(self, field: ExtensionField, value: &str) -> Result<Self, InvalidRecord> {
        let value = match field.level() {
            ExtensionLevel::Group => plain(value),
            ExtensionLevel::File => Err(Problem::FileRecord(field).with(value)),
        };
        self.record(field, value)
    }

    fn record(
        self,
        field: ExtensionField,
        value: Result<impl AsRef<str>, Refusal>,
    ) -> Result<Self, InvalidRecord> {
        self.with(|group| push_record(&mut group.records, field.as_str(), value))
    }

    fn with(
        mut self,
        push: impl FnOnce(&mut GroupBuilder) -> Result<(), InvalidRecord>,
    ) -> Result<Self, InvalidRecord> {
        match push(&mut self) {
            Ok(()) => Ok(self),
            Err(error) => Err(error.in_group_of(&self.first_agent)),
        }
    }

    /// Appends the text of the group.
    pub(crate) fn write(&self, out: &mut String) {
        for part in [&self.comments, &self.agents, &self.records, &self.rules] {
            out.push_str(part);
        }
        if self.rules.is_empty() {
            out.push_str(Access::Disallow.as_str());
            out.push_str(":\n");
        }
    }
}

fn push_agent(out: &mut String, agent: &str) -> Result<(), InvalidRecord> {
    let value = match ProductToken::new(agent) {
        Err(error) if agent != "*" => Err(Problem::Token(error).with(agent)),
        _ => Ok(agent),
    };
    push_record(out, "User-agent", value)
}
