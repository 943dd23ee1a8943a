//! Turns groups as written into groups as they apply: those that name the same agent are merged
//! (RFC 9309 §2.2.1).

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::fmt;

use crate::document::groups::{Group, RuleRecord, UserAgent};
use crate::options::Dialect;
use crate::sort;
use crate::token::{leading_name, leading_token};

/// The groups that apply to one agent: all that name it, or all that are for everyone.
///
/// ```
/// use polite_robots::RobotsTxt;
///
/// let robots_txt = RobotsTxt::parse(b"
/// User-agent: ExampleBot
/// Disallow: /a
/// User-agent: OtherBot
/// User-agent: examplebot/2.0
/// Disallow: /b
/// ");
/// let merged: Vec<_> = robots_txt.merged_groups().collect();
/// let tokens: Vec<&str> = merged.iter().map(|group| group.product_token()).collect();
/// assert_eq!(tokens, ["ExampleBot", "OtherBot"]);
/// let lines: Vec<u32> = merged[0].rules().map(|rule| rule.line()).collect();
/// assert_eq!(lines, [3, 6]);
/// ```
#[derive(Clone)]
pub struct MergedGroup<'r> {
    token: &'r [u8],
    user_agent: UserAgent<'r>,
    /// Nearly always the only group, which then needs no list.
    first: Group<'r>,
    others: Vec<Group<'r>>,
}

impl<'r> MergedGroup<'r> {
    /// The product token of the agent, as the first of its `User-agent` records writes it: in the
    /// default dialect the leading `[A-Za-z0-9_.-]*` of the value, in Google's the leading
    /// `[A-Za-z_-]*`; `*` for everyone.
    pub fn product_token(&self) -> &'r str {
        core::str::from_utf8(self.token).unwrap_or_default()
    }

    /// The first record that names the agent.
    pub fn user_agent(&self) -> UserAgent<'r> {
        self.user_agent
    }

    /// The groups as written, in the order of the file.
    pub fn groups(&self) -> impl Iterator<Item = Group<'r>> {
        core::iter::once(self.first).chain(self.others.iter().copied())
    }

    /// The rules of all of them as written, in the order of the file.
    pub fn rules(&self) -> impl Iterator<Item = RuleRecord<'r>> {
        self.groups().flat_map(|group| group.rules())
    }
}

impl fmt::Debug for MergedGroup<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MergedGroup")
            .field("product_token", &self.product_token())
            .field("groups", &self.groups().collect::<Vec<_>>())
            .finish()
    }
}

/// Returns one merged group for each agent that the groups name, in the order of the lines that
/// name them first.
pub(crate) fn merged_groups<'r>(
    groups: impl Iterator<Item = Group<'r>>,
    dialect: Dialect,
) -> Vec<MergedGroup<'r>> {
    let mut agents: Vec<(UserAgent<'r>, Group<'r>)> = Vec::with_capacity(USUAL_AGENTS);
    for group in groups {
        for agent in group.user_agents() {
            agents.push((agent, group));
        }
    }
    let mut names: Vec<Name<'r>> = Vec::with_capacity(agents.len());
    for (at, (agent, _)) in agents.iter().enumerate() {
        Name::push_all(&mut names, at, *agent, dialect);
    }
    sort::unstable_by(&mut names, |one, other| {
        // The order of the file is kept among the names of one agent.
        one.compare_tokens(other).then(one.agent.cmp(&other.agent))
    });
    let same_tokens = names.chunk_by(|one, other| one.compare_tokens(other).is_eq());
    let mut merged: Vec<(&Name<'r>, &[Name<'r>])> = same_tokens
        .filter_map(|same| Some((same.iter().find(|name| name.is_whole)?, same)))
        .collect();
    sort::unstable_by_key(&mut merged, |(named, _)| named.agent);
    let group_of = |name: &Name<'r>| agents.get(name.agent).map(|(_, group)| *group);
    merged
        .into_iter()
        .filter_map(|(named, same)| {
            let (first, others) = same.split_first()?;
            let first = group_of(first)?;
            Some(MergedGroup {
                token: named.token,
                user_agent: agents.get(named.agent)?.0,
                first,
                others: match others {
                    [] => Vec::new(),
                    _ => without_repeats(first, others.iter().filter_map(group_of)),
                },
            })
        })
        .collect()
}

/// The groups after the first one, each once.
fn without_repeats<'r>(
    first: Group<'r>,
    others: impl Iterator<Item = Group<'r>>,
) -> Vec<Group<'r>> {
    let is_first = |group: &Group<'r>| group.line() == first.line();
    let mut others: Vec<Group<'r>> = others.skip_while(is_first).collect();
    others.dedup_by_key(|group| group.line());
    others
}

/// A token by which a `User-agent` line names an agent, or `*`.
struct Name<'r> {
    /// The first sixteen bytes of the token in lower case. They separate nearly all tokens; the
    /// tokens of one operator often share eight.
    start: u128,
    token: &'r [u8],
    /// The place of the line among all `User-agent` lines.
    agent: usize,
    /// Whether the token is the whole name. `MJ12bot` names `MJ` too, as Google reads it, but a
    /// file has a group for `MJ` only if another line names that agent alone.
    is_whole: bool,
}

impl<'r> Name<'r> {
    fn push_all(
        names: &mut Vec<Name<'r>>,
        agent: usize,
        user_agent: UserAgent<'r>,
        dialect: Dialect,
    ) {
        let mut push = |token: &'r [u8], is_whole| {
            let mut start = [0; 16];
            match (token.first_chunk(), start.get_mut(..token.len())) {
                (Some(token), _) => start = *token,
                (None, Some(start)) => start.copy_from_slice(token),
                (None, None) => {}
            }
            // All sixteen bytes at once, so that the compiler makes SIMD of it.
            start.make_ascii_lowercase();
            names.push(Name {
                start: u128::from_be_bytes(start),
                token,
                agent,
                is_whole,
            });
        };
        if user_agent.is_wildcard() {
            return push(b"*", true);
        }
        let value = user_agent.value();
        let short = leading_token(value);
        let long = match dialect {
            Dialect::Rfc9309 => {
                let after = value.get(short.len()..).unwrap_or_default();
                let len = short.len().saturating_add(leading_name(after).len());
                value.get(..len).unwrap_or(short)
            }
            Dialect::Google => short,
        };
        // An agent's name has at least one letter.
        let is_nameable = |token: &[u8]| token.iter().any(u8::is_ascii_alphabetic);
        if is_nameable(long) {
            push(long, true);
        }
        if short.len() < long.len() && is_nameable(short) {
            push(short, false);
        }
    }

    fn compare_tokens(&self, other: &Self) -> Ordering {
        fn lower(token: &[u8]) -> impl Iterator<Item = u8> {
            token.iter().map(u8::to_ascii_lowercase)
        }

        let starts = self.start.cmp(&other.start);
        starts.then_with(|| lower(self.token).cmp(lower(other.token)))
    }
}

/// The initial capacity, enough for the agents of most files: a vector that grows step by step is
/// copied each time.
const USUAL_AGENTS: usize = 16;
