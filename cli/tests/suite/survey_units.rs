//! `robots survey`: bodies and domains that are a large share of the files, and `--by`, which
//! counts each once.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::json;

use crate::suite::robots::{command, run};
use crate::suite::survey::{assert_error, folder, interrupted, part, survey_run, tar_of};
use crate::suite::survey_redirects::warc;

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
    // Any file is a large share of few.
    let few = survey_run(&[hosts.join("shop0.farm.example")], &[]);
    assert_eq!((few.code, few.stderr.as_str()), (0, ""));
}

#[test]
fn each_body_or_domain_counts_once_whatever_the_order_and_the_threads() {
    let folder = folder("units");
    let hosts = farm(&folder, 400);
    let tar = folder.join("hosts.tar");
    fs::write(&tar, tar_of(&hosts)).unwrap();
    // 80 files have one body, and 100 are of one domain.
    for (by, files) in [("body", 321), ("domain", 301)] {
        let surveyed = |name: &str, paths: &[&Path], options: &[&str]| {
            let out = folder.join(format!("{by}-{name}.json"));
            let all = ["--by", by, "--out", out.to_str().unwrap()];
            let run = survey_run(paths, &[&all, options].concat());
            assert_eq!((run.code, run.stderr.as_str()), (0, ""));
            part(&out)
        };
        let one = surveyed("one", &[&hosts], &["--threads", "1"]);
        assert_eq!(one["unit"], json!(by));
        assert_eq!(one["summary"]["files"], json!(files));
        assert_eq!(one["summary"]["passed"], json!({"repeated": 400 - files}));
        let more = ["--threads", "3", "--batch-bytes", "1"];
        assert_eq!(surveyed("more", &[&hosts], &more), one);
        // A folder and an archive of it have the same bodies and domains.
        for paths in [[&*hosts, &*tar], [&*tar, &*hosts]] {
            let name = if paths[0] == tar { "tar" } else { "both" };
            let both = surveyed(name, &paths, &[]);
            assert_eq!(both["summary"]["files"], json!(files));
            assert_eq!(both["summary"]["agents"], one["summary"]["agents"]);
            assert_eq!(both["summary"]["rules"], one["summary"]["rules"]);
        }
        let rows = folder.join(format!("{by}.jsonl"));
        let options = ["--by", by, "--rows", rows.to_str().unwrap()];
        assert_eq!(survey_run(&[&hosts], &options).code, 0);
        assert_eq!(fs::read_to_string(rows).unwrap().lines().count(), files);
    }
}

#[cfg(unix)]
#[test]
fn an_interrupted_survey_by_domain_comes_to_the_same() {
    let folder = folder("unit-resumed");
    let hosts = farm(&folder, 400);
    let whole = folder.join("whole.json");
    let by = ["--by", "domain", "--threads", "1"];
    let options = [&by[..], &["--out", whole.to_str().unwrap()]].concat();
    assert_eq!(survey_run(&[&hosts], &options).code, 0);
    let out = folder.join("out.json");
    let mut command = command();
    command
        .arg("survey")
        .arg(&hosts)
        .args(by)
        .arg("--out")
        .arg(&out);
    command.args(["--batch-bytes", "1", "--save-every", "0"]);
    loop {
        // As soon as there is a part, the second reading has begun.
        interrupted(&mut command, |_| out.exists());
        if part(&out)["is_complete"] == json!(false) {
            break;
        }
        fs::remove_file(&out).unwrap();
    }
    let none: [&Path; 0] = [];
    let resumed = ["--resume", "--out", out.to_str().unwrap()];
    let other = survey_run(&none, &[&resumed[..], &["--by", "body"]].concat());
    assert_error(&other, "counts each domain once, and not each body");
    assert_eq!(survey_run(&none, &resumed).code, 0);
    assert_eq!(part(&out), part(&whole));
}

#[test]
fn surveys_by_unit_are_not_added_up_and_not_read_from_a_stream() {
    let folder = folder("unit-errors");
    let hosts = farm(&folder, 2);
    let parts = ["shop0.farm.example", "site1.example"].map(|host| {
        let out = folder.join(format!("{host}.json"));
        let options = ["--by", "body", "--out", out.to_str().unwrap()];
        assert_eq!(survey_run(&[hosts.join(host)], &options).code, 0);
        out
    });
    let merge = |parts: &[PathBuf]| {
        let mut merge = command();
        merge
            .args(["survey", "merge", "--out"])
            .arg(folder.join("all.json"));
        run(merge.args(parts), b"")
    };
    assert_error(
        &merge(&parts),
        "parts that count each body once cannot be added up",
    );
    assert_eq!(merge(&parts[..1]).code, 0);
    let stream = run(command().args(["survey", "-", "--by", "domain"]), b"");
    assert_error(&stream, "`-` is standard input, which gives its bytes once");
    let plain = folder.join("plain.json");
    let options = ["--out", plain.to_str().unwrap()];
    assert_eq!(survey_run(&[hosts.join("site1.example")], &options).code, 0);
    let mut compare = command();
    compare
        .args(["survey", "compare"])
        .arg(&parts[1])
        .arg(&plain);
    let compared = run(&mut compare, b"");
    assert_eq!(compared.code, 0);
    assert!(
        compared.stderr.contains("counts each body once, `"),
        "{compared:?}"
    );
}

/// A redirect may end at a file that does not count, because another file has the same bytes.
#[test]
fn redirects_end_at_files_that_are_not_counted() {
    let folder = folder("unit-redirects");
    let rules = "User-agent: *\nDisallow: /a";
    let captures = [
        (
            "http://a.example/robots.txt",
            301,
            "https://a.example/robots.txt",
            "",
        ),
        ("https://a.example/robots.txt", 200, "", rules),
        (
            "http://b.example/robots.txt",
            301,
            "https://b.example/robots.txt",
            "",
        ),
        ("https://b.example/robots.txt", 200, "", rules),
    ];
    let path = warc(&folder.join("a.warc"), &captures);
    let out = folder.join("out.json");
    let options = ["--by", "body", "--out", out.to_str().unwrap()];
    assert_eq!(survey_run(&[&path], &options).code, 0);
    let summary = &part(&out)["summary"];
    assert_eq!(
        (&summary["files"], &summary["responses"]),
        (&json!(1), &json!(3))
    );
    assert_eq!(summary["followed"]["resolved"], json!({"rules": 2}));
}

/// Files of hosts. Every fourth file is of one domain, and every fifth file has one body.
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
