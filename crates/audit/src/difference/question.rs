//! The question about two versions: which URLs, for which agent.

use polite_robots::{InvalidToken, Robot, RobotsTxt};

/// The choice of the URLs to ask about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Question {
    /// These URLs.
    Urls(Vec<String>),
    /// URLs that the rules decide differently, a shortest one for each pair of deciding rules; and
    /// those about whose use the file states a preference.
    Rules,
}

/// One agent's robots in both versions.
#[derive(Debug)]
pub(super) struct AgentVersions {
    pub(super) agent: String,
    pub(super) old: Robot,
    pub(super) new: Robot,
}

impl AgentVersions {
    pub(super) fn new(
        agent: String,
        old: &RobotsTxt,
        new: &RobotsTxt,
    ) -> Result<AgentVersions, InvalidToken> {
        Ok(AgentVersions {
            old: old.robot(&agent)?,
            new: new.robot(&agent)?,
            agent,
        })
    }
}
