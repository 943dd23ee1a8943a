use core::fmt;

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::rules::rule::Rule;

/// The answer to "may this agent fetch this URL", with its evidence.
///
/// `Display` is one sentence for a log or a person:
///
/// ```
/// use polite_robots::{Reason, Robot};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nAllow: /\nDisallow: /private/")?;
/// let verdict = robot.check("https://example.com/private/diary");
/// assert_eq!(
///     verdict.to_string(),
///     "disallowed by line 3: Disallow: /private/ in the wildcard group on line 1, over line 2: Allow: /",
/// );
/// assert_eq!(verdict.overruled().map(|rule| rule.line()), Some(2));
/// assert!(matches!(verdict.reason(), Reason::Rule(rule) if rule.length() == 9));
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Verdict<'r> {
    access: Access,
    reason: Reason<'r>,
    overruled: Option<Rule<'r>>,
    agent_match: AgentMatch,
    group_line: Option<u32>,
}

impl<'r> Verdict<'r> {
    pub(crate) fn new(
        access: Access,
        reason: Reason<'r>,
        overruled: Option<Rule<'r>>,
        agent_match: AgentMatch,
        group_line: Option<u32>,
    ) -> Verdict<'r> {
        Verdict {
            access,
            reason,
            overruled,
            agent_match,
            group_line,
        }
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.access == Access::Allow
    }

    /// What decided.
    #[must_use]
    pub fn reason(&self) -> Reason<'r> {
        self.reason
    }

    /// The rule that decided, if one did. In the Google dialect this is the rule of Google's `matching_line()`,
    /// also when it is an empty `Disallow:` that decides nothing.
    #[must_use]
    pub fn rule(&self) -> Option<Rule<'r>> {
        match self.reason {
            Reason::Rule(rule) | Reason::DirectoryOfIndex(rule) => Some(rule),
            Reason::NoRuleMatches
            | Reason::NoGroup
            | Reason::RobotsTxtItself
            | Reason::Blanket(_) => None,
        }
    }

    /// The rule of the opposite access with the most bytes among those that match too.
    #[must_use]
    pub fn overruled(&self) -> Option<Rule<'r>> {
        self.overruled
    }

    /// Which groups of the file the rules were taken from.
    #[must_use]
    pub fn agent_match(&self) -> AgentMatch {
        self.agent_match
    }

    /// The group that the deciding rule is in: the line, from 1, of the `User-agent` record by which it is the agent's.
    /// Where no rule decided, of the first group that applies; `None` where none does.
    #[must_use]
    pub fn group_line(&self) -> Option<u32> {
        self.group_line
    }
}

impl fmt::Display for Verdict<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let verdict = match self.access {
            Access::Allow => "allowed",
            Access::Disallow => "disallowed",
        };
        match self.rule() {
            Some(_) => write!(f, "{verdict} by {}", self.reason)?,
            None => write!(f, "{verdict}: {}", self.reason)?,
        }
        if let Some(line) = self.group_line {
            write!(f, " in the {} on line {line}", self.agent_match)?;
        }
        if let Some(overruled) = self.overruled {
            write!(f, ", over line {}: {overruled}", overruled.line())?;
        }
        Ok(())
    }
}

/// What decided a [`Verdict`].
///
/// ```
/// use polite_robots::{Reason, Robot};
///
/// let robot = Robot::new("ExampleBot", b"User-agent: OtherBot\nDisallow: /")?;
/// assert_eq!(robot.check("/x").reason(), Reason::NoGroup);
/// assert_eq!(robot.check("/robots.txt").reason(), Reason::RobotsTxtItself);
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason<'r> {
    /// The matching rule with the most bytes; `Allow` on a tie (RFC 9309 §2.2.2).
    Rule(Rule<'r>),
    /// Google dialect only: an `Allow` of an `index.htm…` page allows its directory too, and that was asked for. The
    /// rule is what Google makes of it, `Allow: /directory/$`, on the line of the written one.
    DirectoryOfIndex(Rule<'r>),
    /// Groups apply to the agent, but none of their rules matches: allowed.
    NoRuleMatches,
    /// The file has no group for the agent: allowed.
    NoGroup,
    /// `/robots.txt` is always allowed (RFC 9309 §2.2.2); not in the Google dialect.
    RobotsTxtItself,
    /// There is no file to read; access was decided for the whole site.
    Blanket(Cause),
}

impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Rule(rule) => write!(f, "line {}: {rule}", rule.line()),
            Reason::DirectoryOfIndex(rule) => write!(
                f,
                "line {}, the directory of an index page: {rule}",
                rule.line()
            ),
            Reason::NoRuleMatches => f.write_str("no rule matches"),
            Reason::NoGroup => f.write_str("no group is for this agent"),
            Reason::RobotsTxtItself => f.write_str("/robots.txt itself is always allowed"),
            Reason::Blanket(cause) => cause.fmt(f),
        }
    }
}

/// Why a whole site is allowed or disallowed without a rule: what happened instead of a robots.txt.
///
/// ```
/// use polite_robots::{Cause, Robot};
///
/// // RFC 9309 §2.3.1.3: a 404 means that everything may be fetched; §2.3.1.4: a 503 that nothing may.
/// let robot = Robot::disallow_all(Cause::Status(503));
/// assert_eq!(robot.check("/x").to_string(), "disallowed: robots.txt answered with status 503");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Cause {
    /// The crawler's operator decided so.
    Configured,
    /// robots.txt was not fetched yet.
    NotFetched,
    /// The HTTP status of robots.txt.
    Status(u16),
    /// No answer: a network or DNS error, or a time-out.
    Unreachable,
    /// More redirects than are followed.
    TooManyRedirects,
    /// The answer was cut short.
    Truncated,
    /// The answer could not be read as a robots.txt.
    ParseErrors,
    /// Unreachable, and there is no earlier copy to fall back on.
    NoCopy,
    /// Unreachable for so long that the site is treated as having no robots.txt; or, where it disallows, that it is not
    /// asked any more.
    GaveUp,
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Configured => f.write_str("configured for the whole site"),
            Cause::NotFetched => f.write_str("robots.txt not fetched yet"),
            Cause::Status(status) => write!(f, "robots.txt answered with status {status}"),
            Cause::Unreachable => f.write_str("robots.txt unreachable"),
            Cause::TooManyRedirects => f.write_str("robots.txt redirects too often"),
            Cause::Truncated => f.write_str("robots.txt was cut short"),
            Cause::ParseErrors => f.write_str("robots.txt could not be read"),
            Cause::NoCopy => f.write_str("robots.txt unreachable and no earlier copy at hand"),
            Cause::GaveUp => f.write_str("robots.txt unreachable for too long"),
        }
    }
}
