//! The count of a folder by a program that shares no code with the command, beside the survey of
//! that folder.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::suite::generator::Random;
use crate::suite::survey::{archives, folder, survey_run};

const COUNT: &str = include_str!("../independent_count.py");

#[test]
#[allow(clippy::print_stdout)]
fn the_independent_count_equals_the_survey() {
    let folder = folder("independent-count");
    let files = folder.join("files");
    fs::create_dir_all(&files).unwrap();
    for (name, file) in FILES {
        fs::write(files.join(name), file).unwrap();
    }
    let out = folder.join("survey.json");
    let rows = ["rows.jsonl", "compact.jsonl"].map(|name| folder.join(name));
    for (rows, form) in rows.iter().zip([&[][..], &["--compact"]]) {
        // The two surveys differ only in their rows. The first one is removed, because a survey is
        // not written over another one.
        let _ = fs::remove_file(&out);
        let options = ["--thorough", "--out", out.to_str().unwrap(), "--rows"];
        let options = [&options[..], &[rows.to_str().unwrap()], form].concat();
        let survey = survey_run(&[&files], &options);
        assert_eq!(survey.code, 0, "{}", survey.stderr);
    }
    if Command::new("python3").arg("--version").output().is_err() {
        println!("no python3; the independent count is not run");
        return;
    }
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent_count.py");
    for arguments in [
        vec!["--names".as_ref()],
        vec![files.as_os_str(), out.as_os_str()],
        vec!["--rows".as_ref(), rows[0].as_os_str(), out.as_os_str()],
        vec!["--rows".as_ref(), rows[1].as_os_str(), out.as_os_str()],
    ] {
        let count = Command::new("python3")
            .arg(&program)
            .args(&arguments)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&count.stdout);
        let errors = String::from_utf8_lossy(&count.stderr);
        assert!(count.status.success(), "{text}{errors}");
    }
}

/// Surveys of archives of random sites: few and many, with and without answers other than files,
/// and with a domain of many sites.
#[test]
#[allow(clippy::print_stdout)]
fn every_headline_is_counted_again_from_the_rows() {
    if !python(&["--version"]) {
        println!("no python3; the headlines are not counted again");
        return;
    }
    let folder = folder("headlines");
    let program = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/independent_count.py");
    for (seed, sites) in (1..).zip([0, 1, 1, 2, 3, 5, 8, 13, 20, 50, 150, 1_100]) {
        let path = folder.join(format!("{seed}.warc"));
        fs::write(&path, archive_of_sites(seed, sites)).unwrap();
        let [rows, out, report] =
            ["jsonl", "json", "html"].map(|kind| path.with_extension(kind).display().to_string());
        let options = ["--thorough", "--rows", &rows, "--out", &out, "--report"];
        let survey = survey_run(&[&path], &[&options[..], &[&report]].concat());
        assert_eq!(survey.code, 0, "{}", survey.stderr);
        let counted = |report: &str| {
            let count = Command::new("python3")
                .arg(&program)
                .args(["--headlines", &rows, &out, report])
                .output()
                .unwrap();
            let texts = [count.stdout, count.stderr].map(|text| String::from_utf8(text).unwrap());
            (count.status.success(), texts.concat())
        };
        let (is_equal, text) = counted(&report);
        assert!(is_equal, "{sites} sites: {text}");
        let page = fs::read_to_string(&report).unwrap();
        assert_eq!(text.contains(" domains) "), sites == 1_100, "{text}");
        // The count notices a changed figure.
        let of_files = "\u{a0}% of ";
        assert_eq!(page.contains(of_files), sites > 0);
        fs::write(&report, page.replacen(of_files, "1\u{a0}% of ", 1)).unwrap();
        assert_eq!(counted(&report).0, sites == 0);
    }
}

/// An archive with the answers of sites that are drawn from few parts. A fifth of them belong to
/// one domain and have the same rules.
fn archive_of_sites(seed: u64, sites: usize) -> Vec<u8> {
    let mut random = Random::new(seed);
    let is_folder_like = seed.is_multiple_of(3);
    let mut archive =
        b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n".to_vec();
    for site in 0..sites {
        let is_shop = site % 5 == 1;
        let host = match is_shop {
            true => format!("shop{site}.farm.example"),
            false => format!("site{site}.example"),
        };
        let status = random.pick(&[200, 200, 200, 301, 404, 503]);
        let status = if is_folder_like { 200 } else { status };
        let mut body = String::new();
        if is_shop {
            body = format!(
                "{}{}Sitemap: https://{host}/map.xml\n",
                EVERYONE[2], PARTS[0]
            );
        } else if random.below(12) > 0 {
            body.push_str(random.pick(EVERYONE));
            let drawn = PARTS.iter().filter(|_| random.below(4) == 0);
            body.extend(drawn.copied());
        }
        let http = format!("HTTP/1.1 {status} Reason\r\nContent-Type: text/plain\r\n\r\n{body}");
        let head = format!(
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Date: 2026-01-01T00:00:00Z\r\nWARC-Target-URI: https://{host}/robots.txt\r\n\
             Content-Type: application/http; msgtype=response\r\nContent-Length: {}\r\n\r\n",
            http.len()
        );
        archive.extend([&head, &http, "\r\n\r\n"].map(str::as_bytes).concat());
    }
    archive
}

/// The groups for everyone, one of which begins a file.
const EVERYONE: &[&str] = &[
    "",
    "User-agent: *\nDisallow: /\n\n",
    "User-agent: *\nDisallow: /a\nCrawl-delay: 10\n\n",
    "User-agent: *\nAllow: /\n\n",
    "<!DOCTYPE html>\n<p>No such page\n",
];

/// The other parts of a file.
const PARTS: &[&str] = &[
    "User-agent: GPTBot\nDisallow: /\n\n",
    "User-agent: CCBot\nUser-agent: Google-Extended\nDisallow: /\n\n",
    "User-agent: ClaudeBot\nDisallow: /private\n\n",
    "User-agent: AhrefsBot\nDisallow: /\nCrawl-delay: 60\n\n",
    "User-agent: Googlebot\nUser-agent: bingbot\nDisallow:\n\n",
    "User-agent: examplebot\nDisalow: /b\nDisallow: b\n\n",
    "Sitemap: https://a.example/1.xml\n",
    "Sitemap: https://a.example/2.xml\n",
];

#[test]
#[allow(clippy::print_stdout)]
fn surveys_and_rows_have_the_form_of_their_schemas() {
    if !python(&["-c", "import jsonschema"]) {
        println!("no python3 with jsonschema; surveys and rows are not held against their schemas");
        return;
    }
    let folder = folder("schemas");
    let (mut paths, _) = archives(&folder, 5, 150);
    let cut = folder.join("cut.warc");
    fs::write(&cut, &archive_of_sites(1, 60)[..9_000]).unwrap();
    paths.extend([cut, folder.join("missing.warc")]);
    let strata = folder.join("strata.csv");
    fs::write(&strata, "site1.example,a\n").unwrap();
    let rows = folder.join("rows.jsonl");
    let out = folder.join("survey.json");
    let is_valid = |schema: &str, text: &str| {
        let file = folder.join("validated");
        fs::write(&file, text).unwrap();
        let schemas = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/survey");
        let schema = schemas.join(schema);
        python(&[
            "-c",
            VALIDATE,
            schema.to_str().unwrap(),
            file.to_str().unwrap(),
        ])
    };
    let other = |text: &str, one: &str, other: &str| {
        assert!(text.contains(one), "{one}");
        text.replacen(one, other, 1)
    };
    for options in [
        &[][..],
        &["--compact", "--sampled"],
        &["--compact", "--by", "domain", "--title", "A crawl"],
        &["--strata", strata.to_str().unwrap(), "--thorough"],
    ] {
        let _ = fs::remove_file(&out);
        let files = [
            "--rows",
            rows.to_str().unwrap(),
            "--out",
            out.to_str().unwrap(),
        ];
        survey_run(&paths, &[&files, options].concat());
        let survey = fs::read_to_string(&out).unwrap();
        assert!(survey.contains("\"cut_at\"") && survey.contains("\"unreadable\""));
        assert!(is_valid("survey.schema.json", &survey), "{options:?}");
        for (one, another) in [("\"texts\"", "\"text\""), ("\"files\":", "\"files\":-")] {
            let survey = other(&survey, one, another);
            assert!(!is_valid("survey.schema.json", &survey), "{one}");
        }
        let rows = fs::read_to_string(&rows).unwrap();
        assert!(rows.lines().count() > 20);
        assert!(is_valid("rows.schema.json", &rows), "{options:?}");
        for (one, another) in [
            ("\"outcome\":", "\"outcomes\":"),
            ("\"digest\":\"", "\"digest\":\"x"),
            ("\"version\":1", "\"version\":2"),
        ] {
            let rows = other(&rows, one, another);
            assert!(!is_valid("rows.schema.json", &rows), "{one}");
        }
    }
}

/// Whether a run of Python with these arguments succeeds.
fn python(arguments: &[&str]) -> bool {
    let run = Command::new("python3").args(arguments).output();
    run.is_ok_and(|run| run.status.success())
}

/// A program that validates each JSON text of a file against a schema.
const VALIDATE: &str = "\
import json, jsonschema, sys
schema = json.load(open(sys.argv[1]))
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
text = open(sys.argv[2]).read().strip()
while text:
    value, end = json.JSONDecoder().raw_decode(text)
    validator.validate(value)
    text = text[end:].lstrip()";

/// The list at the end of the program says that it uses nothing of ours. So it imports only the
/// standard library.
#[test]
fn the_independent_count_uses_nothing_of_ours() {
    assert!(COUNT.ends_with("\n# Types of ours: none.\n"));
    let is_import = |line: &&str| line.starts_with("import ") || line.starts_with("from ");
    let mut modules: Vec<&str> = COUNT
        .lines()
        .filter(is_import)
        .filter_map(|line| line.split_whitespace().nth(1))
        .collect();
    modules.sort_unstable();
    let standard = "collections decimal html.parser json math pathlib re sys";
    assert_eq!(modules.join(" "), standard);
    for way_out in [
        "import(",
        "import_module",
        "subprocess",
        "os.system",
        "exec(",
        "eval(",
    ] {
        assert!(!COUNT.contains(way_out), "{way_out}");
    }
}

/// Fields that look like rules, groups, delays, and bytes that are not text.
const FILES: &[(&str, &[u8])] = &[
    ("empty", b""),
    (
        "training",
        b"User-agent: *\nDisallow: /a\nDisallowAITraining: /\nAllowAITraining: /\n\nUser-agent: GPTBot\nDisallow: /\n",
    ),
    (
        "closed",
        b"User-agent: *\nDisallow: /\n\nUser-agent: Googlebot\nUser-agent: ClaudeBot\nDisallow:\n",
    ),
    ("page", b"<!DOCTYPE html>\n<p>User-agent: *\nDisallow: /a\n"),
    (
        "forms",
        b"User-agents: AhrefsBot\nUser agent: Googlebot\nDisallowed: /a*\nDissalow: /b\nDisallow all: /\nDisallow AI: /\n\
          User-agent-purpose: training\nallows: /c\nAllow-: /d\nallow_resize: /e\nDisallow /f\nDisallow https://example.com/g h\n",
    ),
    (
        "bytes",
        b"\xEF\xBB\xBFUser-agent: *\rDisallow: /x # y\r\nCrawl-delay: 40\0\nCrawl-delay: soon\nSitemap: /s.xml\nSitemap:\n\xFF\n",
    ),
];
