//! Verdicts on generated files, mostly broken on purpose: the Google column as Google's matcher gave it, the other by an
//! independent restatement of the default dialect. testdata/README.md documents the format.

use std::io::Read as _;
use std::sync::OnceLock;

use polite_robots::Dialect;
use serde::Deserialize;

use crate::suite::entry_points::{Answer, Robots};
use crate::suite::naive_file;

/// The body as Latin-1, the agent, the URL, and the verdicts of both dialects.
#[derive(Deserialize)]
struct Case(String, String, String, String, String);

impl Case {
    fn body(&self) -> Vec<u8> {
        let octets = self.0.chars().map(|octet| u8::try_from(octet).unwrap());
        octets.collect()
    }

    fn expected(&self) -> [(Dialect, Answer); 2] {
        let answer = |text: &str| text.parse().unwrap();
        [
            (Dialect::Google, answer(&self.3)),
            (Dialect::Rfc9309, answer(&self.4)),
        ]
    }
}

fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(|| {
        let file = include_bytes!("../../testdata/recorded/verdicts.jsonl.xz");
        let mut text = String::new();
        let mut reader = lzma_rust2::XzReader::new(&file[..], true);
        reader.read_to_string(&mut text).unwrap();
        let rows = text.lines().map(serde_json::from_str);
        rows.collect::<Result<_, _>>().unwrap()
    })
}

pub(crate) fn the_crate_answers_as_recorded() {
    compare(|body, agent, url, dialect| Robots::new(agent, body, dialect).unwrap().ask(url));
}

/// The reference of the laws and of the fuzz targets is held to the same answers.
pub(crate) fn the_reference_answers_as_recorded() {
    compare(|body, agent, url, dialect| {
        let (allowed, line) = naive_file::verdict(body, agent, url, dialect);
        Ok(Answer { allowed, line })
    });
}

fn compare(ask: impl Fn(&[u8], &str, &str, Dialect) -> Result<Answer, String>) {
    let mut wrong = Vec::new();
    for (row, case) in (1..).zip(cases()) {
        let (body, Case(_, agent, url, ..)) = (case.body(), case);
        for (dialect, expected) in case.expected() {
            let found = ask(&body, agent, url, dialect);
            if found != Ok(expected) {
                wrong.push(format!("row {row} {dialect:?}: {found:?}, not {expected:?}"));
            }
        }
    }
    let count = cases().len();
    println!("{count} generated cases in both dialects, {} wrong", wrong.len());
    assert_eq!(count, 20_000);
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(20)]);
}
