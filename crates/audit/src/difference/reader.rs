//! The reading of two versions, and the questions about them.

use polite_robots::{AgentMatch, InvalidToken, Robot, RobotsTxt, Target};

use crate::classes::{AgentClasses, Class};
use crate::known;
use crate::policy::robot_of;
use crate::readings::Reading;

/// The reader whose answers are compared.
#[derive(Debug, Clone, Copy)]
pub(super) enum Reader {
    /// The answers of the dialect in which the files are read, by the name alone, about URLs as
    /// given.
    Dialect,
    /// The answers of crawlers, about the requests that they make ([`crate::answer`]).
    Crawlers(Reading),
}

/// The groups and records that one version has for an agent.
#[derive(Debug, Clone, Copy)]
pub(super) struct InVersion {
    pub(super) class: Class,
    pub(super) agent_match: AgentMatch,
    pub(super) record_bytes: usize,
}

impl Reader {
    pub(super) fn robot(self, agent: &str, file: &RobotsTxt) -> Result<Robot, InvalidToken> {
        match self {
            Reader::Dialect => robot_of(file, agent),
            Reader::Crawlers(reading) => reading.robot(agent, file),
        }
    }

    pub(super) fn target(self, url: &str) -> Target<'_> {
        match self {
            Reader::Dialect => Target::from(url),
            Reader::Crawlers(_) => Target::requested(url),
        }
    }

    /// The class of an agent: that of the first token whose groups it obeys.
    pub(super) fn class(self, agent: &str, classes: &AgentClasses) -> InVersion {
        let by_name = |token: &str| {
            let class = classes.of(token);
            InVersion {
                class,
                agent_match: classes.agent_match(class),
                record_bytes: classes.record_bytes(token),
            }
        };
        let crawler = match self {
            Reader::Crawlers(Reading::Crawler) => known::find(agent),
            _ => None,
        };
        let Some(crawler) = crawler else {
            return by_name(agent);
        };
        let second = crawler.falls_back_to().iter().copied();
        let mut tokens = std::iter::once(crawler.token()).chain(second);
        match tokens.find(|token| classes.of(token).is_named) {
            Some(token) => by_name(token),
            None if crawler.ignores_wildcard() => InVersion {
                class: classes.nobody(),
                agent_match: AgentMatch::None,
                record_bytes: classes.record_bytes(crawler.token()),
            },
            None => by_name(crawler.token()),
        }
    }
}
