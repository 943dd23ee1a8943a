use alloc::sync::Arc;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::time::Duration;

use crate::access::Access;
use crate::agent::{AgentMatch, AgentSet, InvalidToken};
use crate::options::{Dialect, Options};
use crate::parse::Source;
use crate::record::agent_records::AgentRecords;
use crate::record::day_window::DayWindow;
use crate::record::request_rate::RequestRate;
use crate::record::sitemap::Sitemaps;
use crate::record::usage::Usage;
use crate::robots::agent_view::{AgentView, AppliedGroups, Blanket};
use crate::robots::collector::Collector;
use crate::robots::debug_list::DebugList;
use crate::rules::patterns::Origin;
use crate::rules::{Rule, RuleSet};
use crate::target::Target;
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
    pub(crate) view: Arc<AgentView>,
}

impl Robot {
    /// Reads a robots.txt for one agent, in the default dialect. One pass; what is for other agents is not kept.
    ///
    /// `robots_txt` may be any bytes: what cannot be read is skipped, as RFC 9309 §2.2.4 and §2.3.1.5 ask.
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
        let mut collector = Collector::new(agents, options.dialect, source.bytes.len());
        source.for_each_record(&mut (), |record| collector.take(record));
        Ok(collector.finish().into())
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

    pub(crate) fn blanket(access: Access, cause: Cause) -> Robot {
        let dialect = Dialect::Rfc9309;
        AgentView {
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

    /// Whether the agent may fetch the URL. The same as `check(url).is_allowed()`, without the search for what else matches.
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
        AgentView {
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

    /// The rules that apply and can match something, in the order in which they decide: most bytes first, `Allow`
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

/// An empty `Disallow:`, which the Google dialect keeps for its line, disallows nothing.
fn rule_access(rule: Rule<'_>) -> Access {
    if rule.length() == 0 {
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

impl From<AgentView> for Robot {
    fn from(view: AgentView) -> Robot {
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
            .field("group_lines", &DebugList(|| self.group_lines()))
            .field("blanket", &self.view.blanket)
            .field("rules", &DebugList(|| self.rules()))
            .field("crawl_delay", &self.view.crawl_delay)
            .field("sitemaps", &DebugList(|| self.sitemaps()))
            .field("records", &self.view.records)
            .finish()
    }
}
