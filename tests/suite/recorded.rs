//! Verdicts recorded from Google's matcher and from an independent restatement of the default dialect.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use polite_robots::Dialect;

use super::entry_points::{Answer, Robots};
use super::naive_file;

#[test]
fn google_recorded_verdicts() {
    let text = include_str!("../../testdata/recorded/verdicts.tsv");
    let rows: Vec<&str> = text.lines().filter(|line| !line.starts_with('#')).collect();
    let mut wrong = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let columns: Vec<&str> = row.split('\t').collect();
        let [body, agent, url, google, rfc9309] = columns[..] else {
            panic!("row {at}: {row}");
        };
        let body = BASE64_STANDARD.decode(body).unwrap();
        let url = String::from_utf8(BASE64_STANDARD.decode(url).unwrap()).unwrap();
        for (dialect, expected) in [(Dialect::Google, google), (Dialect::Rfc9309, rfc9309)] {
            let expected: Answer = expected.parse().unwrap();
            let found = Robots::new(agent, &body, dialect).unwrap().ask(&url);
            if found != Ok(expected) {
                wrong.push(format!("row {at} {dialect:?}: {found:?}, not {expected:?}"));
            }
            // The reference of the laws and of the fuzz targets is held to the same answers.
            let reference = naive_file::verdict(&body, agent, &url, dialect);
            if reference != (expected.allowed, expected.line) {
                wrong.push(format!(
                    "row {at} {dialect:?}: the reference says {reference:?}"
                ));
            }
        }
    }
    println!(
        "{} recorded verdicts in both dialects, {} wrong",
        rows.len(),
        wrong.len()
    );
    assert!(rows.len() >= 4_000 && wrong.is_empty(), "{wrong:#?}");
}
