//! Writing a robots.txt: from typed parts, or a file that was read in canonical form.

pub(crate) mod canonical;
pub(crate) mod error;
pub(crate) mod path;
pub(crate) mod value;

pub use crate::build::canonical::CommentPolicy;
pub use crate::build::error::InvalidRecord;
pub use crate::build::path::PathPattern;

use alloc::borrow::ToOwned as _;
use alloc::string::String;
use core::time::Duration;

use crate::access::Access;
use crate::agent::ProductToken;
use crate::build::error::Problem;
use crate::build::value::{
    absolute_url, clean_param, crawl_delay, host_and_port, plain, preferences, push_comment,
    push_record, request_rate, visit_time,
};
use crate::parse::field::{Directive, ExtensionField, ExtensionLevel};
use crate::token::WILDCARD;

/// Writes a robots.txt from groups and records.
///
/// What it writes reads back as what was given, in both dialects: no value can begin a line, end one early or be cut. A
/// value that the format cannot carry is an [`InvalidRecord`].
///
/// The order is the builder's: comments and records for everyone that a group above would take for its own, then the
/// groups as they were given, then the records that speak to everyone wherever they stand.
///
/// ```
/// use core::time::Duration;
/// use polite_robots::build::{GroupBuilder, RobotsTxtBuilder};
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
/// # Ok::<(), polite_robots::build::InvalidRecord>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RobotsTxtBuilder {
    head: String,
    groups: String,
    tail: String,
}

impl RobotsTxtBuilder {
    /// An empty file, which allows everything.
    #[must_use]
    pub fn new() -> RobotsTxtBuilder {
        RobotsTxtBuilder::default()
    }

    /// Adds a comment at the top, a line for each line of `text`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a control character other than a tab or a line end, and for a line that is too long for
    /// Google's matcher.
    pub fn comment(mut self, text: &str) -> Result<RobotsTxtBuilder, InvalidRecord> {
        push_comment(&mut self.head, text)?;
        Ok(self)
    }

    /// Adds a group, below those that are there.
    ///
    /// Groups with an agent in common count as one (RFC 9309 §2.2.1), so their order changes no answer.
    #[must_use]
    pub fn group(mut self, group: GroupBuilder) -> RobotsTxtBuilder {
        if !self.groups.is_empty() {
            self.groups.push('\n');
        }
        group.write(&mut self.groups);
        self
    }

    /// Adds a `Sitemap` (sitemaps.org): an absolute http or https URL on any host. Blanks and what is not ASCII are
    /// percent-encoded.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for anything else, and for a URL with a fragment.
    pub fn sitemap(self, url: &str) -> Result<RobotsTxtBuilder, InvalidRecord> {
        let field = ExtensionField::Sitemap;
        self.with_tail(field, &absolute_url(field, url)?)
    }

    /// Adds the preferred host (Yandex, until 2018): `[https://]host[:port]`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for anything else, and for a host that is not ASCII.
    pub fn host(self, host: &str) -> Result<RobotsTxtBuilder, InvalidRecord> {
        self.with_tail(ExtensionField::Host, host_and_port(host)?)
    }

    /// Adds a `Clean-param` (Yandex): query parameters that do not change a page, on all paths or on those that begin
    /// with `path`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if there is no parameter, if one is empty or holds a blank or one of `&=#?`, and if the path
    /// holds something else than letters, digits and `.-/*_`.
    pub fn clean_param(
        self,
        parameters: &[&str],
        path: Option<&str>,
    ) -> Result<RobotsTxtBuilder, InvalidRecord> {
        self.with_tail(ExtensionField::CleanParam, &clean_param(parameters, path)?)
    }

    /// Adds a `Content-Signal` for everyone (contentsignals.org), above all groups. See
    /// [`GroupBuilder::content_signal`].
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::content_signal`].
    pub fn content_signal(
        self,
        path: Option<&str>,
        signals: &[(&str, &str)],
    ) -> Result<RobotsTxtBuilder, InvalidRecord> {
        let field = ExtensionField::ContentSignal;
        self.with_head(field, &preferences(field, path, signals)?)
    }

    /// Adds a `License` for everyone (RSL 1.0), above all groups: an absolute http or https URL. A group with one of its
    /// own does not have this one.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::sitemap`].
    pub fn license(self, url: &str) -> Result<RobotsTxtBuilder, InvalidRecord> {
        let field = ExtensionField::License;
        self.with_head(field, &absolute_url(field, url)?)
    }

    /// Adds a record as it stands, for what the other methods do not write. Where it goes follows from the field.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a field that speaks to the agents above it, and for a value that would read back otherwise:
    /// empty, with blanks at an end, with `#` or a control character, or too long for Google's matcher.
    ///
    /// ```
    /// use polite_robots::build::RobotsTxtBuilder;
    /// use polite_robots::record::ExtensionField;
    ///
    /// let builder = RobotsTxtBuilder::new();
    /// assert!(builder.clone().extension(ExtensionField::Sitemap, "/relative.xml").is_ok());
    /// assert!(builder.clone().extension(ExtensionField::Sitemap, "/a\nDisallow: /").is_err());
    /// assert!(builder.extension(ExtensionField::CrawlDelay, "1").is_err());
    /// ```
    pub fn extension(
        self,
        field: ExtensionField,
        value: &str,
    ) -> Result<RobotsTxtBuilder, InvalidRecord> {
        let plain = plain(field, value)?;
        match field {
            ExtensionField::ContentSignal
            | ExtensionField::License
            | ExtensionField::Comment
            | ExtensionField::RobotVersion => self.with_head(field, plain),
            _ => match field.level() {
                ExtensionLevel::File => self.with_tail(field, plain),
                ExtensionLevel::Group => {
                    let problem = Problem::OfGroup(field);
                    Err(InvalidRecord::new(field.as_str(), value, problem))
                }
            },
        }
    }

    /// The file.
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

    fn with_head(
        mut self,
        field: ExtensionField,
        value: &str,
    ) -> Result<RobotsTxtBuilder, InvalidRecord> {
        push_record(&mut self.head, field.as_str(), value)?;
        Ok(self)
    }

    fn with_tail(
        mut self,
        field: ExtensionField,
        value: &str,
    ) -> Result<RobotsTxtBuilder, InvalidRecord> {
        push_record(&mut self.tail, field.as_str(), value)?;
        Ok(self)
    }
}

/// A group of a [`RobotsTxtBuilder`]: agents and what is asked of them.
///
/// Its records outside of RFC 9309 are written directly below the agents, so that they are nobody else's, and a group
/// without rules gets an empty `Disallow`, without which its agents would join the next group (RFC 9309 §2.1).
///
/// ```
/// use polite_robots::build::{GroupBuilder, RobotsTxtBuilder};
///
/// let mut group = GroupBuilder::new("ExampleBot")?.user_agent("ExampleBot-Image")?;
/// for folder in ["/tmp/", "/cgi bin/"] {
///     group = group.disallow(folder)?;
/// }
/// let robots_txt = RobotsTxtBuilder::new().group(group).build();
/// assert_eq!(
///     robots_txt,
///     "User-agent: ExampleBot\nUser-agent: ExampleBot-Image\nDisallow: /tmp/\nDisallow: /cgi%20bin/\n",
/// );
/// # Ok::<(), polite_robots::build::InvalidRecord>(())
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
    /// A group for an agent: a product token, or `*` for all that no group names.
    ///
    /// Of a token with digits or dots, such as `MJ12bot`, Google and others see the start: `MJ`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for anything else; its message names the token that was probably meant.
    pub fn new(agent: &str) -> Result<GroupBuilder, InvalidRecord> {
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
    pub fn user_agent(mut self, agent: &str) -> Result<GroupBuilder, InvalidRecord> {
        push_agent(&mut self.agents, agent)
            .map_err(|error| error.in_group_of(&self.first_agent))?;
        Ok(self)
    }

    /// Adds a comment above the group, a line for each line of `text`.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::comment`].
    pub fn comment(mut self, text: &str) -> Result<GroupBuilder, InvalidRecord> {
        push_comment(&mut self.comments, text)
            .map_err(|error| error.in_group_of(&self.first_agent))?;
        Ok(self)
    }

    /// Adds an `Allow` rule.
    ///
    /// Google takes an `Allow` of `…/index.htm…` for one of the bare directory too.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for a path that is empty, does not begin as its [`PathPattern`] must, ends in a blank, holds a
    /// control character, or is too long for Google's matcher.
    pub fn allow<'p>(
        self,
        path: impl Into<PathPattern<'p>>,
    ) -> Result<GroupBuilder, InvalidRecord> {
        self.rule(Access::Allow, path.into())
    }

    /// Adds a `Disallow` rule.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::allow`].
    pub fn disallow<'p>(
        self,
        path: impl Into<PathPattern<'p>>,
    ) -> Result<GroupBuilder, InvalidRecord> {
        self.rule(Access::Disallow, path.into())
    }

    fn rule(
        mut self,
        access: Access,
        path: PathPattern<'_>,
    ) -> Result<GroupBuilder, InvalidRecord> {
        let field = access.as_str();
        path.to_value()
            .map_err(|problem| InvalidRecord::new(field, path.text(), problem))
            .and_then(|value| push_record(&mut self.rules, field, &value))
            .map_err(|error| error.in_group_of(&self.first_agent))?;
        Ok(self)
    }

    /// Adds a `Crawl-delay`, exactly, to the nanosecond. Of several, this crate obeys the largest.
    #[must_use]
    pub fn crawl_delay(mut self, delay: Duration) -> GroupBuilder {
        // Thirty digits at most: the line is never too long.
        let field = ExtensionField::CrawlDelay.as_str();
        let _ = push_record(&mut self.records, field, &crawl_delay(delay));
        self
    }

    /// Adds a `Request-rate` (robots.txt 2.0, a draft of 1996): so many documents in so many whole seconds.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if either is zero, or `per` is not whole seconds.
    pub fn request_rate(
        self,
        documents: u32,
        per: Duration,
    ) -> Result<GroupBuilder, InvalidRecord> {
        self.record(ExtensionField::RequestRate, request_rate(documents, per))
    }

    /// Adds a `Visit-time` (the same draft): when to come, as hours and minutes in UTC, over midnight if `to` is the
    /// earlier.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] for what is no time of day.
    pub fn visit_time(self, from: (u8, u8), to: (u8, u8)) -> Result<GroupBuilder, InvalidRecord> {
        self.record(ExtensionField::VisitTime, visit_time(from, to))
    }

    /// Adds a `Content-Signal` (contentsignals.org): keys and values such as `("ai-train", "no")`, for all paths or for
    /// those that match the pattern `path`.
    ///
    /// # Errors
    ///
    /// [`InvalidRecord`] if there is no signal, for a key or value that is not a letter and then letters, digits, `_`,
    /// `-` and `.`, and for a path that does not begin with `/` or is refused as in [`GroupBuilder::allow`].
    ///
    /// ```
    /// use polite_robots::build::{GroupBuilder, RobotsTxtBuilder};
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
    /// # Ok::<(), polite_robots::build::InvalidRecord>(())
    /// ```
    pub fn content_signal(
        self,
        path: Option<&str>,
        signals: &[(&str, &str)],
    ) -> Result<GroupBuilder, InvalidRecord> {
        let field = ExtensionField::ContentSignal;
        self.record(field, preferences(field, path, signals))
    }

    /// Adds a `Content-Usage` (draft-ietf-aipref-attach), like a `Content-Signal`; its keys are lower case.
    ///
    /// # Errors
    ///
    /// As [`GroupBuilder::content_signal`], and for an upper-case key.
    pub fn content_usage(
        self,
        path: Option<&str>,
        usage: &[(&str, &str)],
    ) -> Result<GroupBuilder, InvalidRecord> {
        let field = ExtensionField::ContentUsage;
        self.record(field, preferences(field, path, usage))
    }

    /// Adds a `License` (RSL 1.0): an absolute http or https URL. Those for everyone do not count for this group then.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::sitemap`].
    pub fn license(self, url: &str) -> Result<GroupBuilder, InvalidRecord> {
        let field = ExtensionField::License;
        self.record(field, absolute_url(field, url))
    }

    /// Adds a record as it stands, for what the other methods do not write.
    ///
    /// # Errors
    ///
    /// As [`RobotsTxtBuilder::extension`], but for a field that speaks to everyone.
    pub fn extension(
        self,
        field: ExtensionField,
        value: &str,
    ) -> Result<GroupBuilder, InvalidRecord> {
        let value = match field.level() {
            ExtensionLevel::Group => plain(field, value),
            ExtensionLevel::File => {
                let problem = Problem::OfFile(field);
                Err(InvalidRecord::new(field.as_str(), value, problem))
            }
        };
        self.record(field, value)
    }

    fn record(
        mut self,
        field: ExtensionField,
        value: Result<impl AsRef<str>, InvalidRecord>,
    ) -> Result<GroupBuilder, InvalidRecord> {
        value
            .and_then(|value| push_record(&mut self.records, field.as_str(), value.as_ref()))
            .map_err(|error| error.in_group_of(&self.first_agent))?;
        Ok(self)
    }

    fn write(&self, out: &mut String) {
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
    let field = Directive::UserAgent.as_str();
    if agent != WILDCARD {
        ProductToken::new(agent)
            .map_err(|error| InvalidRecord::new(field, agent, Problem::Token(error)))?;
    }
    push_record(out, field, agent)
}
