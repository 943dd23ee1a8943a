//! The claims and the advice of a finding, read from its sentence by the words of
//! testdata/advice.toml.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polite_robots_lint::Diagnostic;
use serde::Deserialize;

use super::change::Effect;
use super::planted::Plants;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Table {
    pub(super) failures: BTreeSet<String>,
    pub(super) next: BTreeSet<String>,
    claims: BTreeMap<Claim, Vec<String>>,
    hints: Vec<Hint>,
    google: Vec<OfGoogle>,
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
    Bleeds,
    Nobody,
    NobodyToGoogle,
    TwoGroups,
    Unstated,
    Wrong,
    Elsewhere,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Hint {
    words: String,
    edit: Edit,
    text: Option<String>,
    change: Effect,
}

/// Words that say that Google's matcher alone reads a line in another way.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfGoogle {
    words: String,
    change: Effect,
}

/// Where the text of a hint goes.
#[derive(Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Edit {
    /// In the place of the span, of the line, of its first byte, or of each of its blanks.
    Replace,
    Line,
    FirstByte,
    Blanks,
    /// In the place of the value of the line, or of the agent in it.
    Value,
    Agent,
    /// In the place of the name or the value of a preference, or of the scheme of a URL.
    Label,
    Preference,
    Scheme,
    /// Before the span; a `#` before the line; a line end before the span.
    Before,
    After,
    Comment,
    OwnLine,
    /// A colon after the text, with which the span begins.
    Colon,
    /// On a line of its own below or above; as the first `Disallow` of the group.
    Below,
    Above,
    Closing,
    AgentToo,
    LowerCase,
    PathOfUrl,
    WithoutLast,
    Remove,
}

impl Edit {
    /// Lines between that of the finding and the one that is written.
    pub(super) fn lines_above(self) -> u8 {
        match self {
            Edit::OwnLine => 1,
            Edit::Below | Edit::AgentToo => 2,
            _ => 0,
        }
    }
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

    /// The text that a finding says to write, and where; with the words that say so.
    pub(super) fn hint(&self, finding: &Diagnostic) -> Option<(Edit, String, &str, Effect)> {
        self.hints.iter().find_map(|hint| {
            let slots = slots(&hint.words, finding.message())?;
            let quotation = |name: &str| quotations(slots.get(name)?)?.into_iter().next();
            let text = match (&hint.text, slots.contains_key("text")) {
                (Some(text), _) => text.clone(),
                (None, true) => quotation("text")?,
                (None, false) => String::new(),
            };
            // The text of `here` stays on the line, above the other.
            let text = match slots.contains_key("here") {
                true => format!("{}\n{text}", quotation("here")?),
                false => text,
            };
            Some((hint.edit, text, hint.words.as_str(), hint.change))
        })
    }

    /// The changes to Google's matcher alone that a finding names, with the words that do.
    pub(super) fn of_google(&self, finding: &Diagnostic) -> Option<(Effect, &str)> {
        let mut rows = self.google.iter();
        let row = rows.find(|row| slots(&row.words, finding.message()).is_some())?;
        Some((row.change, row.words.as_str()))
    }

    /// All words of the table.
    pub(super) fn words(&self) -> BTreeSet<&str> {
        let hints = self.hints.iter().map(|hint| &hint.words);
        let of_google = self.google.iter().map(|row| &row.words);
        let words = self.claims.values().flatten().chain(hints).chain(of_google);
        words.map(String::as_str).collect()
    }
}

/// The texts between the literal parts of the words, where the message has all of these in their
/// order. A slot at the start takes all before, one at the end a quotation.
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
            if pair[0] == "text" && !is_quotation(slot) {
                return None;
            }
            slots.insert(pair[0].to_owned(), slot.to_owned());
            rest = &rest[end + pair[1].len()..];
        }
        Some(slots)
    })
}

fn is_quotation(text: &str) -> bool {
    text.starts_with('`') && text.ends_with('`') && text.matches('`').count() == 2
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
        Some("") if text.starts_with('*') => Some("*".to_owned()),
        name => name.map(str::to_owned),
    };
    named.into_iter().map(name).collect()
}
