//! One file, as each crawler reads it.

use std::cell::Cell;

use polite_robots::{Dialect, RobotsTxt};
use polite_robots_audit::answer::Readings;
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
use crate::reading::reading;

/// The file of the editor.
#[wasm_bindgen]
#[derive(Debug)]
pub struct File {
    bytes: Vec<u8>,
    readings: Readings,
}

#[wasm_bindgen]
impl File {
    #[wasm_bindgen(constructor)]
    pub fn new(bytes: Vec<u8>) -> File {
        File {
            readings: Readings::new(&RobotsTxt::parse(&bytes)),
            bytes,
        }
    }

    pub fn summary(&self) -> String {
        let robots_txt = self.rfc9309();
        json(&Summary {
            sentence: sentence(robots_txt),
            bytes: self.bytes.len(),
            truncated_at: robots_txt.truncated_at(),
        })
    }

    /// The reason why a name is no product token, for each line without one.
    #[wasm_bindgen(js_name = badAgents)]
    pub fn bad_agents(&self, agents: &str) -> String {
        let bad: Vec<BadAgent<'_>> = agents
            .lines()
            .filter_map(|agent| {
                let error = self.rfc9309().robot(agent).err()?;
                Some(BadAgent {
                    message: error.to_string(),
                    probably_meant: error.probably_meant().map(str::to_owned),
                    agent,
                })
            })
            .collect();
        json(&bad)
    }

    /// The answer about one agent and one URL. Everywhere, a reading that is neither `rfc9309` nor
    /// `google` is the crawler's own.
    pub fn explain(&self, agent: &str, url: &str, reading_name: &str) -> String {
        explained(&self.readings, agent, url, reading(reading_name))
    }

    /// The answers where the server sends something else than the file; `null` for an agent that
    /// fetches nothing or is no product token.
    pub fn outages(&self, agent: &str, url: &str, reading_name: &str) -> String {
        json(&outages(&self.readings, agent, url, reading(reading_name)))
    }

    /// The URLs about which the dialects disagree, for an agent on each line.
    pub fn dialects(&self, agents: &str, reading_name: &str) -> String {
        json(&disagreements(
            &self.readings,
            agents.lines(),
            reading(reading_name),
        ))
    }

    pub fn findings(&self) -> String {
        findings(&self.bytes)
    }

    pub fn crawlers(&self, reading_name: &str) -> String {
        json(&Crawlers::new(&self.readings, reading(reading_name)))
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
    pub fn changes(&self, old: &File, reading_name: &str) -> String {
        changes(&old.readings, &self.readings, reading(reading_name))
    }
}

impl File {
    pub(crate) fn readings(&self) -> &Readings {
        &self.readings
    }

    fn rfc9309(&self) -> &RobotsTxt {
        self.readings.in_dialect(Dialect::Rfc9309)
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
