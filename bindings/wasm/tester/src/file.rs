//! One file, read in both dialects.

use std::cell::Cell;

use polite_robots::{Dialect, Options, Robot, RobotsTxt};
use polite_robots_audit::sentence::sentence;
use polite_robots_lint::fix::Fixes;
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::changes::Changes;
use crate::crawlers::Crawlers;
use crate::dialects::disagreements;
use crate::explained::Explained;
use crate::findings::Findings;
use crate::json::json;

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
            groups: self.rfc9309.merged_groups().count(),
            agents: self
                .rfc9309
                .merged_groups()
                .map(|group| group.product_token().to_owned())
                .take(MOST_AGENTS)
                .collect(),
        })
    }

    /// The verdicts for URLs with a line feed after each, row by row. Bit 0 of a byte is the answer
    /// by RFC 9309, bit 1 that of Google's matcher; 4 stands for an agent that is no product token.
    pub fn table(&self, agents: Vec<String>, urls: &[u8]) -> Vec<u8> {
        let robots: Vec<Option<[Robot; 2]>> = agents
            .iter()
            .map(|agent| {
                let rfc9309 = self.rfc9309.robot(agent).ok()?;
                Some([rfc9309, self.google.robot(agent).ok()?])
            })
            .collect();
        let urls = urls.strip_suffix(b"\n").unwrap_or(urls);
        urls.split(|&byte| byte == b'\n')
            .flat_map(|url| {
                robots.iter().map(move |robots| match robots {
                    Some([rfc9309, google]) => {
                        u8::from(rfc9309.allowed(url)) | u8::from(google.allowed(url)) << 1
                    }
                    None => 4,
                })
            })
            .collect()
    }

    /// Why a name is no product token, for each that is none.
    #[wasm_bindgen(js_name = badAgents)]
    pub fn bad_agents(&self, agents: Vec<String>) -> String {
        let bad: Vec<BadAgent> = agents
            .into_iter()
            .filter_map(|agent| {
                let error = self.rfc9309.robot(&agent).err()?;
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
        let (robots_txt, dialect) = match is_google {
            true => (&self.google, Dialect::Google),
            false => (&self.rfc9309, Dialect::Rfc9309),
        };
        json(&Explained::new(robots_txt, agent, url, dialect))
    }

    pub fn dialects(&self, agents: Vec<String>) -> String {
        json(&disagreements(&self.rfc9309, &agents))
    }

    pub fn findings(&self) -> String {
        json(&Findings::new(&self.bytes))
    }

    pub fn crawlers(&self) -> String {
        json(&Crawlers::new(&self.rfc9309))
    }

    /// The file with one finding fixed, which begins at this byte.
    pub fn fixed(&self, code: &str, start: usize) -> Vec<u8> {
        let is_first = Cell::new(true);
        // Another finding may come to stand at that place afterwards.
        let fixes = Fixes::chosen(&self.bytes, |_| {
            let is_asked = is_first.replace(false);
            move |finding| {
                is_asked && finding.code().as_str() == code && finding.span().start == start
            }
        });
        fixes.file().to_vec()
    }

    #[wasm_bindgen(js_name = allFixed)]
    pub fn all_fixed(&self) -> Vec<u8> {
        Fixes::new(&self.bytes, |_| true).file().to_vec()
    }

    /// The answers that change from `old` to this file.
    pub fn changes(&self, old: &File, is_google: bool) -> String {
        json(&match is_google {
            true => Changes::new(&old.google, &self.google),
            false => Changes::new(&old.rfc9309, &self.rfc9309),
        })
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    sentence: String,
    bytes: usize,
    truncated_at: Option<usize>,
    groups: usize,
    agents: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct BadAgent {
    agent: String,
    message: String,
    probably_meant: Option<String>,
}

const MOST_AGENTS: usize = 200;
