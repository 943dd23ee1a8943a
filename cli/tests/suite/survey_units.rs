//! `robots survey`: bodies and domains that are a large share of the files, and `--by`, which counts each once.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::suite::survey::{folder, part, survey_run};

#[test]
fn a_body_and_a_domain_with_a_large_share_are_named() {
    let folder = folder("shares");
    let hosts = farm(&folder, 1000);
    let (out, page) = (folder.join("out.json"), folder.join("page.html"));
    let outputs = [
        "--out",
        out.to_str().unwrap(),
        "--report",
        page.to_str().unwrap(),
    ];
    let run = survey_run(&[&hosts], &[&["--sampled"], &outputs[..]].concat());
    let body = "200 of 1,000 files, 20 %, have the same bytes (151 domains)";
    let domain = "250 of 1,000 files, 25 %, are of the domain farm.example";
    let warnings = format!(
        "warning: {body}; `--by body` counts each body once\nwarning: {domain}; `--by domain` counts each domain once\n"
    );
    assert_eq!((run.code, run.stderr), (0, warnings));
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains(body) && page.contains(domain));
    let copies = &part(&out)["summary"]["copies"];
    let largest = &copies["largest_body"];
    assert_eq!(
        (&largest["files"], &largest["of"], &copies["exact"]),
        (&json!(200), &json!(1000), &json!(true))
    );
    assert_eq!(largest["domain"], json!(null));
    let largest = &copies["largest_domain"];
    assert_eq!(
        (&largest["name"], &largest["percent"]),
        (&json!("farm.example"), &json!(25.0))
    );
    // Of few files any is a large share.
    let few = survey_run(&[hosts.join("shop0.farm.example")], &[]);
    assert_eq!((few.code, few.stderr.as_str()), (0, ""));
}

/// Files of hosts, of which every fourth is of one domain, and every fifth has one body.
fn farm(folder: &Path, files: u64) -> PathBuf {
    let hosts = folder.join("robots");
    fs::create_dir(&hosts).unwrap();
    for number in 0..files {
        let host = match number % 4 {
            0 => format!("shop{number}.farm.example"),
            _ => format!("site{number}.example"),
        };
        let path = if number % 5 == 0 { 0 } else { number };
        let body = format!("User-agent: *\nDisallow: /{path}");
        fs::write(hosts.join(host), body).unwrap();
    }
    hosts
}
