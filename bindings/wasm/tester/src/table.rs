//! The answers for some agents, URL by URL.

use polite_robots::{Dialect, Robot, Target};
use polite_robots_audit::answer::Answers;
use wasm_bindgen::prelude::*;

use crate::file::File;
use crate::reading::{reading, use_named};

/// Bits of one answer; the last two stand for an agent that is not a product token, and for the
/// name of a use, which fetches nothing.
const ALLOWED: u8 = 1;
/// The other dialect gives the other answer.
const DIFFERS: u8 = 2;
/// The answer is that of Google's matcher.
const GOOGLE: u8 = 4;
const NO_AGENT: u8 = 8;
const USE: u8 = 16;

/// The rules of some agents, compiled once for any number of questions.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Table {
    columns: Vec<Column>,
}

#[derive(Debug)]
enum Column {
    Crawler(Rules),
    Use,
    NoAgent,
}

/// The rules that decide about one agent, as `Answers` has them. `Answers` itself borrows from the
/// file, which a value that JavaScript holds cannot do.
#[derive(Debug)]
struct Rules {
    dialect: Dialect,
    rfc9309: Robot,
    google: Robot,
}

#[wasm_bindgen]
impl Table {
    /// There is an agent on each line.
    #[wasm_bindgen(constructor)]
    pub fn new(file: &File, agents: &str, reading_name: &str) -> Table {
        let answers = |agent| file.readings().answers(agent, reading(reading_name));
        let column = |agent| match (use_named(agent), answers(agent)) {
            (Some(_), _) => Column::Use,
            (None, Ok(answers)) => Column::Crawler(Rules::new(&answers)),
            (None, Err(_)) => Column::NoAgent,
        };
        Table {
            columns: agents.lines().map(column).collect(),
        }
    }

    /// The answers about URLs with a line feed after each: a byte for each agent, row by row.
    pub fn answers(&self, urls: &str) -> Vec<u8> {
        let urls = urls.strip_suffix('\n').unwrap_or(urls);
        let mut bits = Vec::new();
        for url in urls.split('\n') {
            let target = Target::requested(url);
            bits.extend(self.columns.iter().map(|column| match column {
                Column::Crawler(rules) => rules.answer(&target),
                Column::Use => USE,
                Column::NoAgent => NO_AGENT,
            }));
        }
        bits
    }
}

impl Rules {
    fn new(answers: &Answers<'_>) -> Rules {
        let comparison = answers.comparison();
        Rules {
            dialect: answers.dialect(),
            rfc9309: comparison.robot(Dialect::Rfc9309).clone(),
            google: comparison.robot(Dialect::Google).clone(),
        }
    }

    fn answer(&self, target: &Target<'_>) -> u8 {
        let (rfc9309, google) = (self.rfc9309.allowed(target), self.google.allowed(target));
        let (is_allowed, dialect) = match self.dialect {
            Dialect::Rfc9309 => (rfc9309, 0),
            Dialect::Google => (google, GOOGLE),
        };
        let bit = |is_set, bit| if is_set { bit } else { 0 };
        bit(is_allowed, ALLOWED) | bit(rfc9309 != google, DIFFERS) | dialect
    }
}
