//! The page together with the robots.txt: whether an agent ever sees the rules of the page.

use polite_robots::{InvalidToken, Robot, Target, Verdict};
use polite_robots_audit::answer::{Reading, Readings};

use crate::page::effects::AgentPage;

/// The question to the robots.txt whether one agent may fetch the URL of the page.
pub(super) struct Gate<'a> {
    robot: Robot,
    url: &'a str,
}

impl<'a> Gate<'a> {
    pub(super) fn new(
        agent: &str,
        readings: &Readings,
        reading: Reading,
        url: &'a str,
    ) -> Result<Gate<'a>, InvalidToken> {
        Ok(Gate {
            robot: readings.robot(agent, reading)?,
            url,
        })
    }

    pub(super) fn verdict(&self) -> Verdict<'_> {
        self.robot.check(Target::requested(self.url))
    }

    /// Whether a rule of the page is hidden: an agent that may not fetch the page cannot read it.
    pub(super) fn hides_a_rule(&self, page: &AgentPage<'_>) -> bool {
        !self.verdict().is_allowed() && page.first_restriction().is_some()
    }

    /// The effect of the robots.txt alone, where the page was not read.
    pub(super) fn sentence_alone(&self, agent: &str) -> String {
        let who = who(agent);
        let verdict = self.verdict();
        match verdict.is_allowed() {
            true => {
                format!("{who} may fetch the page, so its rules are seen, which were not read here")
            }
            false => format!(
                "{who} may not fetch the page ({}), so a noindex of it is never seen, and the bare URL may be indexed where \
                 others link to it",
                verdict.reason()
            ),
        }
    }

    /// The effect of the robots.txt and the page together, for this agent.
    pub(super) fn sentence(&self, page: &AgentPage<'_>) -> String {
        let who = who(page.agent);
        let verdict = self.verdict();
        let reason = verdict.reason();
        match (verdict.is_allowed(), page.first_restriction()) {
            (false, Some(_)) if page.is_kept_out() => format!(
                "{who} may not fetch the page ({reason}), so its noindex is never seen, and the bare URL may stay in the index; \
                 allow the page in robots.txt to keep it out of the index"
            ),
            (false, Some(statement)) => format!(
                "{who} may not fetch the page ({reason}), so its rules, such as {statement}, are never seen"
            ),
            (false, None) => format!(
                "{who} may not fetch the page ({reason}), but may index the bare URL where others link to it; \
                 noindex works on pages that may be fetched"
            ),
            (true, Some(_)) if page.is_kept_out() => {
                format!("{who} may fetch the page, so its noindex is seen")
            }
            (true, Some(_)) => format!("{who} may fetch the page, so its rules are seen"),
            (true, None) => match page.status_without_index() {
                Some(status) => format!(
                    "{who} may fetch the page, but do not index it, as its status is {status}"
                ),
                None => format!("{who} may fetch and index the page"),
            },
        }
    }
}

fn who(agent: &str) -> &str {
    match agent {
        "*" => "Crawlers",
        agent => agent,
    }
}
