//! The claims of a finding, read from its sentence by the words of testdata/advice.toml, and its
//! imperatives.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polite_robots::document::is_wildcard;
use polite_robots_lint::Diagnostic;
use serde::Deserialize;

use super::planted::Plants;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) failures: BTreeSet<String>,
    pub(super) next: BTreeSet<String>,
    claims: BTreeMap<Claim, Vec<String>>,
    pub(super) plants: Plants,
}

/// A statement of a sentence about the answers; testdata/advice.toml explains each.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Claim {
    Idle,
    IdleToGoogle,
    IdleByRfc9309,
    Unread,
    Mute,
    MuteToGoogle,
    Unknown,
    UnknownValue,
    Overruled,
    May,
    MayNot,
    Dropped,
    SitemapClosed,
    DecidesInGoogle,
    OpensDirectoryInGoogle,
    OpensInGoogle,
    OpenInGoogle,
    ForbidsSite,
    AllowsSite,
    ClosesHomePage,
    ClosedWithExceptions,
    ClosedButHomePage,
    SharedRules,
    Everything,
    Nothing,
    Reads,
    ReadsInGoogle,
    ReadsNot,
    NoName,
    Bleeds,
    Nobody,
    NobodyToGoogle,
    TwoGroups,
    Unstated,
    Wrong,
    Elsewhere,
}

/// The texts of the slots of the words that fit.
pub(super) type Slots = BTreeMap<String, String>;

impl Table {
    pub(super) fn read() -> Table {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
        toml::from_str(&std::fs::read_to_string(folder.join("advice.toml")).unwrap()).unwrap()
    }

    /// Each claim of a finding, with the words that make it.
    pub(super) fn claims(&self, finding: &Diagnostic) -> Vec<(Claim, &str, Slots)> {
        let rows = self.claims.iter();
        let rows = rows.flat_map(|(claim, all)| all.iter().map(|words| (*claim, words.as_str())));
        rows.filter_map(|(claim, words)| Some((claim, words, slots(words, finding.message())?)))
            .collect()
    }

    /// All words of the table.
    pub(super) fn words(&self) -> BTreeSet<&str> {
        let words = self.claims.values().flatten();
        words.map(String::as_str).collect()
    }
}

/// The texts between the literal parts of the words, if the message has all these parts in their
/// order. A slot at the start takes all text before the first part, and a slot at the end takes a
/// quotation.
fn slots(words: &str, message: &str) -> Option<Slots> {
    let parts: Vec<&str> = words.split(['{', '}']).collect();
    let starts = message
        .match_indices(parts[0])
        .map(|(at, part)| at + part.len());
    // Words that begin with a slot begin the sentence.
    let starts = starts.take(if parts[0].is_empty() { 1 } else { usize::MAX });
    starts.into_iter().find_map(|start| {
        let mut rest = &message[start..];
        let mut slots = Slots::new();
        for pair in parts[1..].chunks(2) {
            let end = match pair[1] {
                "" => rest.strip_prefix('`')?.find('`')? + 2,
                literal => rest.find(literal)?,
            };
            let slot = &rest[..end];
            slots.insert(pair[0].to_owned(), slot.to_owned());
            rest = &rest[end + pair[1].len()..];
        }
        Some(slots)
    })
}

/// The texts between backticks; `None` where one of them is shortened or escaped.
pub(super) fn quotations(text: &str) -> Option<Vec<String>> {
    let quoted: Vec<&str> = text.split('`').skip(1).step_by(2).collect();
    let is_whole = |text: &&str| !text.contains(['…', '\\', '\u{fffd}']);
    let whole = quoted.iter().all(is_whole) && text.matches('`').count() % 2 == 0;
    whole.then(|| quoted.into_iter().map(str::to_owned).collect())
}

/// The agents that a part of a sentence names.
pub(super) fn agents(text: &str) -> Option<Vec<String>> {
    if text == "crawlers without a group of their own" {
        return Some(vec!["*".to_owned()]);
    }
    let named = match text.contains('`') {
        true => quotations(text)?,
        false => text.split(" and ").map(str::to_owned).collect(),
    };
    let is_in_name = |letter: char| letter.is_ascii_alphanumeric() || "_.-".contains(letter);
    let name = |text: String| match text.split(|letter| !is_in_name(letter)).next() {
        Some("") if is_wildcard(text.as_bytes()) => Some("*".to_owned()),
        // `**` names nobody.
        Some("") | None => None,
        name => name.map(str::to_owned),
    };
    Some(named.into_iter().filter_map(name).collect())
}

/// Whether a sentence asks its reader to do something: an imperative begins a part of it.
pub(super) fn is_imperative(message: &str) -> bool {
    let unquoted: Vec<&str> = message.split('`').step_by(2).collect();
    let unquoted = unquoted.join("`");
    let parts = unquoted.split([';', ',', ':']);
    let begins = |part: &str| {
        let mut words = part.split_whitespace();
        let verb = words.find(|word| !BEFORE_VERBS.contains(word));
        verb.is_some_and(|verb| IMPERATIVES.contains(&verb))
    };
    let joints = [" and ", " or ", " then ", " so "];
    parts.into_iter().any(|part| {
        let later = joints.iter().flat_map(|joint| part.match_indices(joint));
        begins(part)
            || later
                .into_iter()
                .any(|(at, joint)| begins(&part[at + joint.len()..]))
    })
}

const IMPERATIVES: [&str; 15] = [
    "write", "remove", "give", "put", "move", "keep", "leave", "add", "replace", "repeat", "save",
    "shorten", "serve", "use", "close",
];

const BEFORE_VERBS: [&str; 6] = ["and", "or", "so", "then", "also", "better"];

/// The texts that a sentence says to write: the quotation after the verb, and those that `or` or
/// `and` joins to it.
pub(super) fn texts_to_write(message: &str) -> Vec<String> {
    let mut texts = Vec::new();
    for (at, verb) in message.match_indices("write `") {
        let mut rest = &message[at + verb.len() - 1..];
        while let Some(quotation) = rest.strip_prefix('`') {
            let Some(end) = quotation.find('`') else {
                break;
            };
            let text = &quotation[..end];
            if !text.contains(['…', '\\', '\u{fffd}']) {
                texts.push(text.to_owned());
            }
            let after = &quotation[end + 1..];
            let joints = [", or ", " or ", ", and ", " and ", ", "];
            let joint = joints.iter().find_map(|joint| after.strip_prefix(joint));
            rest = joint.unwrap_or_default();
        }
    }
    texts
}
