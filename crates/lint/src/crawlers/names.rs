//! Names of agents compared with the table of known crawlers: the same name, or nearly the same.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use polite_robots::document::UserAgent;
use polite_robots_audit::known::{self, KnownCrawler, Purpose};

/// The crawler with this product token.
pub(super) fn known(name: &str) -> Option<&'static KnownCrawler> {
    INDEX.by_token.get(&name.to_ascii_lowercase()).copied()
}

/// Whether the name is one that a crawler reads, though the table has no crawler of that name: the
/// second name of others.
pub(super) fn is_second_name(name: &str) -> bool {
    let is_same = |second: &&str| second.eq_ignore_ascii_case(name);
    INDEX.second_names.iter().any(is_same)
}

/// Whether the value of a `User-agent` line names a search engine, by its name or by one to which
/// it falls back.
pub(super) fn is_search_engine(value: &[u8]) -> bool {
    let name = name(value);
    let is_for_search = |crawler: &&KnownCrawler| crawler.purpose() == Purpose::Search;
    let has_second_name = |crawler: &KnownCrawler| {
        let mut names = crawler.falls_back_to().iter();
        names.any(|second| second.eq_ignore_ascii_case(name))
    };
    known(name).as_ref().is_some_and(is_for_search)
        || is_second_name(name)
            && known::all()
                .iter()
                .filter(is_for_search)
                .any(has_second_name)
}

/// The leading `[A-Za-z0-9_.-]*` of a `User-agent` value: the name that this library compares.
pub(super) fn name(value: &[u8]) -> &str {
    let is_outside = |byte: &u8| !byte.is_ascii_alphanumeric() && !b"_.-".contains(byte);
    let len = value.iter().position(is_outside).unwrap_or(value.len());
    let name = value.get(..len).unwrap_or_default();
    core::str::from_utf8(name).unwrap_or_default()
}

/// The names of agents, in lower case.
pub(super) fn names_of<'r>(agents: impl Iterator<Item = UserAgent<'r>>) -> HashSet<String> {
    agents
        .map(|agent| name(agent.value()).to_ascii_lowercase())
        .collect()
}

/// Whether the name is a word that begins the names of many crawlers.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.iter().any(|word| name.eq_ignore_ascii_case(word))
}

/// The known crawler that was probably meant by the value of a `User-agent` line that names none,
/// in lower case. `core` is that of the value.
pub(super) fn probably_meant(lower: &str, core: &str) -> Option<&'static KnownCrawler> {
    let is_in_names = |byte: u8| byte.is_ascii_alphanumeric() || b"_.- ".contains(&byte);
    if !lower.bytes().all(is_in_names) || TRUE_NAMES.contains(&lower) || core.len() < SHORTEST_CORE
    {
        return None;
    }
    if let Some(crawler) = INDEX.by_core.get(core) {
        return Some(crawler);
    }
    let is_near =
        |token: &str, crawler: &KnownCrawler| match slip(lower.as_bytes(), token.as_bytes()) {
            Some(Slip::Swapped) => true,
            Some(Slip::OtherLetter) => core_of(crawler.token()).len() >= LONG_CORE,
            None => false,
        };
    // One slip changes the length by one at most.
    let lens = lower.len().saturating_sub(1)..=lower.len().saturating_add(1);
    let near_lens = lens.filter_map(|len| INDEX.lower_by_len.get(len));
    near_lens
        .flatten()
        .filter(|(_, token, crawler)| is_near(token, crawler))
        .min_by_key(|(place, ..)| *place)
        .map(|(.., crawler)| *crawler)
}

/// The crawlers of the operator with this name, in lower case, that have not ended, those that
/// search first, then those that train.
pub(super) fn of_operator(lower: &str) -> &'static [&'static KnownCrawler] {
    let of_operator = INDEX.by_operator.get(lower);
    of_operator.map_or(&[], Vec::as_slice)
}

/// The crawlers that read a group for another one where none names them, as the end of a sentence
/// about its name; empty if a group names that one already.
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

/// The crawlers whose names begin so, in the order of [`of_operator`].
pub(super) fn beginning_with(start: &str) -> Vec<&'static KnownCrawler> {
    let begins_so = |crawler: &&KnownCrawler| {
        let name = crawler.token().get(..start.len());
        name.is_some_and(|name| name.eq_ignore_ascii_case(start))
    };
    match start.len() < SHORTEST_CORE {
        true => Vec::new(),
        false => by_importance().into_iter().filter(begins_so).collect(),
    }
}

/// The name without the signs and the `bot` that people leave out, add or move: `googleextended`.
pub(super) fn core_of(name: &str) -> String {
    let mut core = String::with_capacity(name.len());
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    core.extend(letters.map(|letter| letter.to_ascii_lowercase()));
    // Nearly all names have none, and a replacement copies each.
    match core.contains("bot") {
        true => core.replace("bot", ""),
        false => core,
    }
}

/// A difference by one slip of the fingers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Slip {
    /// Two neighbours are swapped: `gtpbot`.
    Swapped,
    /// One letter is missing, added or another.
    OtherLetter,
}

fn slip(one: &[u8], other: &[u8]) -> Option<Slip> {
    // The first two bytes show nearly always that there are more slips.
    let (Some([a, b]), Some([c, d])) = (one.first_chunk(), other.first_chunk()) else {
        return None;
    };
    let may_be_near = a == c || b == d || a == d || b == c;
    if !may_be_near || one.len().abs_diff(other.len()) > 1 {
        return None;
    }
    let same = one
        .iter()
        .zip(other)
        .take_while(|(one, other)| one == other)
        .count();
    match (one.get(same..)?, other.get(same..)?) {
        ([a, b, one @ ..], [c, d, other @ ..]) if a == d && b == c && one == other => {
            Some(Slip::Swapped)
        }
        ([_, one @ ..], other) | (other, [_, one @ ..]) if one == other => Some(Slip::OtherLetter),
        ([_, one @ ..], [_, other @ ..]) if one == other => Some(Slip::OtherLetter),
        _ => None,
    }
}

struct Index {
    by_token: HashMap<String, &'static KnownCrawler>,
    by_core: HashMap<String, &'static KnownCrawler>,
    /// The tokens in lower case that a name may be nearly equal to, by their lengths, each with its
    /// place in the table.
    lower_by_len: Vec<Vec<(usize, String, &'static KnownCrawler)>>,
    by_operator: HashMap<String, Vec<&'static KnownCrawler>>,
    second_names: Vec<&'static str>,
}

static INDEX: LazyLock<Index> = LazyLock::new(|| {
    let lower = |crawler: &KnownCrawler| crawler.token().to_ascii_lowercase();
    let tokens = || known::all().iter().map(|crawler| (lower(crawler), crawler));
    // The words `code`, `operator` and `spider` begin many other names.
    let telling: Vec<_> = tokens()
        .filter(|(token, _)| !WORDS.contains(&token.as_str()))
        .collect();
    let by_core = telling
        .iter()
        .rev()
        .map(|(token, crawler)| (core_of(token), *crawler));
    let mut by_operator: HashMap<String, Vec<_>> = HashMap::new();
    for crawler in by_importance() {
        let operator = crawler.operator().unwrap_or_default().to_ascii_lowercase();
        if !operator.is_empty() && !TRUE_NAMES.contains(&operator.as_str()) {
            by_operator.entry(operator).or_default().push(crawler);
        }
    }
    let mut second_names: Vec<_> = known::all()
        .iter()
        .flat_map(KnownCrawler::falls_back_to)
        .copied()
        .collect();
    second_names.sort_unstable();
    second_names.dedup();
    let longest = telling.iter().map(|(token, _)| token.len()).max();
    let mut lower_by_len = vec![Vec::new(); longest.map_or(0, |len| len.saturating_add(1))];
    for (place, (token, crawler)) in telling.iter().enumerate() {
        if let Some(of_len) = lower_by_len.get_mut(token.len()) {
            of_len.push((place, token.clone(), *crawler));
        }
    }
    Index {
        by_operator,
        second_names,
        by_token: tokens().rev().collect(),
        by_core: by_core
            .filter(|(core, _)| core.len() >= SHORTEST_CORE)
            .collect(),
        lower_by_len,
    }
});

/// The crawlers whose names are in use, in the order in which a list of them is cut.
fn by_importance() -> Vec<&'static KnownCrawler> {
    let current = known::all().iter();
    let mut current: Vec<_> = current
        .filter(|crawler| crawler.retired().is_none())
        .collect();
    current.sort_by_key(|crawler| {
        let rank = match crawler.purpose() {
            Purpose::Search => 0,
            Purpose::Training => 1,
            _ => 2,
        };
        (rank, crawler.token().len())
    });
    current
}

/// Letters of a name without `bot` that are enough to recognise it: `gpt`.
const SHORTEST_CORE: usize = 3;

/// Letters without `bot` from which on a name with another letter is hardly the name of another
/// crawler. `Dotbot` and `WotBot`, `Ai2Bot` and `AIBot` are two crawlers each.
const LONG_CORE: usize = 6;

/// Tokens of the table that are words of English.
const WORDS: &[&str] = &[
    "code",
    "crawl4ai",
    "crawlspace",
    "cursor",
    "devin",
    "lcc",
    "newsai",
    "operator",
    "scrapy",
    "spider",
    "trae",
    "useai",
    "yak",
];

/// Crawlers outside of the table whose names are near those of others, or are the names of
/// companies.
const TRUE_NAMES: &[&str] = &[
    "archive.org",
    "buddy",
    "meltwater",
    "mozilla",
    "naver",
    "pinterest",
    "roverbot",
    "semrushbot-ba",
    "semrushbot-bm",
    "semrushbot-sa",
    "semrushbot-si",
    "semrushbot-ct",
    "semrushbot-coub",
    "sphider",
];

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(value: &str) -> Option<&'static str> {
        let lower = value.to_ascii_lowercase();
        probably_meant(&lower, &core_of(&lower)).map(KnownCrawler::token)
    }

    #[test]
    fn near_names_are_recognised() {
        for (value, expected) in [
            ("GTPBot", "GPTBot"),
            ("ChatGPTUser", "ChatGPT-User"),
            ("GooglebotExtended", "Google-Extended"),
            ("Claude-Bot", "ClaudeBot"),
            ("Claude Bot", "ClaudeBot"),
            ("Perplexity", "PerplexityBot"),
            ("Byte-Spider", "Bytespider"),
            ("Gogglebot", "Googlebot"),
            ("CCBott", "CCBot"),
        ] {
            let is_short = value == "CCBott";
            assert_eq!(meant(value), (!is_short).then_some(expected), "{value}");
        }
    }

    #[test]
    fn other_crawlers_are_left_alone() {
        for value in [
            "WotBot",
            "AIBot",
            "Roverbot",
            "SemrushBot-SA",
            "ExampleBot",
            "Spiderbot",
            "Snapbot",
            "bot",
            "Pinterest",
            "Devil",
        ] {
            assert_eq!(meant(value), None, "{value}");
        }
    }
}
