//! [`GroupsAbove`]: whether a line is in a group, folded from the records above it; [`Place`]: with
//! the agent below it.

use polite_robots::document::LineKind;
use polite_robots::text::quote;

/// The groups above a line, as far as they matter to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum GroupsAbove {
    /// No `User-agent` line came yet.
    #[default]
    None,
    /// A group whose list of agents goes on: only a rule ends it (RFC 9309 §2.1).
    Agents,
    /// A group with rules.
    Rules,
}

impl GroupsAbove {
    /// Takes the next record of the file.
    #[inline]
    pub(super) fn next(&mut self, record: LineKind) {
        match record {
            LineKind::UserAgent => *self = GroupsAbove::Agents,
            LineKind::Rule(_) if self.has_group() => *self = GroupsAbove::Rules,
            _ => {}
        }
    }

    /// Whether a rule on the next line is in a group.
    #[inline]
    pub(super) fn has_group(self) -> bool {
        self != GroupsAbove::None
    }

    /// Whether a `User-agent` line starts a group here, and joins none.
    #[inline]
    pub(super) fn is_ended(self) -> bool {
        self != GroupsAbove::Agents
    }
}

/// The place of a line that is not a record of a group, or was hardly meant as one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) groups: GroupsAbove,
    /// The line of the next agent, where the line is in a list of agents.
    pub(super) agent_below: Option<u32>,
}

impl Place {
    /// The group that starts if the line is read as another record with this value, as the end of a
    /// sentence.
    pub(super) fn start(self, record: LineKind, value: &[u8]) -> String {
        match (record, self.agent_below) {
            (LineKind::UserAgent, _) if !value.is_empty() => {
                let (start, too) = match self.groups {
                    GroupsAbove::Rules => (", which starts a group", ""),
                    GroupsAbove::Agents => ("", " too"),
                    GroupsAbove::None => ("", ""),
                };
                format!(
                    "{start}; the rules below are then for {}{too}",
                    quote(value)
                )
            }
            (LineKind::Rule(_), Some(line)) => format!(", and then line {line} starts a group"),
            _ => String::new(),
        }
    }
}
