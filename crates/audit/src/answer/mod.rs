//! The answer to the question of what this crawler will do with this URL.
//!
//! A crawler obeys the groups that its operator says it obeys, and Google's crawlers read a file as
//! Google's matcher does. So the question has one answer, whoever asks it: a verdict, the dialect
//! of the verdict, and notes where another reading of the file, of the agent's name or of the URL
//! gives the opposite verdict.
//!
//! ```
//! use polite_robots::{Dialect, RobotsTxt};
//! use polite_robots_audit::answer::{Reading, Readings};
//!
//! let readings = Readings::new(&RobotsTxt::parse(b"User-agent: *\nDisallow: /\nAllow: /index.html"));
//! let googlebot = readings.answers("Googlebot", Reading::Crawler)?;
//! let answer = googlebot.about("https://example.com/");
//! assert!(answer.verdict().is_allowed() && answer.dialect() == Dialect::Google);
//! assert!(answer.note().ok_or("no note")?.starts_with("RFC 9309 differs: disallowed"));
//!
//! let bingbot = readings.answers("bingbot", Reading::Crawler)?;
//! assert!(!bingbot.about("https://example.com/").verdict().is_allowed());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod statement;

use polite_robots::record::PolicyToken;
use polite_robots::{AgentMatch, Dialect, InvalidToken, Robot, RobotsTxt, Target, Verdict};

use crate::answer::statement::Statement;
use crate::budget::RobotSize;
use crate::comparison::Comparison;
use crate::known::{self, KnownCrawler};
use crate::policy::use_of;
pub use crate::readings::{Reading, Readings};

impl Readings {
    /// The answers about an agent.
    ///
    /// # Errors
    ///
    /// If the agent is neither a product token nor `*`.
    pub fn answers(&self, agent: &str, reading: Reading) -> Result<Answers<'_>, InvalidToken> {
        Answers::new(self, agent, reading)
    }
}

/// The answers of one file about one agent.
#[derive(Debug)]
pub struct Answers<'r> {
    robots_txt: &'r RobotsTxt,
    agent: String,
    crawler: Option<&'static KnownCrawler>,
    /// The rules that decide, in both dialects.
    comparison: Comparison,
    dialect: Dialect,
    /// The rules that do not decide, if the operator's statement gives the agent other rules than
    /// its name alone.
    other_rules: Option<(Statement, Robot)>,
    is_by_statement: bool,
}

impl<'r> Answers<'r> {
    fn new(
        readings: &'r Readings,
        agent: &str,
        reading: Reading,
    ) -> Result<Answers<'r>, InvalidToken> {
        let dialect = reading.dialect(agent);
        let robots_txt = readings.in_dialect(dialect);
        let by_name = robots_txt.robot(agent)?;
        let crawler = known::find(agent);
        let other_rules = crawler.and_then(|crawler| {
            let robot = crawler.robot(robots_txt).ok()?;
            let statement = Statement::new(crawler, robots_txt, &by_name, &robot)?;
            let other = match reading {
                Reading::Crawler => by_name,
                Reading::Of(_) => robot,
            };
            Some((statement, other))
        });
        Ok(Answers {
            robots_txt,
            agent: agent.to_owned(),
            crawler,
            comparison: Comparison::between(readings, |robots_txt| {
                reading.robot(agent, robots_txt)
            })?,
            dialect,
            other_rules,
            is_by_statement: reading == Reading::Crawler,
        })
    }

    /// The agent as it is given.
    #[must_use]
    pub fn agent(&self) -> &str {
        &self.agent
    }

    /// The crawler with this token, if it is known.
    #[must_use]
    pub fn crawler(&self) -> Option<&'static KnownCrawler> {
        self.crawler
    }

    /// The dialect of the answers.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The rules that decide.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        self.comparison.robot(self.dialect)
    }

    /// The rules that decide, in both dialects: the source of [`Answer::other_dialect`].
    ///
    /// ```
    /// use polite_robots::RobotsTxt;
    /// use polite_robots_audit::answer::{Reading, Readings};
    ///
    /// let readings = Readings::new(&RobotsTxt::parse(b"User-agent: *\nDisallow: /"));
    /// let answers = readings.answers("ExampleBot", Reading::Crawler)?;
    /// let answer = answers.about("/robots.txt");
    /// assert!(answer.other_dialect().is_some());
    /// assert!(answers.comparison().disagreement("/robots.txt").is_some());
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn comparison(&self) -> &Comparison {
        &self.comparison
    }

    /// The approximate memory that these answers alone keep: the rules and records of a named agent
    /// in both dialects. Agents that are not named share those for `*`.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let robots =
            [Dialect::Rfc9309, Dialect::Google].map(|dialect| self.comparison.robot(dialect));
        let named = robots
            .into_iter()
            .filter(|robot| robot.agent_match() == AgentMatch::Named);
        named.fold(0, |bytes, robot| {
            bytes.saturating_add(RobotSize::of(robot).bytes())
        })
    }

    /// The file, as the dialect reads it.
    pub(crate) fn robots_txt(&self) -> &'r RobotsTxt {
        self.robots_txt
    }

    /// The second token whose groups the agent obeys by its operator's statement, if no group names
    /// the agent.
    pub(crate) fn second_token(&self) -> Option<&'static str> {
        let (statement, _) = self.other_rules.as_ref().filter(|_| self.is_by_statement)?;
        statement.second_token()
    }

    /// Whether the agent may request a URL.
    #[must_use]
    pub fn allowed(&self, url: &str) -> bool {
        self.robot().allowed(Target::requested(url))
    }

    /// The answer about a URL, or about a path such as `/a?b`.
    ///
    /// It is about the request that a client makes of the text ([`Target::requested`]).
    #[must_use]
    pub fn about(&self, url: &str) -> Answer<'_> {
        self.about_target(&Target::requested(url))
    }

    /// The answer about a request, such as one of a log ([`Target::sent`]).
    #[must_use]
    pub fn about_target(&self, target: &Target<'_>) -> Answer<'_> {
        let verdict = self.robot().check(target);
        Answer {
            verdict,
            dialect: self.dialect,
            operator: self.operator(target, &verdict),
            other_path: self.other_path(target, &verdict),
            other_dialect: self.other_dialect(target, &verdict),
        }
    }

    /// The operator's statement, where it changes the answer.
    fn operator(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        let (statement, robot) = self.other_rules.as_ref()?;
        let other = robot.check(target);
        if other.is_allowed() == verdict.is_allowed() {
            return None;
        }
        Some(match self.is_by_statement {
            true => format!("{statement}; by its own name alone it would be {other}"),
            false => format!("{statement}: then {other}"),
        })
    }

    /// The path that decides, where it is not the one that browsers ask for.
    fn other_path(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        if self.dialect == Dialect::Google || verdict.is_allowed() {
            return None;
        }
        let (first, deciding) = (
            target.path(self.dialect),
            self.robot().deciding_path(target),
        );
        (first != deciding).then(|| {
            format!(
                "browsers read `\\` as `/` and ask for {}, which is allowed; curl sends the `\\` and asks for {}",
                String::from_utf8_lossy(&first),
                String::from_utf8_lossy(&deciding),
            )
        })
    }

    /// The answer of the other dialect, if it differs.
    fn other_dialect(&self, target: &Target<'_>, verdict: &Verdict<'_>) -> Option<String> {
        let (name, other) = match self.dialect {
            Dialect::Rfc9309 => ("Google's matcher", Dialect::Google),
            Dialect::Google => ("RFC 9309", Dialect::Rfc9309),
        };
        // Nearly all URLs get one answer in both dialects, and one of the two is known here.
        if self.comparison.robot(other).allowed(target) == verdict.is_allowed() {
            return None;
        }
        let disagreement = self.comparison.disagreement_about(target)?;
        let verdict = match other {
            Dialect::Rfc9309 => disagreement.rfc9309(),
            Dialect::Google => disagreement.google(),
        };
        let reason = disagreement.reason();
        Some(format!("{name} differs: {verdict}. {reason}"))
    }

    /// The operator's statement about the groups that the agent obeys, where RFC 9309 gives it
    /// others, whatever the URL.
    #[must_use]
    pub fn statement(&self) -> Option<String> {
        let (statement, _) = self.other_rules.as_ref()?;
        Some(statement.to_string())
    }

    /// Facts about the agent's name, as sentences: the name is no longer used, its crawler need not
    /// obey, it is close to the name of a known crawler, or it names a product, a company or a use.
    pub fn remarks(&self) -> impl Iterator<Item = String> {
        let remarks = self.crawler.into_iter().flat_map(KnownCrawler::remarks);
        let remarks = remarks.map(|remark| format!("{} is known: {remark}", self.agent));
        let meant = known::meant(&self.agent).map(|meant| meant.sentence(&self.agent));
        let of_use = PolicyToken::find(&self.agent).map(|token| {
            let (agent, used_for) = (&self.agent, use_of(token));
            format!("{agent} is the name of a use, {used_for}, and of no crawler")
        });
        remarks.chain(meant).chain(of_use)
    }
}

/// An answer about one URL.
#[derive(Debug, Clone)]
pub struct Answer<'c> {
    verdict: Verdict<'c>,
    dialect: Dialect,
    operator: Option<String>,
    other_path: Option<String>,
    other_dialect: Option<String>,
}

impl<'c> Answer<'c> {
    /// The verdict with its evidence.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'c> {
        self.verdict
    }

    /// The dialect of the verdict.
    #[must_use]
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The operator's statement, if it changes the answer.
    #[must_use]
    pub fn operator(&self) -> Option<&str> {
        self.operator.as_deref()
    }

    /// The other request that clients make of the URL, if that one alone is disallowed.
    #[must_use]
    pub fn other_path(&self) -> Option<&str> {
        self.other_path.as_deref()
    }

    /// The answer of the other dialect, if it differs.
    #[must_use]
    pub fn other_dialect(&self) -> Option<&str> {
        self.other_dialect.as_deref()
    }

    /// All notes about other answers in one text; `None` if every reading gives this answer.
    #[must_use]
    pub fn note(&self) -> Option<String> {
        let notes = [self.operator(), self.other_path(), self.other_dialect()];
        let notes: Vec<&str> = notes.into_iter().flatten().collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}
