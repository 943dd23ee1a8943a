//! One file as RFC 9309 and as Google's matcher read it, and the choice of the reading that answers
//! follow.

use std::sync::OnceLock;

use polite_robots::document::LineKind;
use polite_robots::{AgentMatch, Dialect, InvalidToken, Options, Robot, RobotsTxt};

use crate::known::{self, KnownCrawler};
use crate::policy::robot_of;

/// The reading of a file that an answer follows.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    /// The crawler's own, as its operator describes it: the tokens that it obeys, and Google's
    /// matcher for Google's crawlers. An agent that is not known reads as RFC 9309 says.
    #[default]
    Crawler,
    /// The reading of one dialect, which looks at the name of the agent alone.
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
    /// Google's reading without the rules and agents that only Google's matcher sees, if the file
    /// has any.
    without_prefixed: OnceLock<Option<RobotsTxt>>,
    /// The rules for agents that are not named, in each [`Version`]. A log has a thousand agents,
    /// and the rules for `*` may be as long as the file.
    for_everyone: [OnceLock<Robot>; 3],
}

/// A file as one parser reads it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Version {
    Rfc9309,
    Google,
    WithoutPrefixed,
}

impl Readings {
    /// The readings of a file, which may be parsed in either dialect.
    #[must_use]
    pub fn new(robots_txt: &RobotsTxt) -> Readings {
        Readings::of(robots_txt.clone(), OnceLock::new())
    }

    /// The readings of a file that two parsers have read, one in each dialect.
    #[must_use]
    pub fn of_both(rfc9309: RobotsTxt, google: RobotsTxt) -> Readings {
        Readings::of(rfc9309, OnceLock::from(google))
    }

    fn of(given: RobotsTxt, other: OnceLock<RobotsTxt>) -> Readings {
        Readings {
            given,
            other,
            without_prefixed: OnceLock::new(),
            for_everyone: [const { OnceLock::new() }; 3],
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

    pub(crate) fn without_prefixed(&self) -> Option<&RobotsTxt> {
        let version = self.without_prefixed.get_or_init(|| {
            let file = without_prefixed(self.in_dialect(Dialect::Google))?;
            Some(RobotsTxt::parse_with(&file, &Options::google()))
        });
        version.as_ref()
    }

    /// The rules that `robot` finds in a version. Agents to which the groups of `*` apply share
    /// them.
    pub(crate) fn shared(
        &self,
        version: Version,
        robot: impl Fn(&RobotsTxt) -> Result<Robot, InvalidToken>,
    ) -> Result<Robot, InvalidToken> {
        let [rfc9309, google, without_prefixed] = &self.for_everyone;
        let read_by_google = self.in_dialect(Dialect::Google);
        let (file, for_everyone) = match version {
            Version::Rfc9309 => (self.in_dialect(Dialect::Rfc9309), rfc9309),
            Version::Google => (read_by_google, google),
            Version::WithoutPrefixed => (
                self.without_prefixed().unwrap_or(read_by_google),
                without_prefixed,
            ),
        };
        let robot = robot(file)?;
        Ok(match robot.agent_match() {
            AgentMatch::Wildcard => for_everyone.get_or_init(|| robot).clone(),
            _ => robot,
        })
    }
}

/// The file in which each record that only Google's matcher reads as a rule or an agent is a
/// comment; `None` if it has no such record.
fn without_prefixed(read_by_google: &RobotsTxt) -> Option<Vec<u8>> {
    let mut without: Option<Vec<u8>> = None;
    for line in read_by_google.lines() {
        let google = line.kind();
        let decides = matches!(google, LineKind::UserAgent | LineKind::Rule(_));
        let rfc9309 = |field| LineKind::of_field(field, Dialect::Rfc9309);
        if decides && line.key().map(rfc9309) != Some(google) {
            let without = without.get_or_insert_with(|| read_by_google.as_bytes().to_vec());
            if let Some(first) = without.get_mut(line.span().start) {
                *first = b'#';
            }
        }
    }
    without
}
