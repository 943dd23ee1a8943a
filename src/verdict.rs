//! [`Verdict`]: the answer to a question, with its evidence.

use core::fmt;

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::rules::rule::Rule;

/// The answer to "may this agent fetch this URL?", with its evidence.
///
/// `Display` writes one sentence for a log or a person:
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
    pub(crate) access: Access,
    pub(crate) reason: Reason<'r>,
    pub(crate) overruled: Option<Rule<'r>>,
    pub(crate) agent_match: AgentMatch,
    pub(crate) group_line: Option<u32>,
}

impl<'r> Verdict<'r> {
    /// Whether the URL may be fetched.
    pub fn is_allowed(&self) -> bool {
        self.access == Access::Allow
    }

    /// The reason of the answer: a rule, or the lack of one.
    ///
    /// ```
    /// use polite_robots::{Reason, Robot};
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /tmp/")?;
    /// assert_eq!(robot.check("/x").reason(), Reason::NoRuleMatches);
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn reason(&self) -> Reason<'r> {
        self.reason
    }

    /// The rule that decided, if one did. In the Google dialect it is the rule of Google's
    /// `matching_line()`, also where that is an empty `Disallow:`, which disallows nothing.
    pub fn rule(&self) -> Option<Rule<'r>> {
        match self.reason {
            Reason::Rule(rule) | Reason::DirectoryOfIndex(rule) => Some(rule),
            Reason::NoRuleMatches
            | Reason::NoGroup
            | Reason::RobotsTxtItself
            | Reason::Blanket(_) => None,
        }
    }

    /// The longest matching rule of the opposite access, which would decide without
    /// [`Verdict::rule`].
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /\nAllow: /public/")?;
    /// let verdict = robot.check("/public/report");
    /// assert_eq!(verdict.overruled().map(|rule| rule.line()), Some(2));
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub fn overruled(&self) -> Option<Rule<'r>> {
        self.overruled
    }

    /// The groups of the file that the rules are from: those that name the agent, those of `*`, or
    /// none.
    pub fn agent_match(&self) -> AgentMatch {
        self.agent_match
    }

    /// The line, from 1, of the `User-agent` record by which the group of the deciding rule applies
    /// to the agent. Without a deciding rule, that of the first group that applies; `None` if no
    /// group does.
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

/// The reason of a [`Verdict`].
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
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
// A binary format writes the number of a variant, so new ones come last.
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Reason<'r> {
    /// The matching rule with the most bytes decided; `Allow` on a tie (RFC 9309 §2.2.2).
    Rule(Rule<'r>),
    /// Google dialect only: an `Allow` for an `index.htm…` page allowed the directory of the page
    /// too. The rule is the one that Google derives, `Allow: /directory/$`, with the line of the
    /// written one.
    DirectoryOfIndex(Rule<'r>),
    /// Groups apply to the agent, but none of their rules matches, so the URL is allowed.
    NoRuleMatches,
    /// The file has no group for the agent, so the URL is allowed.
    NoGroup,
    /// The URL is `/robots.txt`, which is always allowed (RFC 9309 §2.2.2), but not in the Google
    /// dialect.
    RobotsTxtItself,
    /// There was no file to read, and the access of the whole site follows from the cause.
    Blanket(Cause),
}

impl Reason<'_> {
    /// A stable name for machines, which is that of serde too: `rule`, `directory_of_index`,
    /// `no_rule_matches`, `no_group`, `robots_txt_itself`, `blanket`.
    ///
    /// ```
    /// use polite_robots::Robot;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /x")?;
    /// assert_eq!(robot.check("/a").reason().as_str(), "no_rule_matches");
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Reason::Rule(_) => "rule",
            Reason::DirectoryOfIndex(_) => "directory_of_index",
            Reason::NoRuleMatches => "no_rule_matches",
            Reason::NoGroup => "no_group",
            Reason::RobotsTxtItself => "robots_txt_itself",
            Reason::Blanket(_) => "blanket",
        }
    }
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

/// The event that decides about a whole site in place of a robots.txt.
///
/// ```
/// use polite_robots::{Cause, Robot};
///
/// // RFC 9309 §2.3.1.3: after a 404 everything may be fetched. §2.3.1.4: after a 503 nothing may.
/// let robot = Robot::disallow_all(Cause::Status(503));
/// assert_eq!(robot.check("/x").to_string(), "disallowed: robots.txt answered with status 503");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
// A binary format writes the number of a variant, so new ones come last.
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Cause {
    /// The crawler's operator decided so.
    Configured,
    /// The robots.txt was not fetched yet.
    NotFetched,
    /// The request for the robots.txt was answered with this HTTP status.
    Status(u16),
    /// The request got no answer: a network or DNS error, or a time-out.
    Unreachable,
    /// The robots.txt redirects more often than the crawler follows.
    TooManyRedirects,
    /// The answer was cut short.
    Truncated,
    /// The robots.txt has a line that holds no record, and the crawler treats it as missing.
    ParseErrors,
    /// The robots.txt is unreachable, and there is no earlier copy to fall back on.
    NoCopy,
    /// The robots.txt was unreachable for so long that the crawler stopped waiting for it: with an
    /// allowing answer the site counts as one without a robots.txt, with a disallowing one it is
    /// not asked any more.
    GaveUp,
    /// The answer is no text: it is in a coding that nobody has undone, such as gzip, or an
    /// archive.
    Encoded,
    /// The crawler's memory has no room for another site, so the robots.txt was not fetched.
    Full,
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
            Cause::ParseErrors => f.write_str("robots.txt has a line that cannot be read"),
            Cause::NoCopy => f.write_str("robots.txt unreachable and no earlier copy at hand"),
            Cause::GaveUp => f.write_str("robots.txt unreachable for too long"),
            Cause::Encoded => f.write_str("robots.txt is in a coding that cannot be read"),
            Cause::Full => f.write_str("no room for another robots.txt"),
        }
    }
}
