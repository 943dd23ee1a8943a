//! [`Robot`]: a robots.txt for one agent.

use alloc::borrow::Cow;
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::fmt;
use core::hash::{Hash, Hasher};
use core::time::Duration;

use crate::access::Access;
use crate::agent::{AgentMatch, AgentSet, InvalidToken};
use crate::compared_form::ComparedPath;
use crate::options::{Dialect, Options};
use crate::parse::Source;
use crate::parse::field::ExtensionLevel;
use crate::record::agent_record::AgentRecord;
use crate::record::policy_token::PolicyToken;
use crate::robots::agent_view::{AgentView, Blanket};
use crate::robots::collector::Collector;
use crate::rules::rule::Rule;
use crate::rules::rule_list::Origin;
use crate::target::Target;
use crate::verdict::{Cause, Reason, Verdict};

/// A robots.txt for one agent: the rules that apply to the agent, compiled.
///
/// A `Robot` is one reference count: clones are cheap and share everything. Make it once per site
/// and keep it.
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
    inner: Arc<Inner>,
}

/// The view comes first, as a check needs nothing else.
#[repr(C)]
struct Inner {
    view: AgentView,
    /// The rules of [`PolicyToken::AiTraining`], if a group of the file names it. That robot has no
    /// such rules itself.
    ai_training: Option<Robot>,
}

impl Robot {
    /// Reads a robots.txt for one agent, in the default dialect. One pass over the file; the
    /// records of other agents are not kept.
    ///
    /// `robots_txt` may be any bytes: lines that cannot be read are skipped, as RFC 9309 §2.2.4 and
    /// §2.3.1.5 ask.
    ///
    /// # Errors
    ///
    /// [`InvalidToken`] if `agent` is neither a product token nor `*`, which asks for the wildcard
    /// group alone.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: ExampleBot\nDisallow: /drafts/")?;
    /// assert!(!robot.allowed("https://example.com/drafts/1"));
    ///
    /// // A whole `User-Agent` header is no product token; the error names the one that was probably meant.
    /// let error = Robot::new("ExampleBot/1.0 (+https://example.com/bot)", b"").unwrap_err();
    /// assert!(error.to_string().contains("`ExampleBot`"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn new(agent: &str, robots_txt: &[u8]) -> Result<Robot, InvalidToken> {
        Robot::with_options(agent, robots_txt, &Options::rfc9309())
    }

    /// Reads a robots.txt for one agent, in a given dialect and up to a size limit.
    ///
    /// # Errors
    ///
    /// The same as those of [`Robot::new`].
    ///
    /// ```
    /// use polite_robots::{Options, Robot};
    ///
    /// // Google's matcher does not decode escapes: `%61` and `a` differ.
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
        let len = source.bytes.len();
        let mut collector = Collector::new(agents, options.dialect, len);
        walk(&source, &mut collector);
        let ai_training = collector
            .names_policy()
            .then(|| ai_training(&source, options.dialect, len));
        Ok(Robot::with_policy(collector.finish(), ai_training))
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
        let access = Access::Allow;
        Blanket { access, cause }.into()
    }

    /// Disallows everything but `/robots.txt`, which has to be fetched to learn that access is
    /// back.
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
        let access = Access::Disallow;
        Blanket { access, cause }.into()
    }

    /// Whether the agent may fetch the URL: `check(url).is_allowed()` without the search for the
    /// evidence.
    ///
    /// Resolve a link of a page first; [`Target::absolute`] refuses a relative one.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /*.zip$")?;
    /// let queue = ["https://example.com/", "https://example.com/data.zip"];
    /// let to_fetch: Vec<&str> = queue.into_iter().filter(|url| robot.allowed(*url)).collect();
    /// assert_eq!(to_fetch, ["https://example.com/"]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn allowed<'u>(&self, url: impl Into<Target<'u>>) -> bool {
        let target = url.into();
        // Most URLs have one reading and need no copy of the path. Through the values that carry a
        // second reading and a copy, a check takes 2 % more instructions.
        let access = match target.plain_path(self.inner.view.dialect) {
            Some(path) => self.access(path),
            None => self.access_in_readings(&target).1,
        };
        access == Access::Allow
    }

    /// The path with the query that [`Robot::check`] decides about, in the form that rules are
    /// compared with.
    ///
    /// It is [`Target::path`], unless the path of the URL has a `\` and only its other reading is
    /// disallowed.
    ///
    /// ```
    /// use polite_robots::{Robot, Target};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private")?;
    /// // Browsers send `//private`, and curl sends `/private`.
    /// let target = Target::new("https://example.com/\\/../private");
    /// assert!(!robot.allowed(&target));
    /// assert_eq!(*robot.deciding_path(&target), *b"/private");
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn deciding_path<'t>(&self, target: &'t Target<'_>) -> Cow<'t, [u8]> {
        self.access_in_readings(target).0
    }

    #[inline(never)]
    fn access_in_readings<'t>(&self, target: &'t Target<'_>) -> (Cow<'t, [u8]>, Access) {
        self.in_readings(target, |path| {
            let access = self.access(ComparedPath::new(path));
            (access, access)
        })
    }

    /// The path that decides, and the answer about it. `ask` gives the access beside the answer.
    fn in_readings<'t, A>(
        &self,
        target: &'t Target<'_>,
        ask: impl Fn(&[u8]) -> (Access, A),
    ) -> (Cow<'t, [u8]>, A) {
        let (first, second) = target.readings(self.inner.view.dialect);
        let (access, answer) = ask(&first);
        if let (Access::Allow, Some(second)) = (access, second) {
            let (access, answer) = ask(&second);
            if access == Access::Disallow {
                return (second, answer);
            }
        }
        (first, answer)
    }

    #[inline(always)]
    fn access(&self, path: ComparedPath<'_>) -> Access {
        match self.inner.view.without_rules(path.bytes) {
            Some((access, _)) => access,
            None => self.inner.view.rules.effect(path).unwrap_or(Access::Allow),
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
        self.check_target(&url.into())
    }

    // Not generic, so the program has it once, whatever types the questions have.
    #[inline(never)]
    fn check_target(&self, target: &Target<'_>) -> Verdict<'_> {
        let ask = |path: &[u8]| {
            let verdict = self.verdict(path);
            (verdict.access, verdict)
        };
        self.in_readings(target, ask).1
    }

    fn verdict(&self, path: &[u8]) -> Verdict<'_> {
        let view = &self.inner.view;
        let site_answer = view.without_rules(path);
        let (rule, overruled) = match site_answer {
            Some(_) => (None, None),
            None => view.rules.deciding_and_overruled(path),
        };
        let (access, reason) = match (site_answer, rule) {
            (Some(answer), _) => answer,
            (None, Some(rule)) => match rule.entry.origin() {
                Origin::File => (rule.entry.effect(), Reason::Rule(rule)),
                Origin::DirectoryOfIndex => (rule.entry.effect(), Reason::DirectoryOfIndex(rule)),
            },
            (None, None) if view.agent_match == AgentMatch::None => {
                (Access::Allow, Reason::NoGroup)
            }
            (None, None) => (Access::Allow, Reason::NoRuleMatches),
        };
        Verdict {
            access,
            reason,
            overruled,
            agent_match: view.agent_match,
            group_line: view.groups.of_rule(rule).filter(|_| site_answer.is_none()),
        }
    }

    /// The groups of the file that apply to the agent: those that name it, those of `*`, or none.
    ///
    /// ```
    /// use polite_robots::{AgentMatch, Robot};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /tmp/")?;
    /// assert_eq!(robot.agent_match(), AgentMatch::Wildcard);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn agent_match(&self) -> AgentMatch {
        self.inner.view.agent_match
    }

    /// The lines, from 1, of the `User-agent` records that make groups apply to the agent, in the
    /// order of the file. Each group has one: its first record that names the agent, or `*` if no
    /// group of the file names the agent.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: OtherBot\nUser-agent: ExampleBot\nDisallow: /x\n\nUser-agent: ExampleBot")?;
    /// assert_eq!(robot.group_lines().collect::<Vec<u32>>(), [2, 5]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn group_lines(&self) -> impl Iterator<Item = u32> {
        self.inner.view.groups.lines()
    }

    /// Leaves the wildcard groups out: if no group names the agent, nothing applies.
    ///
    /// Some crawlers read robots.txt like this on sites whose owners asked for them. Do not do
    /// so without their consent.
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
        if self.inner.view.agent_match != AgentMatch::Wildcard {
            return self;
        }
        let for_everyone = |record: &&AgentRecord| record.level() == ExtensionLevel::File;
        let view = AgentView {
            sitemaps: self.inner.view.sitemaps.clone(),
            records: self.records().filter(for_everyone).cloned().collect(),
            ..AgentView::without_groups(self.inner.view.dialect)
        };
        Robot::with_policy(view, self.inner.ai_training.clone())
    }

    /// The rules that apply and can match something, in precedence order: most bytes first, `Allow`
    /// before `Disallow`, then as in the file. The first that matches a URL decides about it.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /\nAllow: /public/")?;
    /// let rules: Vec<String> = robot.rules().map(|rule| rule.to_string()).collect();
    /// assert_eq!(rules, ["Allow: /public/", "Disallow: /"]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn rules(&self) -> impl Iterator<Item = Rule<'_>> {
        self.inner.view.rules.rules()
    }

    /// The `Crawl-delay` that the file asks of the agent, exactly; the largest if there are
    /// several.
    ///
    /// RFC 9309 does not define it, and it has no upper bound: a hostile file may ask for 584
    /// billion years, so cap it. A delay belongs to the `User-agent` lines directly above it, and a
    /// group that names the agent inherits none from `*`.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nCrawl-delay: 2.5")?;
    /// let delay = robot.crawl_delay().unwrap_or_default().min(Duration::from_secs(60));
    /// assert_eq!(delay, Duration::from_millis(2500));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn crawl_delay(&self) -> Option<Duration> {
        self.inner.view.crawl_delay
    }

    /// The values of the file's `Sitemap` records, for every agent: in the order of the file, as
    /// written, duplicates and relative ones included.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"Sitemap: https://example.com/sitemap.xml")?;
    /// assert_eq!(robot.sitemaps().next(), Some("https://example.com/sitemap.xml"));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn sitemaps(&self) -> impl Iterator<Item = &str> {
        self.inner.view.sitemaps.iter()
    }

    /// The records outside of RFC 9309 that are for the agent, as they are written, in the order of
    /// the file: `Content-Signal`, `Content-Usage`, `License`, `Request-rate` and `Visit-time`. The
    /// crate [`polite-robots-records`](https://docs.rs/polite-robots-records) says what they mean.
    ///
    /// A record belongs to the `User-agent` lines directly above it, as a crawl delay does, and a
    /// group that names the agent inherits none from `*`. A `Content-Signal` or `License` above
    /// every `User-agent` line is for everyone.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nContent-Signal: ai-train=no")?;
    /// let records: Vec<String> = robot.records().map(|record| record.to_string()).collect();
    /// assert_eq!(records, ["Content-Signal: ai-train=no"]);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn records(&self) -> impl Iterator<Item = &AgentRecord> {
        self.inner.view.records.iter()
    }

    /// The rules of the groups that name a use of content in place of a crawler. Their answer about
    /// a URL says whether that use is wanted there, and never whether the URL may be fetched.
    ///
    /// `None` if no group of the file names the token: the groups of `*` are for crawlers, and
    /// state nothing. The crate [`polite-robots-records`](https://docs.rs/polite-robots-records) takes
    /// these rules together with the records about use.
    ///
    /// ```
    /// use polite_robots::Robot;
    /// use polite_robots::record::PolicyToken;
    ///
    /// let robot = Robot::new("ExampleBot", b"
    /// User-agent: __usage_ai-training
    /// Disallow: /stories/
    ///
    /// User-agent: *
    /// Allow: /
    /// ")?;
    /// let story = "https://example.com/stories/1";
    /// assert!(robot.allowed(story));
    /// let training = robot.policy(PolicyToken::AiTraining).ok_or("not named")?;
    /// assert_eq!(training.check(story).rule().map(|rule| rule.line()), Some(3));
    /// assert!(training.check("https://example.com/").rule().is_none());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn policy(&self, token: PolicyToken) -> Option<&Robot> {
        match token {
            PolicyToken::AiTraining => self.inner.ai_training.as_ref(),
        }
    }

    /// The dialect in which the file was read.
    pub fn dialect(&self) -> Dialect {
        self.inner.view.dialect
    }

    pub(crate) fn with_policy(view: AgentView, ai_training: Option<Robot>) -> Robot {
        Robot {
            inner: Arc::new(Inner { view, ai_training }),
        }
    }

    fn identity(&self) -> impl Eq + Hash {
        let Inner { view, ai_training } = &*self.inner;
        (view.identity(), ai_training)
    }

    /// Everything that the serialized form needs.
    #[cfg(feature = "serde")]
    pub(crate) fn view(&self) -> &AgentView {
        &self.inner.view
    }
}

/// Hands every record of a file to a collector. In a module for the web both walks share one
/// function, as its loop is large; elsewhere a parse of a small file takes 2 % fewer instructions
/// with a loop of its own.
#[cfg_attr(target_family = "wasm", inline(never))]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn walk(source: &Source<'_>, collector: &mut Collector<'_>) {
    source.for_each_record(|record| collector.take(record));
}

/// The rules for the training of AI models, by a second walk.
#[cold]
#[inline(never)]
fn ai_training(source: &Source<'_>, dialect: Dialect, file_len: usize) -> Robot {
    let mut collector = Collector::of_ai_training(dialect, file_len);
    walk(source, &mut collector);
    collector.finish().into()
}

impl From<AgentView> for Robot {
    fn from(view: AgentView) -> Robot {
        Robot::with_policy(view, None)
    }
}

impl From<Blanket> for Robot {
    fn from(blanket: Blanket) -> Robot {
        AgentView {
            blanket: Some(blanket),
            ..AgentView::without_groups(Dialect::Rfc9309)
        }
        .into()
    }
}

/// Equal when they answer every question alike, with the same lines.
impl PartialEq for Robot {
    fn eq(&self, other: &Robot) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner) || self.identity() == other.identity()
    }
}

impl Eq for Robot {}

impl Hash for Robot {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.identity().hash(state);
    }
}

impl fmt::Debug for Robot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Robot")
            .field("dialect", &self.inner.view.dialect)
            .field("agent_match", &self.inner.view.agent_match)
            .field("group_lines", &self.group_lines().collect::<Vec<_>>())
            .field("blanket", &self.inner.view.blanket)
            .field("rules", &self.rules().collect::<Vec<_>>())
            .field("crawl_delay", &self.inner.view.crawl_delay)
            .field("sitemaps", &self.sitemaps().collect::<Vec<_>>())
            .field("records", &self.inner.view.records)
            .field("ai_training", &self.inner.ai_training)
            .finish()
    }
}
