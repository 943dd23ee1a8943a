use alloc::boxed::Box;
use alloc::vec::Vec;
use core::hash::Hash;
use core::time::Duration;

use crate::access::Access;
use crate::agent::AgentMatch;
use crate::options::Dialect;
use crate::record::agent_records::{AgentRecord, AgentRecords};
use crate::record::sitemap::Sitemaps;
use crate::rules::{Rule, RuleSet};
use crate::verdict::{Cause, Reason};

/// What a robot knows: what applies to its agent.
pub(crate) struct AgentView {
    pub(crate) dialect: Dialect,
    pub(crate) agent_match: AgentMatch,
    pub(crate) groups: AppliedGroups,
    pub(crate) blanket: Option<Blanket>,
    pub(crate) rules: RuleSet,
    pub(crate) crawl_delay: Option<Duration>,
    pub(crate) sitemaps: Sitemaps,
    /// Hardly any file has such records.
    pub(crate) records: Option<Box<AgentRecords>>,
}

/// The lines by which groups apply, ascending. Nearly always one, which needs no block of its own.
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

    /// The last one above a rule, or the first.
    pub(crate) fn of_rule(&self, rule: Option<Rule<'_>>) -> Option<u32> {
        let above = rule.and_then(|rule| {
            let count = self.others.partition_point(|line| *line < rule.line());
            self.others.get(count.checked_sub(1)?).copied()
        });
        above.or(self.first)
    }
}

/// An answer for the whole site.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Blanket {
    pub(crate) access: Access,
    pub(crate) cause: Cause,
}

impl AgentView {
    /// All but the lists.
    pub(crate) fn settled(&self) -> impl Eq + Hash {
        // Named one by one, so that a new field is not forgotten here.
        let AgentView {
            dialect,
            agent_match,
            groups,
            blanket,
            rules: _,
            crawl_delay,
            sitemaps: _,
            records: _,
        } = self;
        (dialect, agent_match, groups, blanket, crawl_delay)
    }

    /// The records that it was made from, besides those that have a place of their own.
    pub(crate) fn records(&self) -> impl Iterator<Item = AgentRecord<'_>> {
        let records = self.records.as_deref();
        records.into_iter().flat_map(AgentRecords::records)
    }

    /// The answer where no rule is asked.
    pub(crate) fn without_rules(&self, path: &[u8]) -> Option<(Access, Reason<'_>)> {
        if self.dialect == Dialect::Rfc9309 && path == b"/robots.txt" {
            return Some((Access::Allow, Reason::RobotsTxtItself));
        }
        self.blanket
            .map(|blanket| (blanket.access, Reason::Blanket(blanket.cause)))
    }
}
