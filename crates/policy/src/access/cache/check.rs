//! The answer about one URL, which a caller can keep and print.

use alloc::boxed::Box;
use alloc::string::String;
use core::fmt;

use polite_robots::{Cause, Reason, Robot, Target};

use crate::access::cache::lookup::Closed;
use crate::access::explain::NextFetch;
use crate::time::Timestamp;

/// Whether a URL may be fetched now, and why: the answer of
/// [`RobotsCache::check`](crate::RobotsCache::check). The default is no permission.
///
/// Its text is one sentence, such as `disallowed by line 2: Disallow: /private/ in the wildcard
/// group on line 1`, or `disallowed: robots.txt answered with status 503; next fetch:
/// 2026-01-01T00:00:02Z`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct RobotsCheck {
    /// Whether the URL may be fetched.
    pub allowed: bool,
    /// Whether nothing of the site may be fetched although no rule says so, as in an outage: keep
    /// the URL until [`RobotsCheck::retry_at`].
    pub closed: bool,
    /// The reason, if no rule of a file decided. [`Cause::Full`] means that the cache has no room
    /// for the site, because it must not forget the others yet.
    pub cause: Option<Cause>,
    /// When to ask again about a site that is closed; `None` if it was given up for good.
    pub retry_at: Option<Timestamp>,
    /// Whether the host has no turn in time, an answer of
    /// [`RobotsCache::wait`](crate::RobotsCache::wait) only. Such an answer is
    /// [closed](RobotsCheck::closed) too and has no cause; [`RobotsCheck::retry_at`] is the next
    /// turn of the host, if that is known.
    pub busy: bool,
    /// The line of the rule that decided, from 1.
    pub line: Option<u32>,
    /// The question and its answer. The sentence is written on demand, because it takes as long as
    /// the whole answer.
    question: Question,
    robot: Robot,
}

/// The question that the verdict answers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Question {
    Url(String),
    Sent(Box<[u8]>),
}

impl Question {
    fn target(&self) -> Target<'_> {
        match self {
            Question::Url(url) => Target::from(url),
            Question::Sent(target) => Target::sent(target),
        }
    }
}

impl RobotsCheck {
    /// The answer by the rules in force, or about an origin that is closed: those of
    /// [`Cache::poll_and_release`](crate::Cache::poll_and_release).
    #[must_use]
    pub fn new(url: &str, access: Result<Robot, Closed>) -> RobotsCheck {
        let robot = match access {
            Ok(robot) => robot,
            Err(closed) => return RobotsCheck::of_closed(closed),
        };
        RobotsCheck::of_question(Question::Url(url.into()), robot)
    }

    /// The answer about the URL and about the request that a client sends for it: the URL may be
    /// fetched only if both are allowed, and the first that is not decides.
    ///
    /// `target` is what [`Target::sent`] takes.
    ///
    /// ```
    /// use polite_robots::Robot;
    /// use polite_robots_policy::RobotsCheck;
    ///
    /// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private")?;
    /// let check = RobotsCheck::new("http://example.com/..//private", Ok(robot));
    /// assert!(check.allowed);
    /// // The `requests` of Python sends another path than other clients.
    /// let check = check.and_sent(b"/private");
    /// assert_eq!(
    ///     check.to_string(),
    ///     "disallowed by line 2: Disallow: /private in the wildcard group on line 1, as the client sends /private",
    /// );
    /// # Ok::<(), polite_robots::InvalidToken>(())
    /// ```
    #[must_use]
    pub fn and_sent(self, target: &[u8]) -> RobotsCheck {
        if self.allowed && !self.robot.allowed(Target::sent(target)) {
            return RobotsCheck::of_question(Question::Sent(target.into()), self.robot);
        }
        self
    }

    fn of_question(question: Question, robot: Robot) -> RobotsCheck {
        let verdict = robot.check(question.target());
        RobotsCheck {
            allowed: verdict.is_allowed(),
            closed: false,
            cause: match verdict.reason() {
                Reason::Blanket(cause) => Some(cause),
                _ => None,
            },
            retry_at: None,
            busy: false,
            line: verdict.rule().map(|rule| rule.line()),
            question,
            robot,
        }
    }

    fn of_closed(closed: Closed) -> RobotsCheck {
        RobotsCheck {
            allowed: false,
            closed: true,
            cause: Some(closed.cause),
            retry_at: match closed.retry {
                NextFetch::At(time) => Some(time),
                // Any past time will do.
                NextFetch::Now => Some(closed.since),
                NextFetch::Never => None,
            },
            busy: false,
            line: None,
            question: Question::Url(String::new()),
            robot: closed.robot,
        }
    }

    /// The answer where the host has no turn in time, whatever its rules are.
    #[cfg(feature = "std")]
    pub(crate) fn of_busy(
        host: &str,
        reason: &dyn fmt::Display,
        retry_at: Option<Timestamp>,
    ) -> RobotsCheck {
        RobotsCheck {
            closed: true,
            cause: None,
            retry_at,
            busy: true,
            question: Question::Url(alloc::format!("{host} is busy: {reason}")),
            ..RobotsCheck::default()
        }
    }

    /// The rules in force; those of a closed site disallow everything.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }
}

impl Default for RobotsCheck {
    fn default() -> RobotsCheck {
        RobotsCheck::new("/", Ok(Robot::disallow_all(Cause::NotFetched)))
    }
}

impl fmt::Display for RobotsCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let next = self.retry_at.map_or(NextFetch::Never, NextFetch::At);
        match (&self.question, self.cause.filter(|_| self.closed)) {
            (Question::Url(reason), _) if self.busy => {
                write!(f, "disallowed: {reason}; next turn: {next}")
            }
            (_, Some(cause)) => write!(f, "disallowed: {cause}; next fetch: {next}"),
            (_, None) => {
                self.robot.check(self.question.target()).fmt(f)?;
                match &self.question {
                    Question::Url(_) => Ok(()),
                    Question::Sent(target) => {
                        write!(f, ", as the client sends {}", target.escape_ascii())
                    }
                }
            }
        }
    }
}
