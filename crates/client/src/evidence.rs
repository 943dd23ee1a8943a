//! Stands for `polite_robots_policy::Evidence` until the policy has it.

use std::fmt;

use polite_robots::{Robot, Verdict};

/// A verdict that outlives the moment: the URL, and the rules that decide about it.
#[derive(Debug, Clone)]
pub struct Evidence {
    robot: Robot,
    url: String,
    robots_url: String,
    hops: Vec<String>,
}

impl Evidence {
    /// The rules of `robots_url` as the reason of the verdict about `url`.
    #[must_use]
    pub fn new(robot: Robot, url: impl Into<String>, robots_url: impl Into<String>) -> Evidence {
        Evidence {
            robot,
            url: url.into(),
            robots_url: robots_url.into(),
            hops: Vec::new(),
        }
    }

    /// Notes the URLs that redirected here, in order.
    #[must_use]
    pub fn after(mut self, hops: Vec<String>) -> Evidence {
        self.hops = hops;
        self
    }

    /// The URLs that redirected here, in order; empty if this one was asked for.
    #[must_use]
    pub fn hops(&self) -> &[String] {
        &self.hops
    }

    /// The verdict with the rule that decides.
    #[must_use]
    pub fn verdict(&self) -> Verdict<'_> {
        self.robot.check(self.url.as_str())
    }

    /// Whether the URL may be fetched.
    #[must_use]
    pub fn is_allowed(&self) -> bool {
        self.verdict().is_allowed()
    }

    /// The URL that was asked about.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The address of the robots.txt.
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

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.robots_url, self.verdict())?;
        match self.hops.first() {
            Some(first) => write!(f, " (redirected from {first})"),
            None => Ok(()),
        }
    }
}
