//! `robots diff`: which answers change from one robots.txt to the next?

mod change;
mod json;
mod records;
mod text;

use std::collections::BTreeSet;

use clap::Args;
use polite_robots::{Robot, RobotsTxt};

use crate::diff::change::{AgentChange, Asked};
use crate::diff::records::{Records, of_file};
use crate::input::Input;
use crate::outcome::{Answer, Failure};
use crate::reading::Reading;
use crate::terminal;
use crate::witness::Search;

/// Show which answers change between two versions of a robots.txt, for whom, and by which lines
///
/// What counts is what agents may fetch, not how it is written: a file in another order or layout has not changed. Asked are
/// all agents that one of the files names, and `*` for any other.
///
/// Without URLs, those are looked for that the rules of the two files decide differently: the shortest for each pair of
/// deciding rules.
///
/// Crawl delays, sitemaps, preferences about the use of content and other records are compared too.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Diff {
    /// The robots.txt as it was; `-` is standard input
    old: Input,

    /// The robots.txt as it will be; `-` is standard input
    new: Input,

    /// Ask for this agent only, by its product token; may be given several times
    #[arg(long = "agent", value_name = "TOKEN")]
    agents: Vec<String>,

    /// Ask about this URL or path; may be given several times
    #[arg(long = "url", value_name = "URL")]
    urls: Vec<String>,

    /// Ask about these URLs, one per line; `-` is standard input
    ///
    /// Blank lines and lines that start with # are skipped.
    #[arg(long = "urls", value_name = "FILE")]
    url_list: Option<Input>,

    #[command(flatten)]
    reading: Reading,

    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

/// One agent in both versions.
struct Compared {
    agent: String,
    old: Robot,
    new: Robot,
}

impl Diff {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        Failure::unless_read_once::<Diff>(
            SUBCOMMAND,
            &[
                ("the old robots.txt", Some(&self.old)),
                ("the new one", Some(&self.new)),
                ("--urls", self.url_list.as_ref()),
            ],
        )?;
        Failure::if_a_url_is_empty::<Diff>(SUBCOMMAND, &self.urls)?;
        let old = self.reading.read(&self.old)?;
        let new = self.reading.read(&self.new)?;
        let compared = self.compared(&old, &new)?;
        let asked = self.asked(&old, &new)?;
        let mut search = Search::default();
        let agents: Vec<AgentChange<'_>> = compared
            .iter()
            .map(|compared| AgentChange::new(compared, &asked, &mut search))
            .collect();
        let difference = Difference {
            records: Records::between(&of_file(&old), &of_file(&new)),
            agents,
            asked,
        };
        terminal::print(|out| {
            if self.json {
                json::write(out, &self, &difference)
            } else {
                text::write(out, &difference)
            }
        })?;
        Ok(match (difference.is_change(), difference.is_complete()) {
            (true, _) => Answer::No,
            (false, true) => Answer::Yes,
            // Whoever asks in a script must not take it for a yes.
            (false, false) => Answer::Partial,
        })
    }

    fn compared(&self, old: &RobotsTxt, new: &RobotsTxt) -> Result<Vec<Compared>, Failure> {
        let agents = if self.agents.is_empty() {
            named_agents(old, new)
        } else {
            self.agents.clone()
        };
        let robots = |agent: String| {
            Ok(Compared {
                old: old.robot(&agent)?,
                new: new.robot(&agent)?,
                agent,
            })
        };
        let compared: Result<_, _> = agents.into_iter().map(robots).collect();
        compared.map_err(|error| Failure::invalid_agent::<Diff>(SUBCOMMAND, &error))
    }

    fn asked(&self, old: &RobotsTxt, new: &RobotsTxt) -> Result<Asked, Failure> {
        let mut urls = self.urls.clone();
        if let Some(list) = &self.url_list {
            urls.extend(list.urls()?);
        }
        Ok(if urls.is_empty() {
            Asked::WhatTheRulesSay {
                beside: records::urls_of(old).chain(records::urls_of(new)).collect(),
            }
        } else {
            Asked::About(urls)
        })
    }
}

/// All that is printed.
struct Difference<'a> {
    agents: Vec<AgentChange<'a>>,
    /// Of those records that are for everyone.
    records: Records,
    asked: Asked,
}

impl Difference<'_> {
    fn is_change(&self) -> bool {
        !self.records.is_empty() || self.agents.iter().any(AgentChange::is_change)
    }

    /// Whether no changed answer was overlooked.
    fn is_complete(&self) -> bool {
        !self.agents.iter().any(|agent| agent.is_cut_short)
    }
}

/// Those of the old file in its order, then those that only the new one has, then everyone else.
fn named_agents(old: &RobotsTxt, new: &RobotsTxt) -> Vec<String> {
    let mut agents: Vec<String> = Vec::new();
    let mut seen = BTreeSet::from([EVERYONE.to_owned()]);
    for group in old.merged_groups().chain(new.merged_groups()) {
        let token = group.product_token();
        if seen.insert(token.to_ascii_lowercase()) {
            agents.push(token.to_owned());
        }
    }
    agents.push(EVERYONE.to_owned());
    agents
}

const EVERYONE: &str = "*";

const SUBCOMMAND: &str = "robots diff";

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots diff robots.txt new/robots.txt
  robots diff robots.txt new/robots.txt --agent Googlebot --agent '*' --urls top-pages.txt
  git show HEAD:robots.txt | robots diff - robots.txt --json

Exit codes:
  0  nothing changes
  1  something changes
  2  no answer: the command line or an input is wrong, and the message says what and where;
     or nothing was found that changes, and not all URLs could be looked at

Colours are for terminals; NO_COLOR=1 turns them off.";
