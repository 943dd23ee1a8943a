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
    /// Places among the file's groups, ascending. Nearly always one.
    first: u32,
    others: Vec<u32>,
}

impl AgentSet<'_> {
    pub(super) fn groups(&self) -> impl Iterator<Item = usize> {
        let places = core::iter::once(&self.first).chain(&self.others);
        places.map(|place| *place as usize)
    }

    fn compare_groups(&self, other: &Self) -> Ordering {
        (self.first, &self.others).cmp(&(other.first, &other.others))
    }
}

/// The set of `*`, if there is one, and each other set once, in the order of the file.
pub(super) fn agent_sets<'r>(
    groups: &[Group<'r>],
    dialect: Dialect,
) -> (Option<AgentSet<'r>>, Vec<AgentSet<'r>>) {
    let mut names: Vec<Name<'r>> = Vec::new();
    for (at, group) in (0..).zip(groups) {
        for user_agent in group.user_agents() {
            Name::push_all(&mut names, user_agent, at, dialect);
        }
    }
    names.sort_by(Name::compare);
    let mut wildcard: Option<AgentSet<'r>> = None;
    let mut sets: Vec<AgentSet<'r>> = Vec::new();
    for same in names.chunk_by(|one, other| one.compare_tokens(other).is_eq()) {
        let (Some(first), Some(named)) = (same.first(), same.iter().find(|name| name.is_whole))
        else {
            continue;
        };
        let mut others: Vec<u32> = same
            .iter()
            .map(|name| name.group)
            .skip_while(|at| *at == first.group)
            .collect();
        others.dedup();
        let set = AgentSet {
            user_agent: named.user_agent,
            first: first.group,
            others,
        };
        if named.token == b"*" {
            wildcard = Some(set);
        } else {
            sets.push(set);
        }
    }
    sets.sort_by(|one, other| {
        one.compare_groups(other)
            .then_with(|| one.user_agent.line().cmp(&other.user_agent.line()))
    });
    sets.dedup_by(|one, other| one.compare_groups(other).is_eq());
    (wildcard, sets)
}

/// A token by which a `User-agent` line names an agent, or `*`.
struct Name<'r> {
    /// The first eight octets of the token in lower case, which tell most tokens apart.
    start: u64,
    token: &'r [u8],
    group: u32,
    user_agent: UserAgent<'r>,
    /// `MJ12bot` names `MJ` too, as Google reads it; but no file means an agent of that name unless it says so.
    is_whole: bool,
}

impl<'r> Name<'r> {
    fn push_all(
        names: &mut Vec<Name<'r>>,
        user_agent: UserAgent<'r>,
        group: u32,
        dialect: Dialect,
    ) {
        let mut push = |token: &'r [u8], is_whole| {
            let octets = token.iter().chain([0; 8].iter()).take(8);
            let start = octets.fold(0, |start, octet| {
                start << 8 | u64::from(octet.to_ascii_lowercase())
            });
            names.push(Name {
                start,
                token,
                group,
                user_agent,
                is_whole,
            });
        };
        if user_agent.is_wildcard() {
            return push(b"*", true);
        }
        let short = leading_token(user_agent.value());
        let long = match dialect {
            Dialect::Rfc9309 => long_token(user_agent.value()),
            Dialect::Google => short,
        };
        // No agent can have a name without a letter.
        let is_nameable = |token: &[u8]| token.iter().any(u8::is_ascii_alphabetic);
        if is_nameable(long) {
            push(long, true);
        }
        if short.len() < long.len() && is_nameable(short) {
            push(short, false);
        }
    }

    fn compare(&self, other: &Self) -> Ordering {
        self.compare_tokens(other)
            .then_with(|| self.group.cmp(&other.group))
    }

    fn compare_tokens(&self, other: &Self) -> Ordering {
        fn lower(token: &[u8]) -> impl Iterator<Item = u8> {
            token.iter().map(u8::to_ascii_lowercase)
        }

        let starts = self.start.cmp(&other.start);
        starts.then_with(|| lower(self.token).cmp(lower(other.token)))
    }
}
