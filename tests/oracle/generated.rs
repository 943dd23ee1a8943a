//! Recorded verdicts on generated files, most of them deliberately broken: the Google column is
//! from Google's matcher, the other from an independent restatement of the default dialect.
//! testdata/README.md documents the format.

use std::io::Read as _;
use std::sync::OnceLock;

use polite_robots::Dialect;
use serde::Deserialize;

use crate::suite::verdict::entry_points::{Answer, Robots};
use crate::suite::verdict::naive_file;

/// The body as Latin-1, the agent, the URL, and the verdicts of both dialects.
#[derive(Deserialize)]
struct Case(String, String, String, String, String);

impl Case {
    fn body(&self) -> Vec<u8> {
        let bytes = self.0.chars().map(|byte| u8::try_from(byte).unwrap());
        bytes.collect()
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

pub(crate) fn the_crate_matches_the_records() {
    let count = compare(cases().iter(), |body, agent, url, dialect| {
        Robots::new(agent, body, dialect).unwrap().ask(url)
    });
    assert_eq!(count, 20_000);
}

/// Checks the reference of the laws and fuzz targets against the same verdicts, on short files
/// only: it tries every way to match, and some longer files would take minutes.
pub(crate) fn the_reference_matches_the_records() {
    let is_short = |case: &&Case| case.0.len() <= MAX_BYTES_FOR_REFERENCE;
    let count = compare(
        cases().iter().filter(is_short),
        |body, agent, url, dialect| {
            let (allowed, line) = naive_file::verdict(body, agent, url, dialect);
            Ok(Answer { allowed, line })
        },
    );
    assert!(count > 15_000);
}

const MAX_BYTES_FOR_REFERENCE: usize = 300;

/// Compares all cases with the given answers, and returns the number of cases.
fn compare<'c>(
    cases: impl Iterator<Item = &'c Case>,
    ask: impl Fn(&[u8], &str, &str, Dialect) -> Result<Answer, String>,
) -> usize {
    let (mut count, mut wrong) = (0, Vec::new());
    for case in cases {
        count += 1;
        let (body, Case(_, agent, url, ..)) = (case.body(), case);
        for (dialect, expected) in case.expected() {
            let found = ask(&body, agent, url, dialect);
            if found != Ok(expected) {
                wrong.push(format!(
                    "{} {agent} {url} {dialect:?}: {found:?}, not {expected:?}",
                    body.escape_ascii()
                ));
            }
        }
    }
    println!(
        "{count} generated cases in both dialects, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{:#?}", &wrong[..wrong.len().min(20)]);
    count
}
