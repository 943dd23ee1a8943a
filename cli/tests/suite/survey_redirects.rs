//! `robots survey`: redirects are followed within the inputs, whatever file the target is in.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::suite::robots::{command, run};
use crate::suite::survey::{folder, part, survey_run};

/// A URL with its status, its `Location` and its body.
pub(crate) type Capture = (&'static str, u16, &'static str, &'static str);

const RULES: &str = "User-agent: *\nDisallow: /a";

/// The start of the first redirect is read first, and its end last.
const FIRST: [Capture; 5] = [
    (
        "http://a.example/robots.txt",
        301,
        "https://a.example/robots.txt",
        "",
    ),
    ("http://b.example/robots.txt", 302, "/sorry", ""),
    ("http://b.example/sorry", 200, "", "<!DOCTYPE html><p>Sorry"),
    ("https://www.a.example/robots.txt", 200, "", RULES),
    (
        "http://c.example/robots.txt",
        301,
        "https://elsewhere.example/",
        "",
    ),
];

const SECOND: [Capture; 4] = [
    ("http://d.example/robots.txt", 308, "/robots.txt", ""),
    (
        "https://a.example/robots.txt",
        301,
        "//www.a.example/robots.txt",
        "",
    ),
    ("http://e.example/robots.txt", 302, "/gone", ""),
    ("http://e.example/gone", 503, "", ""),
];

#[test]
fn redirects_have_the_outcome_of_their_target_in_whatever_file_it_is() {
    let folder = folder("redirects");
    let paths = [("first.warc", &FIRST[..]), ("second.warc", &SECOND[..])]
        .map(|(name, captures)| warc(&folder.join(name), captures));
    let out = folder.join("one.json");
    let page = folder.join("page.html");
    let outputs = [
        "--out",
        out.to_str().unwrap(),
        "--report",
        page.to_str().unwrap(),
    ];
    let written = survey_run(&paths, &[&["--sampled"], &outputs[..]].concat());
    assert_eq!((written.code, written.stderr.as_str()), (0, ""));
    let end = "redirects         66.7 % of 6 end at an answer that the input has\n";
    assert!(written.stdout.contains(end), "{written:?}");
    let page = fs::read_to_string(page).unwrap();
    for table in [
        "Redirects, followed within the input",
        "What RFC 9309 makes of the responses and of the ends of redirects",
    ] {
        assert!(page.contains(table), "{table}");
    }
    let one = part(&out);
    let mut followed = one["summary"]["followed"].clone();
    followed.as_object_mut().unwrap().remove("captures");
    let expected = json!({
        "exact": true,
        "redirects": 6,
        "of": 6,
        "resolved": {"rules": 2, "full-allow": 1, "full-disallow": 1},
        "not_in_input": 1,
        "loops": 1,
        "too_many_hops": 0,
        "not_in_sample": 0,
    });
    assert_eq!(followed, expected);
    assert_eq!(one["summary"]["passed"], json!({"other-path": 2}));
    assert_eq!(
        one["summary"]["outcomes"]["direct"],
        json!({"rules": 1, "unknown": 6})
    );

    let parts = [0, 1].map(|number| {
        let out = folder.join(format!("{number}.json"));
        let options = ["--sampled", "--out", out.to_str().unwrap()];
        assert_eq!(survey_run(&[&paths[number]], &options).code, 0);
        out
    });
    for order in [[0, 1], [1, 0]] {
        let merged = folder.join("merged.json");
        let mut merge = command();
        merge.args(["survey", "merge", "--out"]).arg(&merged);
        merge.args(order.map(|number| &parts[number]));
        assert_eq!(run(&mut merge, b"").code, 0);
        assert_eq!(part(&merged), one);
    }
}

#[test]
fn a_row_has_the_target_of_its_redirect() {
    let folder = folder("redirect-rows");
    let path = warc(&folder.join("a.warc"), &[&FIRST[..], &SECOND[..1]].concat());
    let file = folder.join("rows.jsonl");
    let written = survey_run(&[&path], &["--rows", file.to_str().unwrap()]);
    assert_eq!(written.code, 0, "{written:?}");
    let rows = fs::read_to_string(file).unwrap();
    let rows = rows
        .lines()
        .map(|row| serde_json::from_str::<Value>(row).unwrap());
    let redirects: Vec<_> = rows
        .map(|row| (row["url"].clone(), row["redirect"].clone()))
        .collect();
    let expected = [
        (FIRST[0].0, json!("https://a.example/robots.txt")),
        (FIRST[1].0, json!("http://b.example/sorry")),
        (FIRST[3].0, Value::Null),
        (FIRST[4].0, json!("https://elsewhere.example/")),
        (SECOND[0].0, json!("http://d.example/robots.txt")),
    ];
    assert_eq!(
        redirects,
        expected.map(|(url, target)| (json!(url), target))
    );
    let csv = folder.join("rows.csv");
    assert_eq!(
        survey_run(&[&path], &["--rows", csv.to_str().unwrap()]).code,
        0
    );
    let csv = fs::read_to_string(csv).unwrap();
    let line = csv.lines().nth(1).unwrap();
    assert!(
        line.contains(",301,unknown,https://a.example/robots.txt,,"),
        "{line}"
    );
}

pub(crate) fn warc(path: &Path, captures: &[Capture]) -> PathBuf {
    let records = captures.iter().map(|(url, status, location, body)| {
        let location = match *location {
            "" => String::new(),
            location => format!("Location: {location}\r\n"),
        };
        let http = format!("HTTP/1.1 {status} X\r\n{location}\r\n{body}");
        format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n{http}\r\n\r\n",
            http.len()
        )
    });
    fs::write(path, records.collect::<String>()).unwrap();
    path.to_owned()
}
