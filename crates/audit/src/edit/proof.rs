//! The proof that an edit changed what was asked and nothing else, in both dialects.

use polite_robots::record::UsageCategory;
use polite_robots::{Dialect, Options, RobotsTxt};

use crate::coverage::{CoverageSearch, Extent};
use crate::difference::{AgentChange, Question, Versions};
use crate::edit::signals::Signal;

/// The changes that were asked for.
pub(super) struct Asked<'e> {
    pub(super) close: &'e [String],
    pub(super) open: &'e [String],
    pub(super) signals: &'e [Signal],
}

/// Compares the versions for every agent that one of them names and for everyone else. The error is the agent whose
/// answers are not as asked.
pub(super) fn prove(asked: &Asked<'_>, old: &[u8], new: &[u8]) -> Result<(), String> {
    for options in [Options::rfc9309(), Options::google()] {
        let [old, new] = [old, new].map(|file| RobotsTxt::parse_with(file, &options, &mut ()));
        let mut search = CoverageSearch::new(&new);
        let versions = Versions::new(&old, &new);
        let difference = versions.difference(Question::Rules);
        if !difference.records().is_empty() {
            return Err("every agent".to_owned());
        }
        for change in difference.agents() {
            let is_among = |agents: &[String]| {
                agents.iter().any(|agent| {
                    let name = read_name(agent, options.dialect);
                    name.eq_ignore_ascii_case(change.agent())
                })
            };
            let mut extent = || {
                let robot = new.robot(change.agent()).ok()?;
                Some(search.coverage(&robot).extent())
            };
            let (closes, opens) = (is_among(asked.close), is_among(asked.open));
            let verdicts = match (closes, opens) {
                (true, _) => extent() == Some(Extent::Nothing),
                (false, true) => {
                    let mut verdicts = change.verdicts().iter();
                    verdicts.all(|change| change.new.is_allowed())
                        && extent() != Some(Extent::Nothing)
                }
                (false, false) => change.verdicts().is_empty(),
            };
            if !verdicts
                || !change.records().is_empty()
                || !has_only_asked_preferences(asked.signals, change)
            {
                return Err(change.agent().to_owned());
            }
        }
    }
    Ok(())
}

/// Google's matcher reads letters, `_` and `-` of a name only.
fn read_name(agent: &str, dialect: Dialect) -> &str {
    let is_read = |character: char| character.is_ascii_alphabetic() || "_-".contains(character);
    match (agent, dialect) {
        ("*", _) | (_, Dialect::Rfc9309) => agent,
        (_, Dialect::Google) => agent
            .split(|character| !is_read(character))
            .next()
            .unwrap_or_default(),
    }
}

/// Whether each preference that changes is one that was asked for. Other records may be stricter, and then they count.
fn has_only_asked_preferences(signals: &[Signal], change: &AgentChange<'_>) -> bool {
    let is_asked = |key: &str| signals.iter().any(|signal| signal.key == key);
    let key = |category: UsageCategory| match category {
        UsageCategory::Search => "search",
        UsageCategory::AiInput => "ai-input",
        UsageCategory::AiTraining => "ai-train",
        _ => "",
    };
    let usages = change.usages().iter();
    usages.clone().all(|usage| is_asked(key(usage.category)))
        && (change.content_uses().is_empty() || is_asked("use"))
}
