//! What a file asks of one agent.

use std::time::Duration;

use polite_robots::{Access, AgentMatch, Preference, Robot, UsageCategory};
use serde::Serialize;

use crate::agents::access::{Extent, Extents, Found};

/// What there is to say of a robot, without its rules: a robot for each of the known crawlers, all of them with the rules for
/// everyone, took 1.5 GB for a file of 5 MiB.
pub(super) struct Obeyed {
    pub(super) agent_match: AgentMatch,
    /// Of the `User-agent` lines by which groups are the agent's.
    pub(super) group_lines: Vec<u32>,
    pub(super) extent: Extent,
    /// Whether the extent is certain.
    pub(super) is_complete: bool,
    pub(super) closing_rule: Option<ClosingRule>,
    pub(super) rules: RuleCounts,
    pub(super) crawl_delay: Option<Duration>,
    usage: [(UsageCategory, Preference); UsageCategory::ALL.len()],
}

impl Obeyed {
    pub(super) fn new(robot: &Robot, extents: &mut Extents) -> Obeyed {
        let Found {
            extent,
            is_complete,
        } = extents.of(robot);
        let usage = robot.usage("/");
        Obeyed {
            agent_match: robot.agent_match(),
            group_lines: robot.group_lines().collect(),
            extent,
            is_complete,
            closing_rule: ClosingRule::of(robot, extent),
            rules: RuleCounts::of(robot),
            crawl_delay: robot.crawl_delay(),
            usage: UsageCategory::ALL.map(|category| (category, usage.of(category))),
        }
    }

    /// What the site asks about the use of its home page.
    pub(super) fn usage(&self) -> impl Iterator<Item = (UsageCategory, Preference)> {
        self.usage.into_iter()
    }

    pub(super) fn preference(&self, asked: UsageCategory) -> Preference {
        let of_category = self.usage().find(|(category, _)| *category == asked);
        of_category.map_or(Preference::Unstated, |(_, preference)| preference)
    }
}

/// What closes the whole site. Of a part there may be hundreds.
pub(super) struct ClosingRule {
    pub(super) line: u32,
    pub(super) text: String,
}

impl ClosingRule {
    fn of(robot: &Robot, extent: Extent) -> Option<ClosingRule> {
        match extent {
            Extent::Nothing => robot.check("/").rule().map(|rule| ClosingRule {
                line: rule.line(),
                text: rule.to_string(),
            }),
            Extent::Part | Extent::Everything => None,
        }
    }
}

/// Of the rules that an agent must obey.
#[derive(Debug, Default, Clone, Copy, Serialize)]
pub(super) struct RuleCounts {
    pub(super) allow: usize,
    pub(super) disallow: usize,
}

impl RuleCounts {
    fn of(robot: &Robot) -> RuleCounts {
        let mut counts = RuleCounts::default();
        // The Google dialect keeps empty values for their lines.
        for rule in robot.rules().filter(|rule| rule.octets() > 0) {
            let count = match rule.access() {
                Access::Allow => &mut counts.allow,
                Access::Disallow => &mut counts.disallow,
            };
            *count = count.saturating_add(1);
        }
        counts
    }
}
