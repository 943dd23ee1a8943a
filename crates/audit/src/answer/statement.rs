//! The statement of a crawler's operator about the groups that it obeys, where RFC 9309 gives it
//! others.

use std::fmt;

use polite_robots::{AgentMatch, Robot, RobotsTxt};

use crate::known::KnownCrawler;

/// The statement of an operator that gives its crawler other groups of a file.
#[derive(Debug)]
pub(super) struct Statement {
    crawler: &'static KnownCrawler,
    departure: Departure,
}

/// The way in which the operator departs from RFC 9309.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Departure {
    /// The groups of a second name apply before those of `*`.
    SecondName(&'static str),
    /// The groups of `*` do not apply.
    WildcardIgnored,
}

impl Statement {
    /// The statement about a crawler, from its rules by its name alone and its rules by the
    /// statement of its operator; `None` if both are the same.
    pub(super) fn new(
        crawler: &'static KnownCrawler,
        robots_txt: &RobotsTxt,
        by_name: &Robot,
        by_operator: &Robot,
    ) -> Option<Statement> {
        let departure = match (by_name.agent_match(), by_operator.agent_match()) {
            (AgentMatch::Named, _) => None,
            (_, AgentMatch::Named) => {
                let second = crawler.second_token_in(robots_txt);
                second.map(Departure::SecondName)
            }
            (AgentMatch::Wildcard, AgentMatch::None) => Some(Departure::WildcardIgnored),
            _ => None,
        }?;
        Some(Statement { crawler, departure })
    }

    pub(super) fn second_token(&self) -> Option<&'static str> {
        match self.departure {
            Departure::SecondName(second) => Some(second),
            Departure::WildcardIgnored => None,
        }
    }
}

impl fmt::Display for Statement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let operator = self.crawler.operator().unwrap_or("its operator");
        let crawler = self.crawler.token();
        match self.departure {
            Departure::SecondName(second) => write!(
                f,
                "{operator} says that {crawler} obeys the rules for {second} where no group names it"
            ),
            Departure::WildcardIgnored => write!(
                f,
                "{operator} says that {crawler} obeys only groups that name it, not `*`"
            ),
        }
    }
}
