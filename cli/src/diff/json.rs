//! The document of `--json`.

use std::collections::HashSet;
use std::io::{self, Write};

use polite_robots::record::PolicyToken;
use polite_robots_audit::answer::Answers;
use polite_robots_audit::difference::{AgentChange, Difference, Question, VerdictChange, Versions};
use polite_robots_audit::policy::category;
use polite_robots_records::UsageCategory;
use serde::ser::SerializeSeq as _;
use serde::{Serialize, Serializer};

use crate::diff::noted::Noted;
use crate::input::Input;
use crate::json;
use crate::reading::Dialect;
use crate::verdict_fields::{RuleOnLine, VerdictFields};

/// The difference, and what it is about.
pub(super) struct Answer<'a> {
    pub(super) old: &'a Input,
    pub(super) new: &'a Input,
    /// The dialect of the command line; each agent has its own.
    pub(super) dialect: Option<Dialect>,
    pub(super) versions: &'a Versions<'a>,
    pub(super) difference: &'a Difference,
    pub(super) noted: Option<Noted<'a>>,
    /// The bytes of both files.
    pub(super) bytes: usize,
}

pub(super) fn write(out: &mut dyn Write, answer: &Answer<'_>) -> io::Result<()> {
    let difference = answer.difference;
    json::write(
        out,
        &Document {
            old: &answer.old.argument(),
            new: &answer.new.argument(),
            dialect: answer.dialect,
            changed: difference.is_change(),
            urls: match difference.question() {
                Question::Urls(_) => "given",
                Question::Rules => "of_rules",
            },
            complete: difference.is_complete(),
            sitemaps_and_others: Sides {
                old: difference.records().removed(),
                new: difference.records().added(),
            },
            agents: AgentList(answer),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    old: &'a str,
    new: &'a str,
    dialect: Option<Dialect>,
    changed: bool,
    urls: &'static str,
    complete: bool,
    #[serde(rename = "records")]
    sitemaps_and_others: Sides<&'a [String]>,
    agents: AgentList<'a>,
}

/// The agents, each made when it is written, as the lists of all together may be long.
struct AgentList<'a>(&'a Answer<'a>);

impl Serialize for AgentList<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let AgentList(answer) = self;
        let changes = answer.difference.changes();
        let mut agents = serializer.serialize_seq(Some(answer.difference.agents().len()))?;
        let mut written = HashSet::new();
        let mut left = MOST_REPEATED_BYTES;
        for (agent, place) in answer.difference.agents() {
            let Some(change) = changes.get(place) else {
                continue;
            };
            // Without lists there are no lines of the agent's groups to find, which takes as long
            // as reading both files.
            if written.insert(place) || change.listed_bytes() == 0 {
                agents.serialize_element(&AgentFields::new(answer, agent, change))?;
                continue;
            }
            let bytes = change.listed_bytes().saturating_add(answer.bytes);
            let own = left.checked_sub(bytes).and_then(|less| {
                left = less;
                answer.versions.change_for(agent, change).ok()
            });
            match own {
                Some(own) => agents.serialize_element(&AgentFields::new(answer, agent, &own))?,
                None => {
                    agents.serialize_element(&AgentFields::same_as_first(answer, agent, change))?
                }
            }
        }
        agents.end()
    }
}

#[derive(Serialize)]
struct Sides<T> {
    old: T,
    new: T,
}

#[derive(Serialize)]
struct AgentFields<'a> {
    agent: &'a str,
    dialect: Option<Dialect>,
    /// The use that the name stands for, which is no crawler.
    #[serde(rename = "use", skip_serializing_if = "Option::is_none")]
    of_use: Option<&'static str>,
    changed: bool,
    agent_match: Sides<&'static str>,
    rules: Sides<Vec<RuleOnLine<'a>>>,
    records: Sides<&'a [String]>,
    verdicts: Vec<VerdictSides<'a>>,
    usage: Vec<UsageFields<'a>>,
    content_use: Vec<ContentUseFields<'a>>,
    /// The agent whose lists are this one's too, which are left out here.
    #[serde(skip_serializing_if = "Option::is_none")]
    same_as: Option<&'a str>,
    /// The number of changes that no list has, as there are too many.
    #[serde(skip_serializing_if = "json::is_zero")]
    left_out: usize,
    /// Whether the verdicts have their notes: files of 500 KB have them for 60 agents.
    #[serde(skip_serializing_if = "is_true")]
    noted: bool,
    /// Whether not all could be compared for this agent.
    #[serde(skip_serializing_if = "is_true")]
    complete: bool,
}

impl<'a> AgentFields<'a> {
    /// An agent without its lists.
    fn same_as_first(
        answer: &Answer<'a>,
        agent: &'a str,
        change: &'a AgentChange,
    ) -> AgentFields<'a> {
        AgentFields {
            agent,
            dialect: answer.versions.dialect(agent).map(Dialect::from),
            of_use: PolicyToken::find(agent)
                .and_then(category)
                .map(UsageCategory::as_str),
            changed: change.is_change(),
            agent_match: Sides {
                old: change.old_agent_match().as_str(),
                new: change.new_agent_match().as_str(),
            },
            rules: Sides {
                old: Vec::new(),
                new: Vec::new(),
            },
            records: Sides { old: &[], new: &[] },
            verdicts: Vec::new(),
            usage: Vec::new(),
            content_use: Vec::new(),
            same_as: change.agents().first().map(String::as_str),
            left_out: change.left_out(),
            noted: true,
            complete: change.is_complete(),
        }
    }

    fn new(answer: &Answer<'a>, agent: &'a str, change: &'a AgentChange) -> AgentFields<'a> {
        let rules =
            |rules: Vec<polite_robots::Rule<'a>>| rules.into_iter().map(RuleOnLine::new).collect();
        let has_verdicts = change.verdicts().next().is_some();
        let noted = answer.noted.as_ref().filter(|_| has_verdicts);
        let answers = noted.and_then(|noted| noted.answers(agent));
        AgentFields {
            rules: Sides {
                old: rules(change.removed_rules()),
                new: rules(change.added_rules()),
            },
            records: Sides {
                old: change.records().removed(),
                new: change.records().added(),
            },
            verdicts: change
                .verdicts()
                .map(|verdict| VerdictSides::new(verdict, answers.as_ref()))
                .collect(),
            usage: change
                .usages()
                .iter()
                .map(|change| UsageFields {
                    url: &change.url,
                    category: change.category.as_str(),
                    sides: Sides {
                        old: change.old.as_str(),
                        new: change.new.as_str(),
                    },
                })
                .collect(),
            content_use: change
                .content_uses()
                .iter()
                .map(|change| ContentUseFields {
                    url: &change.url,
                    sides: Sides {
                        old: &change.old,
                        new: &change.new,
                    },
                })
                .collect(),
            same_as: None,
            noted: noted.is_none() || answers.is_some(),
            ..AgentFields::same_as_first(answer, agent, change)
        }
    }
}

fn is_true(is: &bool) -> bool {
    *is
}

#[derive(Serialize)]
struct VerdictSides<'a> {
    url: &'a str,
    #[serde(flatten)]
    sides: Sides<NotedVerdict<'a>>,
}

/// A verdict, with what changes it where the URL was asked about.
#[derive(Serialize)]
struct NotedVerdict<'a> {
    #[serde(flatten)]
    verdict: VerdictFields<'a>,
    note: Option<String>,
}

impl<'a> VerdictSides<'a> {
    fn new(change: VerdictChange<'a>, answers: Option<&[Answers<'_>; 2]>) -> VerdictSides<'a> {
        let note = |answers: &Answers<'_>| answers.about(change.url).note();
        let [old, new] = match answers {
            Some([old, new]) => [note(old), note(new)],
            None => [None, None],
        };
        let noted = |verdict, note| NotedVerdict {
            verdict: VerdictFields::new(verdict),
            note,
        };
        VerdictSides {
            url: change.url,
            sides: Sides {
                old: noted(&change.old, old),
                new: noted(&change.new, new),
            },
        }
    }
}

#[derive(Serialize)]
struct UsageFields<'a> {
    url: &'a str,
    category: &'static str,
    #[serde(flatten)]
    sides: Sides<&'static str>,
}

#[derive(Serialize)]
struct ContentUseFields<'a> {
    url: &'a str,
    #[serde(flatten)]
    sides: Sides<&'a [String]>,
}

/// The most bytes of repeated lists, and of files that are read again: agents that share their
/// changes each have them, with the lines of their own groups. Enough for two files of 5 KB and
/// 3,000 agents, or of 500 KB and 30.
const MOST_REPEATED_BYTES: usize = 32_000_000;
