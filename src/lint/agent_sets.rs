//! Groups → the sets of groups that agents are under.

use alloc::vec::Vec;
use core::cmp::Ordering;

use crate::agent::{leading_token, long_token};
use crate::options::Dialect;
use crate::parse::document::{Group, UserAgent};

/// The groups that apply together to some agent.
#[derive(Debug, Clone)]
pub(super) struct AgentSet<'r> {
    /// The first line that names such an agent.
    pub(super) user_agent: UserAgent<'r>,
    /// Places among the file's groups, ascending.
    pub(super) groups: Vec<usize>,
}

/// The set of `*`, if there is one, and each other set once, in the order of the file.
pub(super) fn agent_sets<'r>(
    groups: &[Group<'r>],
    dialect: Dialect,
) -> (Option<AgentSet<'r>>, Vec<AgentSet<'r>>) {
    let mut wildcard: Option<AgentSet<'r>> = None;
    let mut names: Vec<Name<'r>> = Vec::new();
    for (at, group) in groups.iter().enumerate() {
        for user_agent in group.user_agents() {
            if user_agent.is_wildcard() {
                let set = wildcard.get_or_insert_with(|| AgentSet {
                    user_agent,
                    groups: Vec::new(),
                });
                if set.groups.last() != Some(&at) {
                    set.groups.push(at);
                }
            } else {
                push_names(&mut names, user_agent, at, dialect);
            }
        }
    }
    names.sort_by(Name::compare);
    let mut sets: Vec<AgentSet<'r>> = Vec::new();
    for same in names.chunk_by(|one, other| one.token.eq_ignore_ascii_case(other.token)) {
        let Some(first) = same.iter().find(|name| name.is_whole) else {
            continue;
        };
        let mut groups: Vec<usize> = same.iter().map(|name| name.group).collect();
        groups.dedup();
        sets.push(AgentSet {
            user_agent: first.user_agent,
            groups,
        });
    }
    sets.sort_by(|one, other| {
        (&one.groups, one.user_agent.line()).cmp(&(&other.groups, other.user_agent.line()))
    });
    sets.dedup_by(|one, other| one.groups == other.groups);
    (wildcard, sets)
}

/// A token by which a `User-agent` line names an agent.
struct Name<'r> {
    token: &'r [u8],
    group: usize,
    user_agent: UserAgent<'r>,
    /// `MJ12bot` names `MJ` too, as Google reads it; but no file means an agent of that name unless it says so.
    is_whole: bool,
}

impl Name<'_> {
    fn compare(&self, other: &Self) -> Ordering {
        let lower = |name: &Self| {
            name.token
                .iter()
                .map(u8::to_ascii_lowercase)
                .collect::<Vec<u8>>()
        };
        let by_token = if self.token.eq_ignore_ascii_case(other.token) {
            Ordering::Equal
        } else {
            lower(self).cmp(&lower(other))
        };
        by_token.then_with(|| self.group.cmp(&other.group))
    }
}

fn push_names<'r>(
    names: &mut Vec<Name<'r>>,
    user_agent: UserAgent<'r>,
    group: usize,
    dialect: Dialect,
) {
    let short = leading_token(user_agent.value());
    let long = match dialect {
        Dialect::Rfc9309 => long_token(user_agent.value()),
        Dialect::Google => short,
    };
    let is_nameable = |token: &[u8]| token.iter().any(u8::is_ascii_alphabetic);
    if is_nameable(long) {
        names.push(Name {
            token: long,
            group,
            user_agent,
            is_whole: true,
        });
    }
    if short.len() < long.len() && is_nameable(short) {
        names.push(Name {
            token: short,
            group,
            user_agent,
            is_whole: false,
        });
    }
}
