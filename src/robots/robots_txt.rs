//! [`RobotsTxt`]: a robots.txt for every agent.

use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::access::Access;
use crate::agent::{AgentMatch, AgentSet, InvalidToken, ProductToken};
use crate::document::groups::{Group, groups};
use crate::document::lines::{Line, lines, unread_lines};
use crate::document::merged_groups::{MergedGroup, merged_groups};
use crate::document::scope::scoped_extensions;
use crate::options::{Dialect, Options};
use crate::parse::Source;
use crate::parse::field::{Directive, ExtensionField};
use crate::parse::packed_file::PackedFile;
use crate::parse::trim::value_of;
use crate::record::extension::Extension;
use crate::record::sitemap::Sitemaps;
use crate::robots::agent_view::Blanket;
use crate::robots::collector::Collector;
use crate::robots::robot::Robot;
use crate::rules::lazy::{FromSource, Lazy};
use crate::verdict::Cause;

/// A robots.txt for every agent: one parse, any number of agents.
///
/// A `RobotsTxt` is one reference count: clones are cheap and share everything. It keeps the file
/// byte for byte.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: ExampleBot-Image
/// Disallow: /photos/
///
/// User-agent: *
/// Disallow: /
/// Sitemap: https://example.com/sitemap.xml
/// ");
/// assert!(robots_txt.robot("ExampleBot-Image")?.allowed("/"));
/// assert!(!robots_txt.robot("ExampleBot")?.allowed("/"));
/// assert_eq!(robots_txt.sitemaps().next(), Some("https://example.com/sitemap.xml"));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Clone)]
pub struct RobotsTxt {
    inner: Arc<Inner>,
}

struct Inner {
    parsed: ParsedFile,
    sitemaps: Lazy<Sitemaps>,
    ai_training: Lazy<AiTraining>,
}

/// The robot of a policy token, which all robots of a document share.
struct AiTraining(Option<Robot>);

/// The fields that everything else follows from, and that equality and hashing use.
#[derive(Default)]
struct ParsedFile {
    dialect: Dialect,
    blanket: Option<Blanket>,
    document: PackedFile,
    truncated_at: Option<usize>,
}

impl RobotsTxt {
    /// Reads a file in the default dialect. Never fails, whatever the bytes are. Besides the
    /// caller's buffer, parsing takes at most three times the memory of the file and 64 KiB, with
    /// the copy of the file that it keeps.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nDisallow: /private/");
    /// for agent in ["ExampleBot", "ExampleBot-Image"] {
    ///     assert!(!robots_txt.robot(agent)?.allowed("/private/x"));
    /// }
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn parse(robots_txt: &[u8]) -> RobotsTxt {
        RobotsTxt::parse_with(robots_txt, &Options::rfc9309())
    }

    /// Reads a file in a given dialect and up to a size limit.
    ///
    /// ```
    /// use polite_robots::{Options, RobotsTxt};
    ///
    /// let options = Options::google().with_max_bytes(512_000);
    /// let robots_txt = RobotsTxt::parse_with(b"User-agent *\nDisallow: /x", &options);
    /// assert_eq!(robots_txt.dialect(), options.dialect);
    /// assert!(!robots_txt.robot("ExampleBot")?.allowed("/x"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn parse_with(robots_txt: &[u8], options: &Options) -> RobotsTxt {
        let source = Source::new(robots_txt, options);
        RobotsTxt::from_source(&source, options.dialect)
    }

    /// Reads the bytes of a document that was cut at `truncated_at` when it was first read.
    #[cfg(feature = "serde")]
    pub(crate) fn parse_again(
        bytes: &[u8],
        options: &Options,
        truncated_at: Option<usize>,
    ) -> RobotsTxt {
        let mut source = Source::new(bytes, options);
        source.truncated_at = source.truncated_at.or(truncated_at);
        RobotsTxt::from_source(&source, options.dialect)
    }

    fn from_source(source: &Source<'_>, dialect: Dialect) -> RobotsTxt {
        let mut document = PackedFile::new(source.bytes);
        source.for_each_record(|record| document.push(record));
        document.finish();
        ParsedFile {
            dialect,
            blanket: None,
            document,
            truncated_at: source.truncated_at,
        }
        .into()
    }

    /// Reads a response to `GET /robots.txt` by its status and its body, for a crawler that has a
    /// fetch and a cache of its own.
    ///
    /// | status | meaning | source |
    /// |---|---|---|
    /// | 200 to 299, but not 206 | the rules of `body` | RFC 9309 §2.3.1.1 |
    /// | 400 to 499, but not 429 | [`RobotsTxt::allow_all`]: there is no file | RFC 9309 §2.3.1.3 |
    /// | 429 | [`RobotsTxt::disallow_all`]: the server asks to wait | Google |
    /// | 500 to 599 | [`RobotsTxt::disallow_all`]: the file is unreachable | RFC 9309 §2.3.1.4 |
    /// | 206, 100 to 199, 300 to 399, and any other number | [`RobotsTxt::disallow_all`]: it is no answer to the question | ours |
    ///
    /// `body` is whole, and its content coding is undone: a part of a file, or one in gzip, has
    /// fewer rules than the site wrote. Follow redirects first, at most five (RFC 9309 §2.3.1.2).
    /// For no response at all, as after a time-out, take [`RobotsTxt::disallow_all`] with
    /// [`Cause::Unreachable`]. How long the answer counts, when to ask again, and bodies that break
    /// off or stay encoded are questions for the crate `polite-robots-policy`.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let body = b"User-agent: *\nDisallow: /private/";
    /// let allowed = |status| RobotsTxt::from_status(status, body).robot("ExampleBot").map(|robot| robot.allowed("/a"));
    /// assert_eq!(allowed(200), Ok(true));
    /// assert_eq!(allowed(404), Ok(true));
    /// assert_eq!(allowed(429), Ok(false));
    /// assert_eq!(allowed(503), Ok(false));
    /// ```
    #[must_use]
    pub fn from_status(status: u16, body: &[u8]) -> RobotsTxt {
        RobotsTxt::from_status_with(status, body, &Options::rfc9309())
    }

    /// Like [`RobotsTxt::from_status`], with options for reading the body.
    ///
    /// ```
    /// use polite_robots::{Options, RobotsTxt};
    ///
    /// let robots_txt = RobotsTxt::from_status_with(404, b"", &Options::google());
    /// assert!(robots_txt.robot("ExampleBot")?.allowed("/a"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn from_status_with(status: u16, body: &[u8], options: &Options) -> RobotsTxt {
        let cause = Cause::Status(status);
        match status {
            200..=205 | 207..=299 => RobotsTxt::parse_with(body, options),
            400..=428 | 430..=499 => RobotsTxt::allow_all(cause),
            _ => RobotsTxt::disallow_all(cause),
        }
    }

    /// Allows everything to every agent, for a site without a robots.txt, as [`Robot::allow_all`]
    /// does for one agent.
    ///
    /// ```
    /// use polite_robots::{Cause, RobotsTxt};
    ///
    /// let robots_txt = RobotsTxt::allow_all(Cause::Status(404));
    /// assert!(robots_txt.robot("ExampleBot")?.allowed("https://example.com/"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn allow_all(cause: Cause) -> RobotsTxt {
        let access = Access::Allow;
        Blanket { access, cause }.into()
    }

    /// Disallows everything but `/robots.txt` to every agent, as [`Robot::disallow_all`] does for
    /// one.
    ///
    /// ```
    /// use polite_robots::{Cause, RobotsTxt};
    ///
    /// let robots_txt = RobotsTxt::disallow_all(Cause::Status(503));
    /// assert!(!robots_txt.robot("ExampleBot")?.allowed("https://example.com/"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn disallow_all(cause: Cause) -> RobotsTxt {
        let access = Access::Disallow;
        Blanket { access, cause }.into()
    }

    /// The access and the cause of a document that stands for a whole site without a file; `None`
    /// for a parsed file.
    ///
    /// ```
    /// use polite_robots::{Access, Cause, RobotsTxt};
    ///
    /// let gone = RobotsTxt::allow_all(Cause::Status(404));
    /// assert_eq!(gone.blanket(), Some((Access::Allow, Cause::Status(404))));
    /// assert_eq!(RobotsTxt::parse(b"").blanket(), None);
    /// ```
    pub fn blanket(&self) -> Option<(Access, Cause)> {
        self.site_answer()
            .map(|blanket| (blanket.access, blanket.cause))
    }

    /// Compiles the rules of one agent: those of the groups that name it, or else of the `*` groups
    /// (RFC 9309 §2.2.1).
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`, which asks for the wildcard
    /// group alone.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nDisallow: /drafts/");
    /// assert!(!robots_txt.robot("ExampleBot")?.allowed("/drafts/1"));
    /// assert!(robots_txt.robot("OtherBot")?.allowed("/drafts/1"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn robot(&self, agent: &str) -> Result<Robot, InvalidToken> {
        self.robot_merged(&[agent])
    }

    /// Compiles the rules of the agent that a whole `User-Agent` header names, or those of `*` if
    /// it names none, by [`ProductToken::of_header_or_wildcard`]. For a crawler that is given a
    /// header alone; one that knows its token asks [`RobotsTxt::robot`].
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nDisallow: /drafts/");
    /// let header = "Mozilla/5.0 (compatible; ExampleBot/1.0)";
    /// assert!(!robots_txt.robot_of_header_or_wildcard(header).allowed("/drafts/1"));
    /// ```
    #[must_use]
    pub fn robot_of_header_or_wildcard(&self, user_agent: &str) -> Robot {
        let agents = [ProductToken::of_header_or_wildcard(user_agent)];
        self.robot_of(AgentSet::of_valid(&agents, self.dialect()))
    }

    /// Compiles the rules of the first agent that the file names, else those of `*`.
    ///
    /// Give the names of a crawler with the most specific one first. An empty slice asks for `*`.
    ///
    /// ```
    /// use polite_robots::{AgentMatch, RobotsTxt};
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nDisallow: /photos/\n\nUser-agent: *\nDisallow: /");
    /// let robot = robots_txt.robot_first(&["ExampleBot-Image", "ExampleBot"])?;
    /// assert_eq!(robot.agent_match(), AgentMatch::Named);
    /// assert!(!robot.allowed("/photos/1.jpg"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] for the first of `agents` that is not a product token.
    pub fn robot_first(&self, agents: &[&str]) -> Result<Robot, InvalidToken> {
        AgentSet::new(agents, self.dialect())?;
        for agent in agents {
            if self.names(AgentSet::new(&[agent], self.dialect())?) {
                return self.robot(agent);
            }
        }
        self.robot_merged(&[])
    }

    /// Compiles the rules of several agents as one set: if the file names any of them, the rules of
    /// all groups that do, else those of `*`. Google's matcher does the same with several agents.
    /// The crawl delay is the largest.
    ///
    /// An empty slice asks for `*`; `*` beside other agents adds nothing.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: ExampleBot\nDisallow: /a\n\nUser-agent: ExampleBot-Image\nDisallow: /b");
    /// let robot = robots_txt.robot_merged(&["ExampleBot", "ExampleBot-Image"])?;
    /// assert!(!robot.allowed("/a") && !robot.allowed("/b"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] for the first of `agents` that is not a product token.
    pub fn robot_merged(&self, agents: &[&str]) -> Result<Robot, InvalidToken> {
        Ok(self.robot_of(AgentSet::new(agents, self.dialect())?))
    }

    fn robot_of(&self, agents: AgentSet<'_>) -> Robot {
        if let Some(blanket) = self.site_answer() {
            return blanket.into();
        }
        let parsed = &self.inner.parsed;
        let collector = parsed.collected(Collector::new(agents, parsed.dialect, parsed.len()));
        // The rules are compiled once for all agents, so that they share one copy.
        let ai_training = match collector.names_policy() {
            true => self.inner.ai_training.get(parsed).0.clone(),
            false => None,
        };
        Robot::with_policy(collector.finish(), ai_training)
    }

    fn names(&self, agents: AgentSet<'_>) -> bool {
        self.document().records().iter().any(|record| {
            record.directive == Directive::UserAgent
                && agents.match_value(value_of(record.written.bytes)) == AgentMatch::Named
        })
    }

    /// Every line of the file, in order, read again from its bytes. Between the spans of two lines
    /// there is a line end and nothing else.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::document::LineKind;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\n# why\nDisallow: /x");
    /// let is_rule = |kind| matches!(kind, LineKind::Rule(_));
    /// assert_eq!(robots_txt.lines().filter(|line| is_rule(line.kind())).count(), 1);
    /// ```
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        lines(self.as_bytes(), self.dialect())
    }

    /// The lines that hold no record, in the order of the file: those of
    /// [`LineKind::NotARecord`](crate::document::LineKind::NotARecord). The others of the file
    /// count all the same (RFC 9309 §2.3.1.5).
    ///
    /// A blank line, a comment and a record whose field nobody knows are read. A byte order mark
    /// belongs to no line, and a NUL ends the text of its line, as in Google's matcher.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"# rules\nUser-agent: *\nkeep out please\nDisallow: /x\nColour: red");
    /// let unread: Vec<u32> = robots_txt.unread_lines().map(|line| line.number()).collect();
    /// assert_eq!(unread, [3]);
    /// ```
    pub fn unread_lines(&self) -> impl Iterator<Item = Line<'_>> {
        unread_lines(self.as_bytes(), self.dialect())
    }

    /// The groups as they apply: one for each agent that the file names, and one for `*` if the
    /// file has it, ordered by the line that names the agent first. Each holds the rules that
    /// [`RobotsTxt::robot`] compiles for that agent.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: a\nDisallow: /1\n\nUser-agent: b\n\nUser-agent: a\nDisallow: /2");
    /// assert_eq!((robots_txt.groups().count(), robots_txt.merged_groups().count()), (2, 2));
    /// ```
    pub fn merged_groups(&self) -> impl Iterator<Item = MergedGroup<'_>> {
        merged_groups(self.groups(), self.dialect()).into_iter()
    }

    /// The groups as the file has them, in order. Rules before the first group are in none.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: a\nUser-agent: b\nDisallow: /x\nAllow: /x/y");
    /// let group = robots_txt.groups().next().unwrap();
    /// assert_eq!((group.user_agents().count(), group.rules().count()), (2, 2));
    /// ```
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        groups(self.document().records())
    }

    /// The values of the `Sitemap` records: in the order of the file, as written, duplicates and
    /// relative ones included, empty ones left out. Bytes that are not UTF-8 become U+FFFD.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"Sitemap: https://example.com/a.xml\nSitemap: /b.xml");
    /// assert!(robots_txt.sitemaps().eq(["https://example.com/a.xml", "/b.xml"]));
    /// ```
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.inner.sitemaps.get(&self.inner.parsed).iter()
    }

    /// The records outside of RFC 9309 that this crate knows, in the order of the file, valid or
    /// not.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots::record::ExtensionField;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nCrawl-delay: soon");
    /// let record = robots_txt.extensions().next().unwrap();
    /// assert_eq!((record.field(), record.value()), (ExtensionField::CrawlDelay, &b"soon"[..]));
    /// ```
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        let records = scoped_extensions(self.document().records());
        records.map(|(field, record, scope)| {
            Extension::new(field, record.written.value(), record.line, scope)
        })
    }

    /// The number of bytes that were read, if the file was cut at [`Options::max_bytes`], or at 512
    /// MiB whatever the options say.
    ///
    /// ```
    /// use polite_robots::{Options, RobotsTxt};
    ///
    /// let options = Options::rfc9309().with_max_bytes(20);
    /// let robots_txt = RobotsTxt::parse_with(b"User-agent: *\nDisallow: /private", &options);
    /// // The half of the last line is dropped: it would have been `Disallo`.
    /// assert_eq!(robots_txt.truncated_at(), Some(14));
    /// ```
    pub fn truncated_at(&self) -> Option<usize> {
        self.inner.parsed.truncated_at
    }

    /// The file, byte for byte, up to [`RobotsTxt::truncated_at`].
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// assert_eq!(RobotsTxt::parse(b"User-agent: *").as_bytes(), b"User-agent: *");
    /// ```
    pub fn as_bytes(&self) -> &[u8] {
        self.document().bytes()
    }

    /// The dialect in which the file was read.
    pub fn dialect(&self) -> Dialect {
        self.inner.parsed.dialect
    }

    pub(crate) fn site_answer(&self) -> Option<Blanket> {
        self.inner.parsed.blanket
    }

    fn document(&self) -> &PackedFile {
        &self.inner.parsed.document
    }
}

impl From<Blanket> for RobotsTxt {
    fn from(blanket: Blanket) -> RobotsTxt {
        RobotsTxt::from(ParsedFile {
            blanket: Some(blanket),
            ..ParsedFile::default()
        })
    }
}

impl From<ParsedFile> for RobotsTxt {
    fn from(parsed: ParsedFile) -> RobotsTxt {
        RobotsTxt {
            inner: Arc::new(Inner {
                sitemaps: Lazy::new(&parsed),
                ai_training: Lazy::new(&parsed),
                parsed,
            }),
        }
    }
}

impl FromSource<ParsedFile> for Sitemaps {
    fn from_source(parsed: &ParsedFile) -> Sitemaps {
        let mut sitemaps = Sitemaps::default();
        for record in parsed.document.records().iter() {
            if record.directive == Directive::Extension(ExtensionField::Sitemap) {
                sitemaps.push(value_of(record.written.bytes));
            }
        }
        sitemaps
    }
}

impl FromSource<ParsedFile> for AiTraining {
    fn from_source(parsed: &ParsedFile) -> AiTraining {
        let collector = Collector::of_ai_training(parsed.dialect, parsed.len());
        let view = parsed.collected(collector).finish();
        AiTraining((view.agent_match == AgentMatch::Named).then(|| view.into()))
    }
}

/// Equal when they have the same bytes, read in the same dialect and to the same point.
impl PartialEq for RobotsTxt {
    fn eq(&self, other: &RobotsTxt) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
            || self.inner.parsed.identity() == other.inner.parsed.identity()
    }
}

impl Eq for RobotsTxt {}

impl Hash for RobotsTxt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.inner.parsed.identity().hash(state);
    }
}

impl ParsedFile {
    fn collected<'a>(&self, mut collector: Collector<'a>) -> Collector<'a> {
        for record in self.document.records().iter() {
            collector.take(record);
        }
        collector
    }

    fn len(&self) -> usize {
        self.document.bytes().len()
    }

    fn identity(&self) -> impl Eq + Hash {
        let ParsedFile {
            dialect,
            blanket,
            document,
            truncated_at,
        } = self;
        (dialect, blanket, truncated_at, document.bytes())
    }
}

impl fmt::Debug for RobotsTxt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsTxt")
            .field("dialect", &self.dialect())
            .field("blanket", &self.blanket())
            .field("groups", &self.groups().collect::<Vec<_>>())
            .field("extensions", &self.extensions().collect::<Vec<_>>())
            .field("truncated_at", &self.truncated_at())
            .finish()
    }
}

/// The text of the file, with U+FFFD for bytes that are not UTF-8.
impl fmt::Display for RobotsTxt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}
