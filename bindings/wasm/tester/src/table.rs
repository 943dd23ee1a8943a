//! The answers for some agents in both dialects, URL by URL.

use polite_robots::Robot;
use wasm_bindgen::prelude::*;

use crate::file::File;

/// Bits of one answer; the last one stands for an agent that is no product token.
const RFC9309: u8 = 1;
const GOOGLE: u8 = 2;
const NO_AGENT: u8 = 4;

/// The rules of some agents, compiled once for any number of questions.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Table {
    robots: Vec<Option<[Robot; 2]>>,
}

#[wasm_bindgen]
impl Table {
    /// There is an agent on each line.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &File, agents: &str) -> Table {
        let compiled = agents.lines().map(|agent| file.robots(agent).ok());
        Table {
            robots: compiled.collect(),
        }
    }

    /// The answers about URLs with a line feed after each: a byte for each agent, row by row.
    pub fn answers(&self, urls: &[u8]) -> Vec<u8> {
        let urls = urls.strip_suffix(b"\n").unwrap_or(urls);
        urls.split(|&byte| byte == b'\n')
            .flat_map(|url| self.robots.iter().map(move |robots| answer(robots, url)))
            .collect()
    }
}

fn answer(robots: &Option<[Robot; 2]>, url: &[u8]) -> u8 {
    let Some([rfc9309, google]) = robots else {
        return NO_AGENT;
    };
    let bit = |robot: &Robot, bit| if robot.allowed(url) { bit } else { 0 };
    bit(rfc9309, RFC9309) | bit(google, GOOGLE)
}
