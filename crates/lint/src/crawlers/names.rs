//! The names of agents as `User-agent` lines have them.

use std::collections::HashSet;

use polite_robots::document::{UserAgent, leading_name};
use polite_robots_audit::known::{self, KnownCrawler, Purpose};

use crate::proposal::Proposal;

/// Whether the value of a `User-agent` line names a search engine, by its name or by one to which
/// it falls back.
pub(super) fn is_search_engine(value: &[u8]) -> bool {
    let name = name(value);
    let is_for_search = |crawler: &&KnownCrawler| crawler.purpose() == Purpose::Search;
    let has_second_name = |crawler: &KnownCrawler| {
        let mut names = crawler.falls_back_to().iter();
        names.any(|second| second.eq_ignore_ascii_case(name))
    };
    known::find(name).as_ref().is_some_and(is_for_search)
        || known::is_second_token(name)
            && known::all()
                .iter()
                .filter(is_for_search)
                .any(has_second_name)
}

/// The name that this library compares.
pub(super) fn name(value: &[u8]) -> &str {
    core::str::from_utf8(leading_name(value)).unwrap_or_default()
}

/// The names of agents, in lower case.
pub(super) fn names_of<'r>(agents: impl Iterator<Item = UserAgent<'r>>) -> HashSet<String> {
    agents
        .map(|agent| name(agent.value()).to_ascii_lowercase())
        .collect()
}

/// Another name in the place of the agent's, as one proposal for each that [`any_of`] has.
pub(super) fn renamed(agent: UserAgent<'_>, names: &[&str]) -> Vec<Proposal> {
    let names = names.iter().take(MOST_NAMES);
    let rename = |name: &&str| Proposal::write(agent.span(), *name);
    names.map(rename).collect()
}

/// The names as the end of "write …", to choose one of; `None` if there are none.
pub(super) fn any_of(names: &[&str]) -> Option<String> {
    let named: Vec<String> = names
        .iter()
        .take(MOST_NAMES)
        .map(|name| format!("`{name}`"))
        .collect();
    match named.as_slice() {
        [] => None,
        [one] => Some(format!("{one} if you mean it")),
        _ if names.len() > named.len() => {
            Some(format!("{}, or another of its crawlers", named.join(", ")))
        }
        [others @ .., last] => Some(format!("{} or {last}", others.join(", "))),
    }
}

/// Names that a sentence lists.
const MOST_NAMES: usize = 3;

/// The crawlers that would obey a group for this crawler because no group names them, as the end of
/// a sentence; empty if a group names this crawler already.
pub(super) fn readers(crawler: &KnownCrawler, is_named: impl Fn(&str) -> bool) -> String {
    let falls_back = |other: &&KnownCrawler| {
        let mut names = other.falls_back_to().iter();
        names.any(|name| name.eq_ignore_ascii_case(crawler.token())) && !is_named(other.token())
    };
    let readers = known::all().iter().filter(falls_back);
    let names: Vec<&str> = readers.map(KnownCrawler::token).collect();
    match names.as_slice() {
        [others @ .., last] if !is_named(crawler.token()) => {
            let others = match others {
                [] => String::new(),
                others => format!("{} and ", others.join(", ")),
            };
            format!(", whose group is that of {others}{last} too")
        }
        _ => String::new(),
    }
}

/// The crawlers whose names begin with this text, in the order of [`known::by_importance`].
pub(super) fn beginning_with(start: &str) -> Vec<&'static KnownCrawler> {
    let begins_so = |crawler: &&KnownCrawler| {
        let name = crawler.token().get(..start.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(start))
    };
    let crawlers = known::by_importance().iter().copied();
    let is_telling = start.len() >= SHORTEST_START;
    crawlers
        .filter(|crawler| is_telling && begins_so(crawler))
        .collect()
}

/// The number of letters that are enough to recognize the owner of a name.
const SHORTEST_START: usize = 3;
