//! [`Readers`]: the merged groups of a file, each once, with the agents that read it.

use polite_robots::RobotsTxt;
use polite_robots::document::MergedGroup;

use crate::diagnostic::Diagnostic;
use crate::groups::several_groups::{one_for_each_group, several_groups};
use crate::order::in_order;

/// Who reads which rules of a file.
#[derive(Debug)]
pub(super) struct Readers<'r> {
    pub(super) everyone: Option<MergedGroup<'r>>,
    /// Agents that are named by the same groups share one.
    pub(super) named: Vec<NamedGroup<'r>>,
}

/// A merged group with the names of all agents that read the same groups.
pub(super) type NamedGroup<'r> = (MergedGroup<'r>, Vec<&'r [u8]>);

impl<'r> Readers<'r> {
    pub(super) fn of(robots_txt: &'r RobotsTxt) -> Readers<'r> {
        let (everyone, named): (Vec<_>, Vec<_>) = robots_txt
            .merged_groups()
            .map(|group| {
                let agent = group.user_agent().value();
                (group, [agent].to_vec())
            })
            .partition(|(group, _)| group.user_agent().is_wildcard());
        let compare = |(one, _): &NamedGroup<'_>, (other, _): &NamedGroup<'_>| {
            let lines = one.groups().map(|group| group.line());
            lines.cmp(other.groups().map(|group| group.line()))
        };
        let mut named = in_order(named, compare);
        named.dedup_by(|one, kept| {
            let is_same = compare(one, kept).is_eq();
            if is_same {
                kept.1.append(&mut one.1);
            }
            is_same
        });
        let everyone = everyone.into_iter().map(|(group, _)| group).next();
        Readers { everyone, named }
    }

    /// All merged groups.
    pub(super) fn groups(&self) -> impl Iterator<Item = &MergedGroup<'r>> {
        let named = self.named.iter().map(|(group, _)| group);
        self.everyone.iter().chain(named)
    }

    /// The findings about agents that have several groups.
    pub(super) fn several_groups(&self) -> Vec<Diagnostic> {
        let everyone = self.everyone.iter();
        let everyone = everyone.filter_map(|group| several_groups(group, EVERYONE));
        let named = self.named.iter();
        let named = named.filter_map(|(group, agents)| several_groups(group, agents));
        one_for_each_group(everyone.chain(named).collect())
    }
}

/// The agents of the group for everyone.
pub(super) const EVERYONE: &[&[u8]] = &[b"*"];
