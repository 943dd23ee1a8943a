use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::time::Duration;

use nom::Offset as _;

use crate::agent::{AgentMatch, AgentSet, InvalidToken};
use crate::diagnostic::Sink;
use crate::extension::agent_records::{AgentRecords, Gathered};
use crate::extension::clean_url::CleanParams;
use crate::extension::day_window::DayWindow;
use crate::extension::host::Host;
use crate::extension::request_rate::RequestRate;
use crate::extension::sitemap::Sitemaps;
use crate::extension::usage::Usage;
use crate::extension::{Extension, Record};
use crate::options::{Dialect, Options};
use crate::parse::Source;
use crate::parse::directive::{Access, Directive, ExtensionField, KnownRecord};
use crate::parse::document::{Document, Group};
use crate::parse::group::{Addressee, Naming, Selection};
use crate::parse::listing::{Line, lines};
use crate::parse::merged::{MergedGroup, merged_groups};
use crate::parse::value::crawl_delay;
use crate::rules::arena::{Arena, Origin};
use crate::rules::path::Target;
use crate::rules::{Rule, RuleSet};
use crate::verdict::{Cause, Reason, Verdict};

/// A robots.txt as one agent sees it: the rules that apply to it, compiled.
///
/// One reference count: clones are cheap and share everything. Parse once per site and keep it.
///
/// ```
/// use polite_robots::Robot;
///
/// let robots_txt = b"
/// User-agent: *
/// Disallow: /search
/// Allow: /search/about
/// Crawl-delay: 2
/// ";
/// let robot = Robot::new("ExampleBot", robots_txt)?;
/// assert!(robot.allowed("https://example.com/search/about"));
/// assert!(!robot.allowed("https://example.com/search?q=robots"));
/// assert_eq!(robot.crawl_delay().map(|delay| delay.as_secs()), Some(2));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Clone)]
pub struct Robot {
    pub(crate) view: Arc<View>,
}

pub(crate) struct View {
    pub(crate) dialect: Dialect,
    pub(crate) agent_match: AgentMatch,
    pub(crate) groups: AppliedGroups,
    pub(crate) blanket: Option<Blanket>,
    pub(crate) rules: RuleSet,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) sitemaps: Sitemaps,
    /// Hardly any file has such records.
    pub(crate) records: Option<Box<AgentRecords>>,
}

/// The lines by which groups apply, ascending. Nearly always one, which needs no block of its own.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct AppliedGroups {
    first: Option<u32>,
    others: Vec<u32>,
}

impl AppliedGroups {
    pub(crate) fn push(&mut self, line: u32) {
        match self.first {
            None => self.first = Some(line),
            Some(_) => self.others.push(line),
        }
    }

    fn clear(&mut self) {
        self.first = None;
        self.others.clear();
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = u32> {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    /// The last one above a rule, or the first.
    fn of_rule(&self, rule: Option<Rule<'_>>) -> Option<u32> {
        let above = rule.and_then(|rule| {
            let count = self.others.partition_point(|line| *line < rule.line());
            self.others.get(count.checked_sub(1)?).copied()
        });
        above.or(self.first)
    }
}

/// An answer for the whole site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Blanket {
    pub(crate) access: Access,
    pub(crate) cause: Cause,
}

impl Robot {
    /// Reads a robots.txt for one agent, in the default dialect. One pass; what is for other agents is not kept.
    ///
    /// `robots_txt` may be any octets: what cannot be read is skipped, as RFC 9309 §2.2.4 and §2.3.1.5 ask.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`, which asks for the wildcard group alone.
    pub fn new(agent: &str, robots_txt: &[u8]) -> Result<Robot, InvalidToken> {
        Robot::with_options(agent, robots_txt, &Options::rfc9309())
    }

    /// The same with a dialect and a size limit.
    ///
    /// # Errors
    ///
    /// As [`Robot::new`].
    ///
    /// ```
    /// use polite_robots::{Options, Robot};
    ///
    /// // Google's matcher compares escapes of plain letters as they stand.
    /// let robots_txt = b"User-agent: *\nDisallow: /%61bc";
    /// let google = Robot::with_options("Googlebot", robots_txt, &Options::google())?;
    /// assert!(google.allowed("https://example.com/abc"));
    /// assert!(!Robot::new("Googlebot", robots_txt)?.allowed("https://example.com/abc"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn with_options(
        agent: &str,
        robots_txt: &[u8],
        options: &Options,
    ) -> Result<Robot, InvalidToken> {
        let agents = [agent];
        let source = Source::new(robots_txt, options);
        let agents = AgentSet::new(&agents, options.dialect)?;
        let mut collector = Collector::new(agents, options.dialect, source.octets.len());
        source.for_each_record(&mut (), |record| collector.take(record));
        Ok(collector.finish())
    }

    /// Allows everything, for a site without a robots.txt.
    ///
    /// ```
    /// use polite_robots::{Cause, Robot};
    ///
    /// let robot = Robot::allow_all(Cause::Status(404));
    /// assert_eq!(robot.check("/x").to_string(), "allowed: robots.txt answered with status 404");
    /// ```
    #[must_use]
    pub fn allow_all(cause: Cause) -> Robot {
        Robot::blanket(Access::Allow, cause)
    }

    /// Disallows everything but `/robots.txt`, which has to be fetched to learn that access is back.
    ///
    /// ```
    /// use polite_robots::{Cause, Robot};
    ///
    /// let robot = Robot::disallow_all(Cause::Unreachable);
    /// assert_eq!(robot.check("/x").to_string(), "disallowed: robots.txt unreachable");
    /// assert!(robot.allowed("https://example.com/robots.txt"));
    /// ```
    #[must_use]
    pub fn disallow_all(cause: Cause) -> Robot {
        Robot::blanket(Access::Disallow, cause)
    }

    fn blanket(access: Access, cause: Cause) -> Robot {
        let dialect = Dialect::Rfc9309;
        View {
            dialect,
            agent_match: AgentMatch::None,
            groups: AppliedGroups::default(),
            blanket: Some(Blanket { access, cause }),
            rules: RuleSet::empty(dialect),
            crawl_delay: None,
            sitemaps: Sitemaps::default(),
            records: None,
        }
        .into()
    }

    /// Whether the agent may fetch the URL. The same as `check(url).is_allowed()`, and faster.
    pub fn allowed<'u>(&self, url: impl Into<Target<'u>>) -> bool {
        let target = url.into();
        let path = target.path(self.view.dialect);
        match self.view.without_rules(&path) {
            Some((access, _)) => access == Access::Allow,
            None => self
                .view
                .rules
                .deciding(&path)
                .is_none_or(|rule| rule_access(rule) == Access::Allow),
        }
    }

    /// Whether the agent may fetch the URL, and why.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: ExampleBot\nDisallow: /*?session=")?;
    /// let verdict = robot.check("https://example.com/cart?session=1");
    /// assert!(!verdict.is_allowed());
    /// assert_eq!(verdict.to_string(), "disallowed by line 2: Disallow: /*?session= in the named group on line 1");
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn check<'u>(&self, url: impl Into<Target<'u>>) -> Verdict<'_> {
        let view = &*self.view;
        let target = url.into();
        let path = target.path(view.dialect);
        if let Some((access, reason)) = view.without_rules(&path) {
            return Verdict::new(access, reason, None, view.agent_match, None);
        }
        let Some(rule) = view.rules.deciding(&path) else {
            let reason = match view.agent_match {
                AgentMatch::None => Reason::NoGroup,
                AgentMatch::Wildcard | AgentMatch::Named => Reason::NoRuleMatches,
            };
            let group = view.groups.of_rule(None);
            return Verdict::new(Access::Allow, reason, None, view.agent_match, group);
        };
        let reason = match rule.origin() {
            Origin::File => Reason::Rule(rule),
            Origin::DirectoryOfIndex => Reason::DirectoryOfIndex(rule),
        };
        let opposite = match rule.access() {
            Access::Allow => Access::Disallow,
            Access::Disallow => Access::Allow,
        };
        let overruled = view.rules.deciding_of(opposite, &path);
        let group = view.groups.of_rule(Some(rule));
        Verdict::new(
            rule_access(rule),
            reason,
            overruled,
            view.agent_match,
            group,
        )
    }

    /// Which groups of the file apply to the agent.
    #[must_use]
    pub fn agent_match(&self) -> AgentMatch {
        self.view.agent_match
    }

    /// The lines of the `User-agent` records by which groups apply to the agent, from 1, in the order of the file: one
    /// for each group, the first in it that names the agent (or, if none in the file does, that is `*`).
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: OtherBot\nUser-agent: ExampleBot\nDisallow: /x\n\nUser-agent: ExampleBot")?;
    /// assert_eq!(robot.group_lines().collect::<Vec<u32>>(), [2, 5]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn group_lines(&self) -> impl Iterator<Item = u32> {
        self.view.groups.lines()
    }

    /// Leaves the wildcard out: if no group names the agent, nothing applies.
    ///
    /// Some crawlers that a site's owner has asked for read robots.txt so. Do not without such consent.
    ///
    /// ```
    /// use polite_robots::{AgentMatch, Robot};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /")?.named_only();
    /// assert_eq!(robot.agent_match(), AgentMatch::None);
    /// assert!(robot.allowed("/x"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn named_only(self) -> Robot {
        if self.view.agent_match != AgentMatch::Wildcard {
            return self;
        }
        View {
            dialect: self.view.dialect,
            agent_match: AgentMatch::None,
            groups: AppliedGroups::default(),
            blanket: self.view.blanket,
            rules: RuleSet::empty(self.view.dialect),
            crawl_delay: None,
            sitemaps: self.view.sitemaps.clone(),
            records: self
                .view
                .records
                .as_ref()
                .and_then(|records| records.for_everyone(self.view.dialect)),
        }
        .into()
    }

    /// The rules that apply and can match something, in the order in which they decide: most octets first, `Allow`
    /// before `Disallow`, then as in the file.
    pub fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.view.rules.rules()
    }

    /// The `Crawl-delay` that the file asks of the agent, exactly; the largest if there are several.
    ///
    /// Not part of RFC 9309, and not bounded: a hostile file may ask for 584 billion years. Cap it. A delay belongs
    /// to the `User-agent` lines directly above it, and a group that names the agent inherits none from `*`.
    #[must_use]
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.view.crawl_delay
    }

    /// The sitemaps of the file, whoever asks: in file order, as written, duplicates and relative ones included.
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.view.sitemaps.iter()
    }

    /// What the site asks about the use of the URL's content: by its `Content-Signal` and `Content-Usage` records that
    /// are for the agent. It never changes a verdict, and says nothing about fetching: ask [`Robot::check`] first.
    ///
    /// Of each field the records count whose path is the longest that matches, compared as rules are; no path is the
    /// shortest. If several count, the most restrictive does. A `Content-Signal` above every `User-agent` line is for
    /// every agent, beside those of its group. A group that names the agent inherits none from `*`. For a URL that must
    /// not be fetched a `Content-Usage` record states nothing (draft-ietf-aipref-attach §3.1).
    pub fn usage<'u>(&self, url: impl Into<Target<'u>>) -> Usage<'_> {
        let Some(records) = &self.view.records else {
            return Usage::default();
        };
        let target = url.into();
        let access = if self.allowed(&target) {
            Access::Allow
        } else {
            Access::Disallow
        };
        records.usage(&target.path(self.view.dialect), access)
    }

    /// The licences that are for the agent, as absolute URIs in the order of the file: those of its groups, or if they
    /// have none, those that stand above every `User-agent` line (RSL 1.0 §4.4, `License`). Relative ones are left out.
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    ///
    /// let robots_txt = RobotsTxt::parse(b"
    /// License: https://example.com/default.xml
    /// User-agent: ExampleBot
    /// License: https://example.com/examplebot.xml
    /// ");
    /// assert_eq!(robots_txt.robot("ExampleBot")?.licenses().next(), Some("https://example.com/examplebot.xml"));
    /// assert_eq!(robots_txt.robot("OtherBot")?.licenses().next(), Some("https://example.com/default.xml"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn licenses(&self) -> impl Iterator<Item = &str> {
        let records = self.view.records.as_deref();
        records.into_iter().flat_map(AgentRecords::licenses)
    }

    /// The `Request-rate` that the file asks of the agent; the slowest if there are several, whatever their windows.
    ///
    /// Not part of RFC 9309; it belongs to the agent as the crawl delay does.
    #[must_use]
    pub fn request_rate(&self) -> Option<RequestRate> {
        let rates = self.request_rates();
        // Of equally slow ones the first.
        rates.reduce(|slowest, rate| match rate.compare_slowness(&slowest) {
            core::cmp::Ordering::Greater => rate,
            _ => slowest,
        })
    }

    /// All of them, in the order of the file: a site may state one for each part of the day.
    pub fn request_rates(&self) -> impl Iterator<Item = RequestRate> {
        let records = self.view.records.as_deref();
        records.into_iter().flat_map(AgentRecords::request_rates)
    }

    /// The `Visit-time` that the file asks of the agent; the shortest if there are several.
    ///
    /// Not part of RFC 9309; it belongs to the agent as the crawl delay does.
    #[must_use]
    pub fn visit_time(&self) -> Option<DayWindow> {
        self.visit_times().min_by_key(DayWindow::minutes)
    }

    /// All of them, in the order of the file.
    pub fn visit_times(&self) -> impl Iterator<Item = DayWindow> {
        let records = self.view.records.as_deref();
        records.into_iter().flat_map(AgentRecords::visit_times)
    }
}

impl View {
    /// All but the lists.
    fn settled(&self) -> impl Eq + Hash {
        // Named one by one, so that a new field is not forgotten here.
        let View {
            dialect,
            agent_match,
            groups,
            blanket,
            rules: _,
            crawl_delay,
            sitemaps: _,
            records: _,
        } = self;
        (dialect, agent_match, groups, blanket, crawl_delay)
    }

    /// The records that it was made from, besides those that have a place of their own.
    pub(crate) fn records(&self) -> impl Iterator<Item = (ExtensionField, Addressee, &[u8], u32)> {
        let records = self.records.as_deref();
        records.into_iter().flat_map(AgentRecords::records)
    }

    /// The answer where no rule is asked.
    fn without_rules(&self, path: &[u8]) -> Option<(Access, Reason<'_>)> {
        if self.dialect == Dialect::Rfc9309 && path == b"/robots.txt" {
            return Some((Access::Allow, Reason::RobotsTxtItself));
        }
        self.blanket
            .map(|blanket| (blanket.access, Reason::Blanket(blanket.cause)))
    }
}

/// An empty `Disallow:`, which the Google dialect keeps for its line, disallows nothing.
fn rule_access(rule: Rule<'_>) -> Access {
    if rule.octets() == 0 {
        Access::Allow
    } else {
        rule.access()
    }
}

/// Equal when they answer every question alike, with the same lines.
impl PartialEq for Robot {
    fn eq(&self, other: &Robot) -> bool {
        Arc::ptr_eq(&self.view, &other.view)
            || self.view.settled() == other.view.settled()
                && self.rules().eq(other.rules())
                && self.sitemaps().eq(other.sitemaps())
                && self.view.records().eq(other.view.records())
    }
}

impl Eq for Robot {}

impl Hash for Robot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.view.settled().hash(state);
        self.rules().for_each(|rule| rule.hash(state));
        self.sitemaps().for_each(|sitemap| sitemap.hash(state));
        self.view.records().for_each(|record| record.hash(state));
    }
}

impl From<View> for Robot {
    fn from(view: View) -> Robot {
        Robot {
            view: Arc::new(view),
        }
    }
}

impl fmt::Debug for Robot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Robot")
            .field("dialect", &self.view.dialect)
            .field("agent_match", &self.view.agent_match)
            .field("group_lines", &DebugWith(|| self.group_lines()))
            .field("blanket", &self.view.blanket)
            .field("rules", &DebugWith(|| self.rules()))
            .field("crawl_delay", &self.view.crawl_delay)
            .field("sitemaps", &DebugWith(|| self.sitemaps()))
            .field("records", &self.view.records)
            .finish()
    }
}

/// Collects what applies to a set of agents, from a file or from a document: both give the same records, so both
/// give the same robot.
struct Collector<'a> {
    selection: Selection<'a>,
    dialect: Dialect,
    groups: AppliedGroups,
    rules: Arena,
    crawl_delay: Option<Duration>,
    sitemaps: Sitemaps,
    gathered: Option<Box<Gathered>>,
}

impl<'a> Collector<'a> {
    fn new(agents: AgentSet<'a>, dialect: Dialect, file_len: usize) -> Collector<'a> {
        Collector {
            selection: Selection::new(agents),
            dialect,
            groups: AppliedGroups::default(),
            rules: Arena::new(dialect, file_len),
            crawl_delay: None,
            sitemaps: Sitemaps::default(),
            gathered: None,
        }
    }

    #[inline]
    fn take(&mut self, record: KnownRecord<'_>) {
        let KnownRecord {
            directive,
            value,
            line,
        } = record;
        match directive {
            Directive::UserAgent => {
                let naming = self.selection.user_agent(value.octets());
                if naming == Naming::Supersedes {
                    self.groups.clear();
                    self.rules.clear();
                    self.crawl_delay = None;
                    if let Some(gathered) = &mut self.gathered {
                        gathered.drop_groups();
                    }
                }
                if naming != Naming::Nothing {
                    self.groups.push(line);
                }
            }
            Directive::Rule(access) => {
                if self.selection.rule() {
                    self.rules.push(access, value, line);
                }
            }
            Directive::Extension(field) => {
                let addressee = self.selection.extension(field);
                match (field, addressee) {
                    // `None` is less than any delay, so a bad line does not erase a good one.
                    (ExtensionField::CrawlDelay, Addressee::Us) => {
                        self.crawl_delay = self.crawl_delay.max(crawl_delay(value.octets()));
                    }
                    (ExtensionField::Sitemap, _) => self.sitemaps.push(value.octets()),
                    (_, Addressee::Others) => {}
                    _ => Gathered::push(&mut self.gathered, field, value.octets(), line, addressee),
                }
            }
        }
    }

    fn finish(self) -> Robot {
        View {
            dialect: self.dialect,
            agent_match: self.selection.agent_match(),
            groups: self.groups,
            blanket: None,
            rules: RuleSet::new(self.rules),
            crawl_delay: self.crawl_delay,
            sitemaps: self.sitemaps,
            records: self
                .gathered
                .and_then(|gathered| AgentRecords::new(*gathered, self.dialect)),
        }
        .into()
    }
}

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
    sitemaps: Sitemaps,
    clean_params: Option<Box<CleanParams>>,
    pub(crate) truncated_at: Option<usize>,
}

impl RobotsTxt {
    /// Reads a file in the default dialect. Never fails, whatever the octets are.
    #[must_use]
    pub fn parse(robots_txt: &[u8]) -> RobotsTxt {
        RobotsTxt::parse_with(robots_txt, &Options::rfc9309(), &mut ())
    }

    /// The same with a dialect and a size limit; what is odd about a line goes to `sink`, in the order of the file.
    ///
    /// ```
    /// use polite_robots::{Diagnostic, Options, RobotsTxt};
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
        let mut document = Document::new(source.octets);
        let mut sitemaps = Sitemaps::default();
        let mut clean_params = None;
        source.for_each_record(sink, |record| {
            document.push(record, source.octets.offset(record.value.with_comment()));
            match record.directive {
                Directive::Extension(ExtensionField::Sitemap) => {
                    sitemaps.push(record.value.octets());
                }
                Directive::Extension(ExtensionField::CleanParam) => {
                    let (value, line) = (record.value.octets(), record.line);
                    CleanParams::push(&mut clean_params, value, line, options.dialect);
                }
                _ => {}
            }
        });
        if let Some(clean_params) = &mut clean_params {
            clean_params.finish();
        }
        Kept {
            dialect: options.dialect,
            blanket: None,
            document,
            sitemaps,
            clean_params,
            truncated_at: source.truncated_at,
        }
        .into()
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
        Kept {
            dialect: Dialect::Rfc9309,
            blanket: Some(Blanket { access, cause }),
            document: Document::default(),
            sitemaps: Sitemaps::default(),
            clean_params: None,
            truncated_at: None,
        }
        .into()
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
        let mut collector = Collector::new(agents, kept.dialect, kept.document.octets().len());
        for record in kept.document.records() {
            collector.take(record);
        }
        Ok(collector.finish())
    }

    fn names(&self, agents: AgentSet<'_>) -> bool {
        self.kept.document.records().any(|record| {
            record.directive == Directive::UserAgent
                && agents.match_value(record.value.octets()) == AgentMatch::Named
        })
    }

    /// Every line of the file, in its order, read again from its octets. Between the spans of two lines there is a line
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
        self.kept.sitemaps.iter()
    }

    /// The records outside of RFC 9309 that this crate knows, in file order, valid or not.
    pub fn extensions(&self) -> impl Iterator<Item = Extension<'_>> {
        let records = self.kept.document.extensions();
        records.map(|(field, record, scope)| {
            Extension::new(field, record.value.octets(), record.line, scope)
        })
    }

    /// The preferred host name: the first valid `Host` record (Yandex, not read since March 2018).
    #[must_use]
    pub fn host(&self) -> Option<Host<'_>> {
        self.extensions().find_map(|record| match record.typed() {
            Record::Host(host) => Some(host),
            _ => None,
        })
    }

    /// The URL without the query parameters that do not change the page, by the `Clean-param` records of the file
    /// (Yandex); as it was if there are none. For a crawler's list of known URLs, so that a page is fetched once.
    ///
    /// A parameter is removed if a record names it, octet for octet and up to its `=`, and the record's path matches
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
        match &self.kept.clean_params {
            Some(clean_params) => clean_params.clean(url),
            None => Cow::Borrowed(url),
        }
    }

    /// The number of octets kept, if the file was cut at [`Options::max_bytes`] (or at 512 MiB, whatever that says).
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

    /// The file, octet for octet, as far as it was read.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.kept.document.octets()
    }
}

/// Equal when they are the same octets, read in the same dialect and to the same point.
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
        (dialect, blanket, truncated_at, document.octets())
    }
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
            .field("groups", &DebugWith(|| self.groups()))
            .field("extensions", &DebugWith(|| self.extensions()))
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

/// An iterator as a list in a `Debug` form.
struct DebugWith<F>(F);

impl<F: Fn() -> I, I: Iterator<Item: fmt::Debug>> fmt::Debug for DebugWith<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((self.0)()).finish()
    }
}
