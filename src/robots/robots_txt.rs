use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use core::hash::{Hash, Hasher};

use nom::Offset as _;

use crate::access::Access;
use crate::agent::{AgentMatch, AgentSet, InvalidToken};
use crate::document::groups::Group;
use crate::document::lines::{Line, lines};
use crate::document::merged_groups::{MergedGroup, merged_groups};
use crate::lint::diagnostic::Sink;
use crate::options::{Dialect, Options};
use crate::parse::Source;
use crate::parse::document::Document;
use crate::parse::field::{Directive, ExtensionField, KnownRecord};
use crate::record::clean_url::CleanParams;
use crate::record::host::Host;
use crate::record::sitemap::Sitemaps;
use crate::record::{Extension, ExtensionValue};
use crate::robots::agent_view::Blanket;
use crate::robots::collector::Collector;
use crate::robots::debug_list::DebugList;
use crate::robots::robot::Robot;
use crate::rules::lazy::Lazy;
use crate::verdict::Cause;

/// A robots.txt for every agent: one parse, any number of questions.
///
/// One reference count: clones are cheap and share everything.
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
    pub(crate) kept: Arc<Kept>,
}

pub(crate) struct Kept {
    pub(crate) dialect: Dialect,
    pub(crate) blanket: Option<Blanket>,
    document: Document,
    sitemaps: Lazy<Sitemaps>,
    clean_params: Lazy<Option<Box<CleanParams>>>,
    pub(crate) truncated_at: Option<usize>,
}

impl RobotsTxt {
    /// Reads a file in the default dialect. Never fails, whatever the bytes are. While it reads it takes at most three
    /// times the memory of the file and 64 KiB, with the copy of the file that it keeps.
    #[must_use]
    pub fn parse(robots_txt: &[u8]) -> RobotsTxt {
        RobotsTxt::parse_with(robots_txt, &Options::rfc9309(), &mut ())
    }

    /// The same with a dialect and a size limit; what is odd about a line goes to `sink`, in the order of the file.
    ///
    /// ```
    /// use polite_robots::{Options, RobotsTxt};
    /// use polite_robots::lint::Diagnostic;
    ///
    /// let mut report = |odd: Diagnostic| eprintln!("{}: {odd}", odd.severity());
    /// let robots_txt = RobotsTxt::parse_with(b"User-agent *\nDisallow: /x", &Options::rfc9309(), &mut report);
    /// assert!(!robots_txt.robot("ExampleBot")?.allowed("/x"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn parse_with(
        robots_txt: &[u8],
        options: &Options,
        sink: &mut (impl Sink + ?Sized),
    ) -> RobotsTxt {
        let source = Source::new(robots_txt, options);
        let mut document = Document::new(source.bytes);
        source.for_each_record(sink, |record| {
            document.push(record, source.bytes.offset(record.value.with_comment()));
        });
        document.finish();
        Kept::new(options.dialect, None, document, source.truncated_at).into()
    }

    /// "No file" as a value: allows everything to every agent. See [`Robot::allow_all`].
    #[must_use]
    pub fn allow_all(cause: Cause) -> RobotsTxt {
        RobotsTxt::blanket(Access::Allow, cause)
    }

    /// "No access" as a value: disallows everything but `/robots.txt` to every agent. See [`Robot::disallow_all`].
    #[must_use]
    pub fn disallow_all(cause: Cause) -> RobotsTxt {
        RobotsTxt::blanket(Access::Disallow, cause)
    }

    fn blanket(access: Access, cause: Cause) -> RobotsTxt {
        let blanket = Some(Blanket { access, cause });
        Kept::new(Dialect::Rfc9309, blanket, Document::default(), None).into()
    }

    /// Compiles the rules of one agent: of the groups that name it, or else of the `*` groups (RFC 9309 §2.2.1).
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`, which asks for the wildcard group alone.
    pub fn robot(&self, agent: &str) -> Result<Robot, InvalidToken> {
        self.robot_merged(&[agent])
    }

    /// The robot of the first of the agents that the file names, else that of `*`.
    ///
    /// For a crawler with several names, the most specific first. An empty slice asks for `*`.
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
    /// [`InvalidToken`] for the first of `agents` that is none.
    pub fn robot_first(&self, agents: &[&str]) -> Result<Robot, InvalidToken> {
        AgentSet::new(agents, self.kept.dialect)?;
        for agent in agents {
            if self.names(AgentSet::new(&[agent], self.kept.dialect)?) {
                return self.robot(agent);
            }
        }
        self.robot_merged(&[])
    }

    /// One robot for all of the agents: if the file names any, the rules of all groups that name one of them, else
    /// those of `*`. This is what Google's matcher does with several agents; the crawl delay is the largest.
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
    /// [`InvalidToken`] for the first of `agents` that is none.
    pub fn robot_merged(&self, agents: &[&str]) -> Result<Robot, InvalidToken> {
        let kept = &*self.kept;
        let agents = AgentSet::new(agents, kept.dialect)?;
        if let Some(Blanket { access, cause }) = kept.blanket {
            return Ok(Robot::blanket(access, cause));
        }
        let mut collector = Collector::new(agents, kept.dialect, kept.document.bytes().len());
        for record in kept.document.records() {
            collector.take(record);
        }
        Ok(collector.finish().into())
    }

    fn names(&self, agents: AgentSet<'_>) -> bool {
        self.kept.document.records().any(|record| {
            record.directive == Directive::UserAgent
                && agents.match_value(record.value.bytes()) == AgentMatch::Named
        })
    }

    /// Every line of the file, in its order, read again from its bytes. Between the spans of two lines there is a line
    /// end and nothing else.
    pub fn lines(&self) -> impl Iterator<Item = Line<'_>> {
        lines(self.as_bytes(), self.kept.dialect)
    }

    /// The groups as they apply: one for each agent that the file names, and one for everyone if there is one, by the
    /// line that names it first. What [`RobotsTxt::robot`] compiles for such an agent.
    pub fn merged_groups(&self) -> impl Iterator<Item = MergedGroup<'_>> {
        merged_groups(self.groups(), self.kept.dialect).into_iter()
    }

    /// The groups as the file has them, in its order. Rules before the first group are in none.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.kept.document.groups()
    }

    /// The values of the `Sitemap` records: in file order, as written, duplicates and relative ones included, empty
    /// ones left out. What is not UTF-8 becomes U+FFFD.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        let kept = &*self.kept;
        kept.sitemaps.get(|| sitemaps(&kept.document)).iter()
    }

    /// The records outside of RFC 9309 that this crate knows, in file order, valid or not.
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        let records = self.kept.document.extensions();
        records.map(|(field, record, scope)| {
            Extension::new(field, record.value.bytes(), record.line, scope)
        })
    }

    /// The preferred host name: the first valid `Host` record (Yandex, not read since March 2018).
    #[must_use]
    pub fn host(&self) -> Option<Host<'_>> {
        self.extensions().find_map(|record| match record.typed() {
            ExtensionValue::Host(host) => Some(host),
            _ => None,
        })
    }

    /// The URL without the query parameters that do not change the page, by the `Clean-param` records of the file
    /// (Yandex); as it was if there are none. For a crawler's list of known URLs, so that a page is fetched once.
    ///
    /// A parameter is removed if a record names it, byte for byte and up to its `=`, and the record's path matches
    /// that of the URL, without the query, as a rule would. The others stay in their order, and the fragment stays; a
    /// `?` with nothing left behind it goes. Cleaning twice is cleaning once. Linear in the URL and the records.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"User-agent: *\nClean-param: ref&sid /shelf/");
    /// let url = "https://example.com/shelf/book?ref=a&id=7&sid=b#top";
    /// assert_eq!(robots_txt.clean_url(url), "https://example.com/shelf/book?id=7#top");
    /// assert_eq!(robots_txt.clean_url("https://example.com/desk?ref=a"), "https://example.com/desk?ref=a");
    /// ```
    #[must_use]
    pub fn clean_url<'u>(&self, url: &'u str) -> Cow<'u, str> {
        let kept = &*self.kept;
        let clean_params = || clean_params(&kept.document, kept.dialect);
        match kept.clean_params.get(clean_params) {
            Some(clean_params) => clean_params.clean(url),
            None => Cow::Borrowed(url),
        }
    }

    /// The number of bytes kept, if the file was cut at [`Options::max_bytes`] (or at 512 MiB, whatever that says).
    #[must_use]
    pub fn truncated_at(&self) -> Option<usize> {
        self.kept.truncated_at
    }

    pub(crate) fn is_blanket(&self) -> bool {
        self.kept.blanket.is_some()
    }

    pub(crate) fn dialect(&self) -> Dialect {
        self.kept.dialect
    }

    /// The file, byte for byte, as far as it was read.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.kept.document.bytes()
    }
}

/// Equal when they are the same bytes, read in the same dialect and to the same point.
impl PartialEq for RobotsTxt {
    fn eq(&self, other: &RobotsTxt) -> bool {
        Arc::ptr_eq(&self.kept, &other.kept) || self.kept.settled() == other.kept.settled()
    }
}

impl Eq for RobotsTxt {}

impl Hash for RobotsTxt {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kept.settled().hash(state);
    }
}

impl Kept {
    fn new(
        dialect: Dialect,
        blanket: Option<Blanket>,
        document: Document,
        truncated_at: Option<usize>,
    ) -> Kept {
        Kept {
            dialect,
            blanket,
            sitemaps: Lazy::new(|| sitemaps(&document)),
            clean_params: Lazy::new(|| clean_params(&document, dialect)),
            document,
            truncated_at,
        }
    }

    /// What all else follows from.
    fn settled(&self) -> impl Eq + Hash {
        let Kept {
            dialect,
            blanket,
            document,
            sitemaps: _,
            clean_params: _,
            truncated_at,
        } = self;
        (dialect, blanket, truncated_at, document.bytes())
    }
}

fn sitemaps(document: &Document) -> Sitemaps {
    let mut sitemaps = Sitemaps::default();
    for record in records_of(document, ExtensionField::Sitemap) {
        sitemaps.push(record.value.bytes());
    }
    sitemaps
}

fn clean_params(document: &Document, dialect: Dialect) -> Option<Box<CleanParams>> {
    let records = records_of(document, ExtensionField::CleanParam);
    let values = records.map(|record| (record.value.bytes(), record.line));
    CleanParams::new(dialect, values)
}

fn records_of(document: &Document, field: ExtensionField) -> impl Iterator<Item = KnownRecord<'_>> {
    let records = document.records();
    records.filter(move |record| record.directive == Directive::Extension(field))
}

impl From<Kept> for RobotsTxt {
    fn from(kept: Kept) -> RobotsTxt {
        RobotsTxt {
            kept: Arc::new(kept),
        }
    }
}

impl fmt::Debug for RobotsTxt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RobotsTxt")
            .field("dialect", &self.kept.dialect)
            .field("blanket", &self.kept.blanket)
            .field("groups", &DebugList(|| self.groups()))
            .field("extensions", &DebugList(|| self.extensions()))
            .field("truncated_at", &self.kept.truncated_at)
            .finish()
    }
}

/// The text of the file, with U+FFFD in place of what is not UTF-8.
impl fmt::Display for RobotsTxt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&String::from_utf8_lossy(self.as_bytes()))
    }
}
