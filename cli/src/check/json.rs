//! The document of `--json`, whose lists of answers are written as the URLs are read.

use std::io::{self, Write};

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::check::questions::{Asked, Urls};
use crate::input::Input;
use crate::json;
use crate::outcome::Answer;
use crate::reading::Dialect;
use crate::verdict_fields::AnswerFields;

/// One agent's answers are the document; those of several are a list in it. Beside each agent
/// stands its answer about all URLs.
pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    dialect: Option<Dialect>,
    asked: &[(Asked<'_>, Answer)],
    urls: Urls<'_>,
) -> io::Result<()> {
    let file = &file.argument();
    match asked {
        [(one, answer)] => {
            let results = AgentResults::new(one, *answer, urls);
            json::write(
                out,
                &Document {
                    file,
                    agent: results.agent,
                    dialect: results.dialect,
                    agent_match: results.agent_match,
                    all_allowed: results.all_allowed,
                    results: results.results,
                    notes: results.notes,
                },
            )
        }
        several => {
            let results = several
                .iter()
                .map(|(asked, answer)| AgentResults::new(asked, *answer, urls));
            let agents: Vec<AgentResults<'_>> = results.collect();
            json::write(
                out,
                &DocumentOfSeveral {
                    file,
                    dialect,
                    all_allowed: agents.iter().all(|agent| agent.all_allowed),
                    agents,
                },
            )
        }
    }
}

#[derive(Serialize)]
struct Document<'a> {
    file: &'a str,
    agent: &'a str,
    dialect: Dialect,
    agent_match: &'static str,
    all_allowed: bool,
    results: Results<'a>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct DocumentOfSeveral<'a> {
    file: &'a str,
    /// The dialect of the command line; each agent has its own.
    dialect: Option<Dialect>,
    all_allowed: bool,
    agents: Vec<AgentResults<'a>>,
}

/// The answers of one of several agents.
#[derive(Serialize)]
pub(super) struct AgentResults<'a> {
    agent: &'a str,
    dialect: Dialect,
    agent_match: &'static str,
    all_allowed: bool,
    results: Results<'a>,
    notes: Vec<String>,
}

impl<'a> AgentResults<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, answer: Answer, urls: Urls<'a>) -> AgentResults<'a> {
        AgentResults {
            agent: asked.agent(),
            dialect: asked.answers.dialect().into(),
            agent_match: asked.answers.robot().agent_match().as_str(),
            all_allowed: answer == Answer::Yes,
            results: Results { asked, urls },
            notes: asked.answers.remarks().collect(),
        }
    }
}

/// A list of answers, of which none is kept: there may be millions.
struct Results<'a> {
    asked: &'a Asked<'a>,
    urls: Urls<'a>,
}

impl Serialize for Results<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut list = serializer.serialize_seq(None)?;
        let mut written = Ok(());
        let read = self.urls.each(|url| {
            if written.is_ok() {
                written = list.serialize_element(&UrlResult {
                    url,
                    answer: AnswerFields::new(&self.asked.answers.about(url)),
                });
            }
        });
        read.map_err(S::Error::custom)?;
        written?;
        list.end()
    }
}

#[derive(Serialize)]
struct UrlResult<'a> {
    url: &'a str,
    #[serde(flatten)]
    answer: AnswerFields<'a>,
}
