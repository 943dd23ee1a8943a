//! The document of `--json`, whose lists of answers are written as the URLs are read.

use std::io::{self, Write};

use serde::ser::{Error as _, SerializeSeq as _};
use serde::{Serialize, Serializer};

use crate::check::evidence::evidence_fields;
use crate::check::questions::{Asked, Urls};
use crate::input::Input;
use crate::json::{self, Fields, Object, object};
use crate::outcome::Answer;
use crate::reading::Dialect;
use crate::verdict_fields::answer_fields;

/// Writes the answers. Those of one agent are the document; those of several agents are a list in
/// it. Each agent also has its answer about all URLs.
pub(super) fn write(
    out: &mut dyn Write,
    file: &Input,
    bytes: &[u8],
    dialect: Option<Dialect>,
    asked: &[(Asked<'_>, Answer)],
    urls: Urls<'_>,
) -> io::Result<()> {
    let file = file.argument();
    if let [(one, answer)] = asked {
        let results = agent_results(one, *answer, urls);
        let document = object! { "file": file, ..evidence_fields(bytes), ..results };
        return json::write(out, &document);
    }
    let agents = asked.iter();
    let agents = agents.map(|(asked, answer)| agent_results(asked, *answer, urls));
    let document = object! {
        "file": file,
        ..evidence_fields(bytes),
        // The dialect of the command line; each agent has its own.
        "dialect": dialect,
        "all_allowed": asked.iter().all(|(_, answer)| *answer == Answer::Yes),
        "agents": agents.collect::<Vec<_>>(),
    };
    json::write(out, &document)
}

/// The answers of one agent.
pub(super) fn agent_results<'a>(
    asked: &'a Asked<'a>,
    answer: Answer,
    urls: Urls<'a>,
) -> Object<impl Fields> {
    object! {
        "agent": asked.agent(),
        "dialect": Dialect::from(asked.answers.dialect()),
        "agent_match": asked.answers.robot().agent_match().as_str(),
        "all_allowed": answer == Answer::Yes,
        "results": Results { asked, urls },
        "notes": asked.answers.remarks().collect::<Vec<_>>(),
    }
}

/// A list of answers, each of which is written and then dropped: there may be millions.
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
                let answer = self.asked.answers.about(url);
                let result = object! { "url": url, ..answer_fields(&answer) };
                written = list.serialize_element(&result);
            }
        });
        read.map_err(S::Error::custom)?;
        written?;
        list.end()
    }
}
