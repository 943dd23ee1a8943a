//! One file, read in both dialects.

use std::cell::Cell;

use polite_robots::{InvalidToken, Options, Robot, RobotsTxt};
use polite_robots_audit::sentence::sentence;
use polite_robots_lint::fix::Fixes;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::changes::changes;
use crate::crawlers::Crawlers;
use crate::dialects::disagreements;
use crate::explained::explained;
use crate::findings::findings;
use crate::json::json;
use crate::outages::outages;

/// The file of the editor.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    bytes: Vec<u8>,
    rfc9309: RobotsTxt,
    google: RobotsTxt,
}

#[wasm_bindgen]
impl File {
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> File {
        let parse = |options| RobotsTxt::parse_with(&bytes, &options);
        File {
            rfc9309: parse(Options::rfc9309()),
            google: parse(Options::google()),
            bytes,
        }
    }

    pub fn summary(&self) -> String {
        json(&Summary {
            sentence: sentence(&self.rfc9309),
            bytes: self.bytes.len(),
            truncated_at: self.rfc9309.truncated_at(),
        })
    }

    /// Why a name is no product token, for each line that is none.
    #[wasm_bindgen(js_name = badAgents)]
    pub fn bad_agents(&self, agents: &str) -> String {
        let bad: Vec<BadAgent<'_>> = agents
            .lines()
            .filter_map(|agent| {
                let error = self.rfc9309.robot(agent).err()?;
                Some(BadAgent {
                    message: error.to_string(),
                    probably_meant: error.probably_meant().map(str::to_owned),
                    agent,
                })
            })
            .collect();
        json(&bad)
    }

    pub fn explain(&self, agent: &str, url: &str, is_google: bool) -> String {
        explained(self.reading(is_google), agent, url)
    }

    /// The answers where the server sends something else than the file; `null` for an agent that is
    /// no product token.
    pub fn outages(&self, agent: &str, url: &str, is_google: bool) -> String {
        json(&outages(self.reading(is_google), agent, url))
    }

    /// The URLs about which the dialects disagree, for an agent on each line.
    pub fn dialects(&self, agents: &str) -> String {
        json(&disagreements(&self.rfc9309, agents.lines()))
    }

    pub fn findings(&self) -> String {
        findings(&self.bytes)
    }

    pub fn crawlers(&self) -> String {
        json(&Crawlers::new(&self.rfc9309))
    }

    /// The file with one finding fixed, which begins at this byte, or with all of them for an empty
    /// code.
    pub fn fixed(&self, code: &str, start: usize) -> Vec<u8> {
        let is_first = Cell::new(true);
        // Another finding may come to stand at that place afterwards.
        let fixes = Fixes::chosen(&self.bytes, |_| {
            let is_asked = is_first.replace(false) || code.is_empty();
            move |finding| {
                let place = (finding.code().as_str(), finding.span().start);
                is_asked && (code.is_empty() || place == (code, start))
            }
        });
        fixes.file().to_vec()
    }

    /// The answers that change from `old` to this file.
    pub fn changes(&self, old: &File, is_google: bool) -> String {
        changes(old.reading(is_google), self.reading(is_google))
    }
}

impl File {
    fn reading(&self, is_google: bool) -> &RobotsTxt {
        match is_google {
            true => &self.google,
            false => &self.rfc9309,
        }
    }

    /// The rules of one agent by RFC 9309, and as Google's matcher reads them.
    pub(crate) fn robots(&self, agent: &str) -> Result<[Robot; 2], InvalidToken> {
        Ok([self.rfc9309.robot(agent)?, self.google.robot(agent)?])
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    sentence: String,
    bytes: usize,
    truncated_at: Option<usize>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BadAgent<'a> {
    agent: &'a str,
    message: String,
    probably_meant: Option<String>,
}
