//! The proof that an edit changed what was asked and nothing else, in both dialects.

use std::collections::BTreeSet;

use polite_robots::record::{ExtensionValue, UsageCategory};
use polite_robots::{Dialect, InvalidToken, Options, Robot, RobotsTxt};

use crate::coverage::{CoverageSearch, Extent};
use crate::difference::{AgentChange, Question, Versions};
use crate::edit::groups::EVERYONE;
use crate::edit::signals::Signal;

/// The changes that were asked for.
pub(super) struct Asked<'e> {
    pub(super) close: &'e [String],
    pub(super) open: &'e [String],
    pub(super) signals: &'e [Signal],
}

/// Compares the versions for every agent that one of them names and for everyone else. The error is
/// the agent whose answers are not as asked.
pub(super) fn prove(asked: &Asked<'_>, old: &[u8], new: &[u8]) -> Result<(), String> {
    for options in [Options::rfc9309(), Options::google()] {
        let [old, new] = [old, new].map(|file| RobotsTxt::parse_with(file, &options));
        let agents = agents(&old, &new);
        let mut compared = Vec::new();
        for agent in &agents {
            let access = access(asked, agent, [&old, &new], options.dialect);
            match access.unwrap_or(Access::Other) {
                Access::AsAsked => {}
                Access::ToBeCompared => compared.push(agent.clone()),
                Access::Other => return Err(agent.clone()),
            }
        }
        let is_opened = |change: &AgentChange<'_>| {
            let is_open = is_among(asked.open, change.agent(), options.dialect);
            is_open
                && change
                    .verdicts()
                    .iter()
                    .all(|change| change.new.is_allowed())
        };
        // All URLs are looked at only for agents whose rules are others.
        let questions = [
            (compared, Question::Rules),
            (agents, Question::Urls(urls_with_preferences(&old, &new))),
        ];
        for (agents, question) in questions {
            let versions =
                Versions::for_agents(&old, &new, agents).map_err(|error| error.to_string())?;
            let difference = versions.difference(question);
            if !difference.records().is_empty() {
                return Err("every agent".to_owned());
            }
            let has_other = |change: &&AgentChange<'_>| {
                let is_meant = is_among(asked.close, change.agent(), options.dialect)
                    || change.verdicts().is_empty()
                    || is_opened(change);
                !is_meant
                    || !change.records().is_empty()
                    || !has_only_asked_preferences(asked.signals, change)
            };
            if let Some(change) = difference.agents().iter().find(has_other) {
                return Err(change.agent().to_owned());
            }
        }
    }
    Ok(())
}

/// The finding about an agent's access.
enum Access {
    AsAsked,
    ToBeCompared,
    Other,
}

fn access(
    asked: &Asked<'_>,
    agent: &str,
    [old, new]: [&RobotsTxt; 2],
    dialect: Dialect,
) -> Result<Access, InvalidToken> {
    let (old, robot) = (old.robot(agent)?, new.robot(agent)?);
    let extent = || CoverageSearch::new(new).coverage(&robot).extent();
    Ok(if is_among(asked.close, agent, dialect) {
        match extent() {
            Extent::Nothing => Access::AsAsked,
            Extent::Part | Extent::Everything => Access::Other,
        }
    } else if has_same_rules(&old, &robot) {
        Access::AsAsked
    } else if is_among(asked.open, agent, dialect) && extent() == Extent::Nothing {
        Access::Other
    } else {
        Access::ToBeCompared
    })
}

fn has_same_rules(one: &Robot, other: &Robot) -> bool {
    let rules = |robot: &Robot| -> BTreeSet<(bool, String)> {
        let rules = robot.rules().filter(|rule| rule.length() > 0);
        let is_allow = |access| access == polite_robots::Access::Allow;
        rules
            .map(|rule| (is_allow(rule.access()), rule.pattern().to_owned()))
            .collect()
    };
    rules(one) == rules(other)
}

/// The agents that one of the files names, and everyone else.
fn agents(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let groups = old.merged_groups().chain(new.merged_groups());
    let names = groups.map(|group| group.product_token().to_ascii_lowercase());
    let names: BTreeSet<String> = names.chain([EVERYONE.to_owned()]).collect();
    names.into_iter().filter(|name| !name.is_empty()).collect()
}

/// The paths of `Content-Signal` and `Content-Usage`, and the home page.
fn urls_with_preferences(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let records = old.extensions().chain(new.extensions());
    let paths = records.filter_map(|record| match record.typed() {
        ExtensionValue::ContentSignal(signal) => signal.path(),
        ExtensionValue::ContentUsage(usage) => usage.path(),
        _ => None,
    });
    let paths = paths.map(|path| String::from_utf8_lossy(path).replace(['*', '$'], ""));
    let urls: BTreeSet<String> = paths.chain(["/".to_owned()]).collect();
    urls.into_iter().collect()
}

fn is_among(agents: &[String], agent: &str, dialect: Dialect) -> bool {
    let mut names = agents.iter().map(|agent| read_name(agent, dialect));
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

/// Whether each preference that changes is one that was asked for. Other records may be stricter,
/// and then they count.
fn has_only_asked_preferences(signals: &[Signal], change: &AgentChange<'_>) -> bool {
    let is_asked = |key: &str| signals.iter().any(|signal| signal.key == key);
    let key = |category: UsageCategory| match category {
        UsageCategory::Search => "search",
        UsageCategory::AiInput => "ai-input",
        UsageCategory::AiTraining => "ai-train",
        _ => "",
    };
    let mut usages = change.usages().iter();
    usages.all(|usage| is_asked(key(usage.category)))
        && (change.content_uses().is_empty() || is_asked("use"))
}
