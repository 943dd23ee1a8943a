//! The name of an agent as it is counted, with the known crawlers that it stands for. One lookup
//! serves all counts.

use std::sync::LazyLock;

use hashbrown::HashTable;
use polite_robots_audit::known::{self, KnownCrawler};

use crate::summary::hash::hash;
use crate::summary::tally::Name;

/// The name of an agent in lower case.
#[derive(Debug)]
pub(crate) struct AgentName {
    pub(crate) name: Name,
    /// The hash of the name.
    pub(crate) hash: u64,
    /// The known crawlers that the name stands for.
    pub(crate) known: Option<&'static KnownName>,
}

/// A name that stands for known crawlers.
#[derive(Debug)]
pub(crate) struct KnownName {
    hash: u64,
    name: String,
    /// The crawler with this name, and its place in [`known::all`].
    pub(crate) own: Option<(usize, &'static KnownCrawler)>,
    /// The crawlers that obey this name where their own is not named.
    pub(crate) second_of: Vec<SecondName>,
}

/// A crawler that obeys a name which is not its own.
#[derive(Debug)]
pub(crate) struct SecondName {
    /// The place of the crawler in [`known::all`].
    pub(crate) crawler: usize,
    /// The place of the name in the crawler's list of names. The crawler obeys the first of them
    /// that a file has.
    pub(crate) rank: usize,
}

impl AgentName {
    /// Makes the name of a product token.
    pub(crate) fn new(token: &str) -> AgentName {
        let name = Name::lower(token.as_bytes());
        let hash = hash(name.as_str().as_bytes());
        AgentName {
            known: find(hash, name.as_str()),
            name,
            hash,
        }
    }

    /// The known crawler with this name.
    pub(crate) fn crawler(&self) -> Option<&'static KnownCrawler> {
        let (_, crawler) = self.known?.own?;
        Some(crawler)
    }
}

/// Finds the known crawler of a token in lower case, and its place in [`known::all`].
pub(crate) fn crawler(token: &str) -> Option<(usize, &'static KnownCrawler)> {
    find(hash(token.as_bytes()), token)?.own
}

fn find(hash: u64, name: &str) -> Option<&'static KnownName> {
    KNOWN_NAMES.find(hash, |known| known.hash == hash && known.name == name)
}

static KNOWN_NAMES: LazyLock<HashTable<KnownName>> = LazyLock::new(|| {
    let mut names = HashTable::new();
    for (at, crawler) in known::all().iter().enumerate() {
        known_name(&mut names, crawler.token()).own = Some((at, crawler));
        for (rank, second) in crawler.falls_back_to().iter().enumerate() {
            let second_of = &mut known_name(&mut names, second).second_of;
            second_of.push(SecondName { crawler: at, rank });
        }
    }
    names
});

fn known_name<'n>(names: &'n mut HashTable<KnownName>, token: &str) -> &'n mut KnownName {
    let name = token.to_ascii_lowercase();
    let hash = hash(name.as_bytes());
    let entry = names.entry(hash, |known| known.name == name, |known| known.hash);
    let new = || KnownName {
        hash,
        name: name.clone(),
        own: None,
        second_of: Vec::new(),
    };
    entry.or_insert_with(new).into_mut()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_crawler_is_found_by_its_names_in_any_case() {
        for (at, crawler) in known::all().iter().enumerate() {
            let name = AgentName::new(&crawler.token().to_ascii_uppercase());
            assert_eq!(
                name.crawler().map(KnownCrawler::token),
                Some(crawler.token())
            );
            assert_eq!(
                name.known.and_then(|known| known.own).map(|(at, _)| at),
                Some(at)
            );
            for second in crawler.falls_back_to() {
                let second = AgentName::new(second).known.unwrap();
                let mut crawlers = second.second_of.iter().map(|second| second.crawler);
                assert!(crawlers.any(|other| other == at), "{}", crawler.name());
            }
        }
        assert!(AgentName::new("nobody").known.is_none());
        assert!(crawler("gptbot").is_some() && crawler("*").is_none());
    }
}
