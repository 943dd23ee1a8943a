//! One file as RFC 9309 and as Google's matcher read it, and whose reading an answer follows.

use std::sync::OnceLock;

use polite_robots::{Dialect, InvalidToken, Options, Robot, RobotsTxt};

use crate::known::{self, KnownCrawler};
use crate::policy::robot_of;

/// Whose reading of a file an answer follows.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The crawler's own, as its operator describes it: the tokens that it obeys, and Google's
    /// matcher for Google's crawlers. An agent that is not known reads as RFC 9309 says.
    #[default]
    Crawler,
    /// That of one dialect, by the name alone.
    Of(Dialect),
}

impl Reading {
    /// The dialect in which the answers about an agent are.
    #[must_use]
    pub fn dialect(self, agent: &str) -> Dialect {
        match self {
            Reading::Crawler => known::find(agent).map_or(Dialect::Rfc9309, KnownCrawler::dialect),
            Reading::Of(dialect) => dialect,
        }
    }

    /// The rules of an agent in a file that is read in its dialect.
    ///
    /// # Errors
    ///
    /// If the agent is no product token.
    pub(crate) fn robot(self, agent: &str, robots_txt: &RobotsTxt) -> Result<Robot, InvalidToken> {
        match (self, known::find(agent)) {
            (Reading::Crawler, Some(crawler)) => crawler.robot(robots_txt),
            _ => robot_of(robots_txt, agent),
        }
    }
}

/// One file as both dialects read it; the second one is read when it is asked for.
#[derive(Debug, Clone)]
pub struct Readings {
    given: RobotsTxt,
    other: OnceLock<RobotsTxt>,
}

impl Readings {
    /// The readings of a file, which may be parsed in either dialect.
    #[must_use]
    pub fn new(robots_txt: &RobotsTxt) -> Readings {
        Readings {
            given: robots_txt.clone(),
            other: OnceLock::new(),
        }
    }

    /// The readings of a file that two parsers have read, one in each dialect.
    #[must_use]
    pub fn of_both(rfc9309: RobotsTxt, google: RobotsTxt) -> Readings {
        Readings {
            given: rfc9309,
            other: OnceLock::from(google),
        }
    }

    /// The file, byte for byte.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        self.given.as_bytes()
    }

    /// The file as a dialect reads it. One answer for the whole site has no file that could be read
    /// in two ways.
    #[must_use]
    pub fn in_dialect(&self, dialect: Dialect) -> &RobotsTxt {
        let has_one_reading = self.given.blanket().is_some() && self.other.get().is_none();
        if self.given.dialect() == dialect || has_one_reading {
            return &self.given;
        }
        self.other
            .get_or_init(|| RobotsTxt::parse_with(self.given.as_bytes(), &Options::new(dialect)))
    }

    /// The rules that decide about an agent: those of
    /// [`Answers::robot`](crate::answer::Answers::robot).
    ///
    /// # Errors
    ///
    /// If the agent is neither a product token nor `*`.
    pub fn robot(&self, agent: &str, reading: Reading) -> Result<Robot, InvalidToken> {
        reading.robot(agent, self.in_dialect(reading.dialect(agent)))
    }
}
