//! The records that apply to one agent: the data of a [`Robot`](crate::Robot).

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hash;
use core::time::Duration;

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::options::Dialect;
use crate::record::agent_record::AgentRecord;
use crate::record::sitemap::Sitemaps;
use crate::rules::rule::Rule;
use crate::rules::rule_set::RuleSet;
use crate::verdict::{Cause, Reason};

/// Everything that a robot knows about its agent.
///
/// `repr(C)` keeps this order, so that the fields of a check share cache lines: a crawler asks
/// thousands of robots in turn, and few of them are in the cache.
#[repr(C)]
pub(crate) struct AgentView {
    pub(crate) rules: RuleSet,
    pub(crate) blanket: Option<Blanket>,
    pub(crate) dialect: Dialect,
    pub(crate) agent_match: AgentMatch,
    pub(crate) groups: AppliedGroups,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) sitemaps: Sitemaps,
    /// In the order of the file. Nearly every file has none.
    pub(crate) records: Box<[AgentRecord]>,
}

impl AgentView {
    /// The view of an agent that no group applies to.
    pub(crate) fn without_groups(dialect: Dialect) -> AgentView {
        AgentView {
            dialect,
            agent_match: AgentMatch::None,
            groups: AppliedGroups::default(),
            blanket: None,
            rules: RuleSet::empty(dialect),
            crawl_delay: None,
            sitemaps: Sitemaps::default(),
            records: Box::default(),
        }
    }

    /// All that equality and hashing use.
    pub(crate) fn identity(&self) -> impl Eq + Hash {
        // Named one by one, so that a new field is not forgotten here.
        let AgentView {
            dialect,
            agent_match,
            groups,
            blanket,
            rules,
            crawl_delay,
            sitemaps,
            records,
        } = self;
        let rules: Vec<Rule<'_>> = rules.rules().collect();
        let sitemaps: Vec<&str> = sitemaps.iter().collect();
        let lists = (rules, sitemaps, records);
        (dialect, agent_match, groups, blanket, crawl_delay, lists)
    }

    /// The answer for a path that needs no look at the rules.
    pub(crate) fn without_rules(&self, path: &[u8]) -> Option<(Access, Reason<'_>)> {
        if self.dialect == Dialect::Rfc9309 && path == b"/robots.txt" {
            return Some((Access::Allow, Reason::RobotsTxtItself));
        }
        self.blanket
            .map(|blanket| (blanket.access, Reason::Blanket(blanket.cause)))
    }
}

/// The lines by which groups apply to an agent, ascending. Nearly always one line, which needs no
/// allocation.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct AppliedGroups {
    first: Option<u32>,
    others: Vec<u32>,
}

impl AppliedGroups {
    pub(crate) fn push(&mut self, line: u32) {
        match self.first {
            None => self.first = Some(line),
            Some(_) => self.others.push(line),
        }
    }

    pub(crate) fn lines(&self) -> impl Iterator<Item = u32> {
        self.first.into_iter().chain(self.others.iter().copied())
    }

    /// The line of the group that a rule is in: the last one above the rule. Without a rule, the
    /// first line.
    pub(crate) fn of_rule(&self, rule: Option<Rule<'_>>) -> Option<u32> {
        let above = rule.and_then(|rule| {
            let count = self.others.partition_point(|line| *line < rule.line());
            self.others.get(count.checked_sub(1)?).copied()
        });
        above.or(self.first)
    }
}

/// An answer for the whole site, in place of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub(crate) struct Blanket {
    pub(crate) access: Access,
    pub(crate) cause: Cause,
}
