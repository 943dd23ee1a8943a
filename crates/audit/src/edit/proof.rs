//! Proves that an edit changed what was asked and nothing else, in both dialects.

use std::collections::BTreeSet;

use polite_robots::record::PolicyToken;
use polite_robots::{Dialect, InvalidToken, Options, RobotsTxt};
use polite_robots_records::{ExtensionValue, UsageCategory};

use crate::classes::EVERYONE;
use crate::coverage::{CoverageSearch, Extent};
use crate::difference::{AgentChange, Difference, Question, Versions};
use crate::edit::error::EditError;
use crate::edit::signals::Signal;
use crate::policy::{self, robot_of, rules_about_uses};
use crate::witness::rules;

/// The changes that were asked for.
pub(super) struct Asked<'e> {
    pub(super) close: &'e [String],
    pub(super) open: &'e [String],
    pub(super) signals: &'e [Signal],
    pub(super) uses: &'e [(PolicyToken, bool)],
}

impl Asked<'_> {
    fn closes(&self, agent: &str, dialect: Dialect) -> bool {
        let names = self.close.iter().map(String::as_str);
        is_among(names.chain(self.uses(false)), agent, dialect)
    }

    fn opens(&self, agent: &str, dialect: Dialect) -> bool {
        let names = self.open.iter().map(String::as_str);
        is_among(names.chain(self.uses(true)), agent, dialect)
    }

    /// The names of the uses that are wanted, or of those that are not.
    fn uses(&self, is_wanted: bool) -> impl Iterator<Item = &str> {
        let uses = self.uses.iter();
        let uses = uses.filter(move |(_, other)| *other == is_wanted);
        uses.map(|(token, _)| token.as_str())
    }
}

/// Compares the versions for every agent that one of them names and for everyone else.
pub(super) fn prove(asked: &Asked<'_>, old: &[u8], new: &[u8]) -> Result<(), EditError> {
    for options in [Options::rfc9309(), Options::google()] {
        let [old, new] = [old, new].map(|file| RobotsTxt::parse_with(file, &options));
        let dialect = options.dialect;
        let (settled, unsettled) = by_access(asked, dialect, [&old, &new])?;
        // The URLs of agents that are closed, or can only be opened, need not be looked at.
        let urls = urls_with_preferences(&old, &new);
        for (agents, question) in [
            (unsettled, Question::Rules),
            (settled, Question::Urls(urls)),
        ] {
            let versions = Versions::for_agents(&old, &new, agents)
                .map_err(|error| other_change(&error.to_string()))?;
            refuse_other_changes(asked, dialect, &versions.difference(question))?;
        }
    }
    Ok(())
}

/// The agents whose access is now as asked, whatever the URL, and all others.
fn by_access(
    asked: &Asked<'_>,
    dialect: Dialect,
    [old, new]: [&RobotsTxt; 2],
) -> Result<(Vec<String>, Vec<String>), EditError> {
    let (closed, others): (Vec<String>, Vec<String>) = agents(old, new)
        .into_iter()
        .partition(|agent| asked.closes(agent, dialect));
    let mut search = CoverageSearch::new(new);
    let mut extent = |agent: &str| -> Result<Extent, InvalidToken> {
        Ok(search.coverage(&robot_of(new, agent)?).extent())
    };
    for agent in &closed {
        if extent(agent).ok() != Some(Extent::Nothing) {
            return Err(other_change(agent));
        }
    }
    let is_wanted = |agent: &&String| {
        let mut uses = asked.uses(true);
        uses.any(|token| token.eq_ignore_ascii_case(agent))
    };
    for agent in others.iter().filter(is_wanted) {
        if extent(agent).ok() != Some(Extent::Everything) {
            return Err(other_change(agent));
        }
    }
    let mut old_search = CoverageSearch::new(old);
    let mut can_only_open = |agent: &String| -> Result<bool, InvalidToken> {
        let before = old_search.coverage(&robot_of(old, agent)?);
        let was_shut = before.extent() == Extent::Nothing && before.is_certain();
        Ok(was_shut || loses_only_disallows(agent, [old, new])?)
    };
    let mut settled = closed;
    let mut unsettled = Vec::new();
    for agent in others {
        if asked.opens(&agent, dialect) && !has_same_rules(&agent, [old, new]).unwrap_or(false) {
            if matches!(extent(&agent), Ok(Extent::Nothing) | Err(_)) {
                return Err(other_change(&agent));
            }
            if can_only_open(&agent).unwrap_or(false) {
                settled.push(agent);
                continue;
            }
        }
        unsettled.push(agent);
    }
    Ok((settled, unsettled))
}

fn refuse_other_changes(
    asked: &Asked<'_>,
    dialect: Dialect,
    difference: &Difference,
) -> Result<(), EditError> {
    if !difference.records().is_empty() {
        return Err(other_change("every agent"));
    }
    let has_other = |change: &&AgentChange| {
        let mut agents = change.agents().iter();
        let is_access_asked = agents.clone().all(|agent| asked.closes(agent, dialect))
            || change.disallowed_count() == 0
                && (change.allowed_count() == 0 || agents.all(|agent| asked.opens(agent, dialect)));
        !is_access_asked
            || !change.records().is_empty()
            || !has_only_asked_preferences(asked, change)
    };
    if let Some(change) = difference.changes().iter().find(has_other) {
        return Err(other_change(&change.agents().join(", ")));
    }
    if !difference.is_complete() {
        return Err(EditError::TooLong);
    }
    Ok(())
}

fn other_change(agent: &str) -> EditError {
    EditError::OtherChange {
        agent: agent.to_owned(),
    }
}

fn has_same_rules(agent: &str, versions: [&RobotsTxt; 2]) -> Result<bool, InvalidToken> {
    let [old, new] = versions.map(|version| robot_of(version, agent));
    Ok(rules(&old?) == rules(&new?))
}

/// Whether the new rules of the agent are the old ones without some `Disallow` rules. Then nothing
/// that was allowed can be disallowed, in however many ways the rules meet.
fn loses_only_disallows(agent: &str, versions: [&RobotsTxt; 2]) -> Result<bool, InvalidToken> {
    let [old, new] = versions.map(|version| robot_of(version, agent));
    let (old, new) = (old?, new?);
    let (old, new) = (rules(&old), rules(&new));
    Ok(new.is_subset(&old) && old.difference(&new).all(|rule| !rule.is_allow))
}

/// The agents that one of the files names, and everyone else.
fn agents(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let groups = old.merged_groups().chain(new.merged_groups());
    let names = groups.map(|group| group.product_token().to_ascii_lowercase());
    let names: BTreeSet<String> = names.chain([EVERYONE.to_owned()]).collect();
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The paths of `Content-Signal`, `Content-Usage` and rules about uses, and the home page.
fn urls_with_preferences(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let records = old.extensions().chain(new.extensions());
    let about_uses = rules_about_uses(old).chain(rules_about_uses(new));
    let paths = records.filter_map(|record| match ExtensionValue::of(&record) {
        ExtensionValue::ContentSignal(signal) => signal.path(),
        ExtensionValue::ContentUsage(usage) => usage.path(),
        _ => None,
    });
    let paths = paths.chain(about_uses.map(|(.., value)| value));
    let paths = paths.map(|path| String::from_utf8_lossy(path).replace(['*', '$'], ""));
    let urls: BTreeSet<String> = paths.chain(["/".to_owned()]).collect();
    urls.into_iter().collect()
}

fn is_among<'n>(names: impl Iterator<Item = &'n str>, agent: &str, dialect: Dialect) -> bool {
    let mut names = names.map(|name| read_name(name, dialect));
    names.any(|name| name.eq_ignore_ascii_case(agent))
}

/// Google's matcher reads letters, `_` and `-` of a name only.
fn read_name(agent: &str, dialect: Dialect) -> &str {
    let is_read = |character: char| character.is_ascii_alphabetic() || "_-".contains(character);
    match (agent, dialect) {
        (EVERYONE, _) | (_, Dialect::Rfc9309) => agent,
        (_, Dialect::Google) => {
            let name = agent.split(|character| !is_read(character)).next();
            name.unwrap_or_default()
        }
    }
}

/// Whether each changed preference is one that was asked for. Other records may be stricter, and
/// then they decide.
fn has_only_asked_preferences(asked: &Asked<'_>, change: &AgentChange) -> bool {
    let is_asked = |key: &str| asked.signals.iter().any(|signal| signal.key == key);
    let is_use_asked = |category: UsageCategory| {
        let mut uses = asked.uses.iter();
        uses.any(|(token, _)| policy::category(*token) == Some(category))
    };
    let key = |category: UsageCategory| match category {
        UsageCategory::Search => "search",
        UsageCategory::AiInput => "ai-input",
        UsageCategory::AiTraining => "ai-train",
        _ => "",
    };
    let mut usages = change.usages().iter();
    usages.all(|usage| is_asked(key(usage.category)) || is_use_asked(usage.category))
        && (is_asked("use") || change.content_uses().is_empty() && change.other_preferences == 0)
}
