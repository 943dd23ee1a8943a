//! The document of `--json`.

use std::io::{self, Write};

use polite_robots_audit::difference::{AgentChange, Difference, Question};
use serde::Serialize;

use crate::input::Input;
use crate::json;
use crate::reading::Dialect;
use crate::verdict_fields::{RuleOnLine, VerdictFields};

pub(super) fn write(
    out: &mut dyn Write,
    old: &Input,
    new: &Input,
    dialect: Dialect,
    difference: &Difference<'_>,
) -> io::Result<()> {
    json::write(
        out,
        &Document {
            old: &old.argument(),
            new: &new.argument(),
            dialect,
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
            agents: difference.agents().iter().map(AgentFields::new).collect(),
        },
    )
}

#[derive(Serialize)]
struct Document<'a> {
    old: &'a str,
    new: &'a str,
    dialect: Dialect,
    changed: bool,
    urls: &'static str,
    complete: bool,
    #[serde(rename = "records")]
    sitemaps_and_others: Sides<&'a [String]>,
    agents: Vec<AgentFields<'a>>,
}

#[derive(Serialize)]
struct Sides<T> {
    old: T,
    new: T,
}

#[derive(Serialize)]
struct AgentFields<'a> {
    agent: &'a str,
    changed: bool,
    agent_match: Sides<&'static str>,
    rules: Sides<Vec<RuleOnLine<'a>>>,
    records: Sides<&'a [String]>,
    verdicts: Vec<VerdictSides<'a>>,
    usage: Vec<UsageFields<'a>>,
    content_use: Vec<ContentUseFields<'a>>,
}

impl<'a> AgentFields<'a> {
    fn new(change: &'a AgentChange<'a>) -> AgentFields<'a> {
        let rules = |rules: &[polite_robots::Rule<'a>]| {
            rules.iter().copied().map(RuleOnLine::new).collect()
        };
        AgentFields {
            agent: change.agent(),
            changed: change.is_change(),
            agent_match: Sides {
                old: change.old_agent_match().as_str(),
                new: change.new_agent_match().as_str(),
            },
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
                .iter()
                .map(|change| VerdictSides {
                    url: &change.url,
                    sides: Sides {
                        old: VerdictFields::new(&change.old),
                        new: VerdictFields::new(&change.new),
                    },
                })
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
        }
    }
}

#[derive(Serialize)]
struct VerdictSides<'a> {
    url: &'a str,
    #[serde(flatten)]
    sides: Sides<VerdictFields<'a>>,
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
