//! The document of `--json`.

use std::io::{self, Write};

use serde::Serialize;

use crate::check::questions::{Asked, Checked, answer_of};
use crate::input::Input;
use crate::json;
use crate::outcome::Answer;
use crate::reading::Dialect;
use crate::verdict_fields::VerdictFields;

/// One agent's answers are the document; those of several are a list in it.
pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    dialect: Dialect,
    asked: &[Asked<'_>],
) -> io::Result<()> {
    let file = &file.argument();
    match asked {
        [one] => json::write(
            out,
            &Document {
                file,
                agent: one.agent,
                dialect,
                agent_match: one.robot.agent_match().as_str(),
                all_allowed: one.answer() == Answer::Yes,
                results: results(one),
                notes: one.remarks(),
            },
        ),
        several => json::write(
            out,
            &DocumentOfSeveral {
                file,
                dialect,
                all_allowed: answer_of(several) == Answer::Yes,
                agents: several.iter().map(AgentResults::new).collect(),
            },
        ),
    }
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    agent: &'a str,
    dialect: Dialect,
    agent_match: &'static str,
    all_allowed: bool,
    results: Vec<UrlResult<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct DocumentOfSeveral<'a> {
    file: &'a str,
    dialect: Dialect,
    all_allowed: bool,
    agents: Vec<AgentResults<'a>>,
}

/// The answers of one of several agents.
#[derive(Serialize)]
pub(super) struct AgentResults<'a> {
    agent: &'a str,
    agent_match: &'static str,
    all_allowed: bool,
    results: Vec<UrlResult<'a>>,
    notes: Vec<String>,
}

impl<'a> AgentResults<'a> {
    pub(super) fn new(asked: &'a Asked<'a>) -> AgentResults<'a> {
        AgentResults {
            agent: asked.agent,
            agent_match: asked.robot.agent_match().as_str(),
            all_allowed: asked.answer() == Answer::Yes,
            results: results(asked),
            notes: asked.remarks(),
        }
    }
}

#[derive(Serialize)]
struct UrlResult<'a> {
    url: &'a str,
    #[serde(flatten)]
    verdict: VerdictFields<'a>,
    /// The answer that follows from what the operator says, where it reads the file in another way.
    note: Option<String>,
}

fn results<'a>(asked: &'a Asked<'a>) -> Vec<UrlResult<'a>> {
    let result = |Checked { url, verdict }| UrlResult {
        url,
        verdict: VerdictFields::new(&verdict),
        note: asked.note(url),
    };
    asked.checked().map(result).collect()
}
