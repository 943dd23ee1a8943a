//! [`GroupsAbove`]: whether a line is in a group, folded from the records above it.

use polite_robots::document::LineKind;

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
