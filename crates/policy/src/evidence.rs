//! A verdict that outlives its robot: for errors, logs and other threads.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use polite_robots::{Reason, Robot, Verdict};

/// The answer to "may this URL be fetched?", with all that proves it.
///
/// A [`Verdict`] borrows its robot; this owns what it needs, so an error can carry it.
///
/// ```
/// use polite_robots::Robot;
/// use polite_robots_policy::cache::Evidence;
///
/// let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /private")?;
/// let evidence = Evidence::new(robot, "https://example.com/private/a", "https://example.com/robots.txt");
/// assert!(!evidence.is_allowed());
/// assert_eq!(
///     evidence.to_string(),
///     "https://example.com/private/a is disallowed by line 2 of https://example.com/robots.txt: Disallow: /private",
/// );
/// # Ok::<(), polite_robots::InvalidToken>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Evidence {
    robot: Robot,
    url: String,
    robots_url: String,
    redirected_from: Vec<String>,
}

impl Evidence {
    /// Evidence about `url` by the rules that were fetched for `robots_url`.
    #[must_use]
    pub fn new(robot: Robot, url: impl Into<String>, robots_url: impl Into<String>) -> Evidence {
        Evidence {
            robot,
            url: url.into(),
            robots_url: robots_url.into(),
            redirected_from: Vec::new(),
        }
    }

    /// Notes the URLs that redirected to this one, the first one first.
    #[must_use]
    pub fn with_redirects(mut self, redirected_from: Vec<String>) -> Evidence {
        self.redirected_from = redirected_from;
        self
    }

    /// The URLs that redirected to this one, the first one first; empty if the crawler asked for it
    /// directly.
    #[must_use]
    pub fn redirected_from(&self) -> &[String] {
        &self.redirected_from
    }

    /// The verdict about the URL.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        self.robot.check(self.url.as_str())
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.robot.allowed(self.url.as_str())
    }

    /// The URL that was asked about.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The URL of the robots.txt whose rules decide.
    #[must_use]
    pub fn robots_url(&self) -> &str {
        &self.robots_url
    }

    /// The rules.
    #[must_use]
    pub fn robot(&self) -> &Robot {
        &self.robot
    }
}

/// One sentence: the deciding rule with its line, or the cause.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Evidence {
            url, robots_url, ..
        } = self;
        let verdict = self.verdict();
        let access = if verdict.is_allowed() {
            "allowed"
        } else {
            "disallowed"
        };
        write!(f, "{url} is {access}")?;
        match (verdict.rule(), verdict.reason()) {
            (Some(rule), _) => {
                let line = rule.line();
                write!(f, " by line {line} of {robots_url}: {rule}")
            }
            (None, Reason::Blanket(cause)) => write!(f, ": {cause} ({robots_url})"),
            (None, reason) => write!(f, " by {robots_url}: {reason}"),
        }?;
        match self.redirected_from.first() {
            Some(first) => write!(f, " (redirected from {first})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::string::ToString as _;
    use alloc::vec;

    use polite_robots::{Cause, InvalidToken};

    use super::*;

    #[test]
    fn evidence_names_the_rule_or_the_cause() -> Result<(), InvalidToken> {
        let of = |robot: Robot, path: &str| {
            let url = alloc::format!("https://example.com{path}");
            Evidence::new(robot, url, "https://example.com/robots.txt").to_string()
        };
        let robot = Robot::new("ExampleBot", b"User-agent: *\nDisallow: /a\nAllow: /a/b")?;
        for (path, expected) in [
            (
                "/a/b",
                "https://example.com/a/b is allowed by line 3 of https://example.com/robots.txt: Allow: /a/b",
            ),
            (
                "/c",
                "https://example.com/c is allowed by https://example.com/robots.txt: no rule matches",
            ),
        ] {
            assert_eq!(of(robot.clone(), path), expected);
        }
        assert_eq!(
            of(Robot::disallow_all(Cause::Status(503)), "/c"),
            "https://example.com/c is disallowed: robots.txt answered with status 503 (https://example.com/robots.txt)"
        );
        let named = Robot::new("ExampleBot", b"User-agent: OtherBot\nDisallow: /")?;
        let evidence = Evidence::new(named, "/c", "");
        assert!(evidence.is_allowed() && evidence.verdict().is_allowed());
        assert_eq!((evidence.url(), evidence.robots_url()), ("/c", ""));
        assert_eq!(evidence.robot().rules().count(), 0);
        let redirected = evidence.with_redirects(vec!["/a".into(), "/b".into()]);
        assert_eq!(redirected.redirected_from(), ["/a", "/b"]);
        assert!(redirected.to_string().ends_with(" (redirected from /a)"));
        Ok(())
    }
}
