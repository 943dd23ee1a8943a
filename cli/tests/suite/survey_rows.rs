//! `robots survey --rows`: one row for each response, in the order of the inputs.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::{Value, json};

use crate::suite::generator::{ExpectedContent, ExpectedItem};
use crate::suite::robots::{Run, command, robots, robots_reading, run_without_reader};
use crate::suite::survey::{archives, assert_error, folder, is_only_damage, part, survey_run};

#[test]
fn rows_are_in_the_order_of_the_inputs_whatever_the_threads() {
    let folder = folder("rows");
    let (paths, archives) = archives(&folder, 4, 200);
    let mut expected = Vec::new();
    for (path, archive) in paths.iter().zip(&archives) {
        for item in &archive.expected {
            if let ExpectedItem {
                offset,
                content: ExpectedContent::Response { url, status, .. },
            } = item
            {
                expected.push((
                    path.to_str().unwrap().to_owned(),
                    *offset,
                    url.clone(),
                    *status,
                ));
            }
        }
    }
    assert!(expected.len() > 100);
    for form in ["jsonl", "csv"] {
        let rows = |name: &str, options: &[&str]| {
            let file = folder.join(format!("{name}.{form}"));
            let all = [
                options,
                &["--max-bytes", "2000", "--rows", file.to_str().unwrap()],
            ];
            let run = survey_run(&paths, &all.concat());
            assert!(is_only_damage(&run), "{run:?}");
            fs::read_to_string(file).unwrap()
        };
        let one = rows("one", &["--threads", "1"]);
        for more in [
            &["--threads", "3"][..],
            &["--threads", "7", "--batch-bytes", "1"],
        ] {
            assert!(rows("more", more) == one, "{more:?}");
        }
        if form == "jsonl" {
            let found: Vec<(String, u64, String, u16)> = one
                .lines()
                .map(|line| {
                    let row: Value = serde_json::from_str(line).unwrap();
                    let text = |name: &str| row[name].as_str().unwrap().to_owned();
                    let status = row["status"].as_u64().unwrap() as u16;
                    (
                        text("input"),
                        row["offset"].as_u64().unwrap(),
                        text("url"),
                        status,
                    )
                })
                .collect();
            assert_eq!(found, expected);
        } else {
            assert_eq!(one.lines().count(), expected.len() + 1);
        }
    }
}

#[test]
fn a_row_says_who_may_fetch_what_as_agents_does() {
    let folder = folder("row");
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    let body = "User-agent: GPTBot\nUser-agent: Googlebot\nDisallow: /\n\nUser-agent: *\nCrawl-delay: 2.5\n\
                Disallow: /a\nDisallow: x\nAllow: /a/b\nContent-Signal: search=yes, ai-train=no\nSitemap: https://example.com/s\n";
    let file = robots_txts.join("Example.com.txt");
    fs::write(&file, body).unwrap();
    let [row] = &rows(&robots_txts, &folder.join("rows.jsonl"))[..] else {
        panic!("one row");
    };
    assert_eq!(row["host"], "example.com");
    assert_eq!((&row["url"], &row["status"]), (&Value::Null, &json!(200)));
    assert_eq!(
        (&row["outcome"], &row["bytes"]),
        (&json!("rules"), &json!(body.len()))
    );
    assert_eq!(
        (&row["groups"], &row["rules"], &row["sitemaps"]),
        (&json!(2), &json!(4), &json!(1))
    );
    let usage = json!({"search": true, "ai_input": null, "ai_training": false});
    assert_eq!(row["usage"], usage);
    let everyone = json!({"agent": "*", "access": "part", "line": 5, "allow": 1, "disallow": 2, "crawl_delay": 2.5});
    assert_eq!(row["agents"][0], everyone);
    let gptbot = json!({"agent": "GPTBot", "access": "none", "line": 1, "allow": 0, "disallow": 1, "crawl_delay": null});
    assert_eq!(row["agents"][1], gptbot);
    assert_eq!(
        row["findings"][0],
        json!({"code": "path-without-slash", "count": 1})
    );

    let agents = robots(["agents", file.to_str().unwrap(), "--known", "--json"]);
    let agents: Value = serde_json::from_str(&agents.stdout).unwrap();
    let crawlers = agents["known_crawlers"]["crawlers"].as_array().unwrap();
    assert_eq!(row["crawlers"].as_object().unwrap().len(), crawlers.len());
    let mut by_name = 0;
    for crawler in crawlers {
        let found = &row["crawlers"][crawler["token"].as_str().unwrap()];
        let access = match crawler["access"].as_str().unwrap() {
            "nothing" => "none",
            "everything" => "all",
            part => part,
        };
        let line = match crawler["agent_match"].as_str().unwrap() {
            "named" => &crawler["group_lines"][0],
            _ => &Value::Null,
        };
        by_name += u32::from(!line.is_null());
        assert_eq!(found, &json!({"access": access, "line": line}), "{crawler}");
    }
    assert!(by_name > 2, "{by_name}");

    let csv = folder.join("rows.csv");
    let options = ["--rows", csv.to_str().unwrap()];
    assert_eq!(survey_run(&[&robots_txts], &options).code, 0);
    let csv = fs::read_to_string(csv).unwrap();
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    let [head, row] = &lines[..] else {
        panic!("a head and a row");
    };
    assert_eq!(head.len(), row.len());
    let cell = |name: &str| row[head.iter().position(|column| *column == name).unwrap()];
    assert_eq!(
        (cell("host"), cell("search"), cell("ai_input")),
        ("example.com", "yes", "")
    );
    assert_eq!(cell("agents"), "*=part@5 GPTBot=none@1 Googlebot=none@2");
    assert_eq!((cell("GPTBot"), cell("CCBot")), ("none@1", "part"));
    assert_eq!(
        (cell("Googlebot-Image"), cell("AdsBot-Google")),
        ("none@2", "all")
    );
}

#[test]
fn compact_rows_say_the_same_in_any_compression_and_on_standard_output() {
    let folder = folder("compact");
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    for (host, body) in [
        // Five crawlers of Google do not obey `*`, so they differ from it.
        ("closed.example", "User-agent: *\nDisallow: /"),
        (
            "part.example",
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a\nDisallow: b",
        ),
        ("open.example", ""),
    ] {
        fs::write(robots_txts.join(format!("{host}.robots.txt")), body).unwrap();
    }
    let write = |name: &str, options: &[&str]| {
        let file = folder.join(name);
        let run = robots(
            [
                &[
                    "survey",
                    robots_txts.to_str().unwrap(),
                    "--rows",
                    file.to_str().unwrap(),
                ],
                options,
            ]
            .concat(),
        );
        assert_eq!(run.code, 0, "{run:?}");
        file
    };
    let plain = write("rows.jsonl", &["--compact"]);
    let compact = fs::read_to_string(&plain).unwrap();
    let rows: Vec<Value> = compact
        .lines()
        .map(|row| serde_json::from_str(row).unwrap())
        .collect();
    let of_google = json!([
        "AdsBot-Google",
        "AdsBot-Google-Mobile",
        "AdsBot-Google-Mobile-Apps",
        "APIs-Google",
        "Mediapartners-Google"
    ]);
    assert_eq!(rows[0]["version"], 1);
    assert_eq!(
        rows[0]["agents"],
        json!({"all": [], "part": [], "none": ["*"]})
    );
    assert_eq!(
        rows[0]["crawlers"],
        json!({"all": of_google, "part": [], "none": []})
    );
    assert_eq!(
        rows[1]["agents"],
        json!({"all": [], "part": [], "none": []})
    );
    assert_eq!(
        rows[2]["agents"],
        json!({"all": [], "part": ["*"], "none": ["GPTBot"]})
    );
    assert_eq!(
        rows[2]["crawlers"],
        json!({"all": of_google, "part": [], "none": ["GPTBot"]})
    );
    assert_eq!(rows[2]["findings"], json!({"path-without-slash": 1}));

    let mut gzip = String::new();
    let file = fs::File::open(write("rows.jsonl.gz", &["--compact"])).unwrap();
    GzDecoder::new(file).read_to_string(&mut gzip).unwrap();
    assert_eq!(gzip, compact);
    let zst = write("rows.jsonl.zst", &["--compact"]);
    let file = fs::File::open(&zst).unwrap();
    assert_eq!(zstd::decode_all(file).unwrap(), compact.as_bytes());
    let path = robots_txts.to_str().unwrap();
    let printed = robots(["survey", path, "--rows", "-", "--compact"]);
    assert_eq!(
        (printed.code, printed.stdout.as_str()),
        (0, compact.as_str())
    );

    // Rows of both forms are read, and say the same of each crawler.
    let full = write("full.jsonl.gz", &[]);
    let changes = robots([
        "survey",
        "changes",
        full.to_str().unwrap(),
        zst.to_str().unwrap(),
        "--json",
    ]);
    let changes: Value = serde_json::from_str(&changes.stdout).unwrap();
    let panel = &changes["panel"];
    assert_eq!((&panel["hosts"], &panel["changed"]), (&json!(3), &json!(0)));

    let table = robots(["survey", path, "--rows", "rows.csv", "--compact"]);
    assert_error(
        &table,
        "comma-separated values have a column for each crawler and no compact form",
    );
    let twice = robots(["survey", path, "--rows", "-", "--out", "-"]);
    assert_error(
        &twice,
        "standard output takes either the rows or the survey",
    );
}

#[test]
fn rows_that_nobody_reads_on_are_quiet() {
    let folder = folder("unread-rows");
    for number in 0..300 {
        fs::write(folder.join(number.to_string()), "User-agent: *").unwrap();
    }
    let mut survey = command();
    survey.args(["survey", folder.to_str().unwrap(), "--rows", "-"]);
    let run = run_without_reader(&mut survey);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn rows_that_cannot_be_written_are_refused_before_the_work() {
    let folder = folder("refused-rows");
    fs::write(folder.join("example.com"), "User-agent: *").unwrap();
    let path = folder.to_str().unwrap();
    let parquet = robots(["survey", path, "--rows", "rows.parquet"]);
    assert_error(&parquet, "the name must end in .jsonl or .csv");
    let within = folder.join("rows.csv");
    let within = robots(["survey", path, "--rows", within.to_str().unwrap()]);
    assert_error(&within, "give --rows another place");
    let resumed = robots([
        "survey", path, "--rows", "x.csv", "--resume", "--out", "x.json",
    ]);
    assert_error(&resumed, "'--rows <FILE>' cannot be used with '--resume'");
    let is_alone = fs::read_dir(&folder).unwrap().count() == 1;
    assert!(is_alone);
}

#[test]
fn rows_that_are_there_stay_where_nothing_can_be_read() {
    let folder = folder("kept-rows");
    let file = folder.join("kept.jsonl");
    fs::write(&file, "{}\n").unwrap();
    let missing = folder.join("missing");
    let [missing, rows] = [&missing, &file].map(|path| path.to_str().unwrap());
    let run = robots(["survey", missing, "--rows", rows]);
    assert_eq!(run.code, 2, "{run:?}");
    assert_eq!(fs::read_to_string(&file).unwrap(), "{}\n");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_ends_the_survey_with_its_error() {
    let folder = folder("full-rows");
    let full = folder.join("full.jsonl");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let robots_txts = folder.join("robots");
    fs::create_dir(&robots_txts).unwrap();
    for number in 0..300 {
        fs::write(robots_txts.join(number.to_string()), "User-agent: *").unwrap();
    }
    let run = survey_run(&[&robots_txts], &["--rows", full.to_str().unwrap()]);
    assert_error(&run, "No space left");
}

fn rows(surveyed: &Path, file: &PathBuf) -> Vec<Value> {
    let run = survey_run(&[surveyed], &["--rows", file.to_str().unwrap()]);
    assert_eq!(run.code, 0, "{run:?}");
    let text = fs::read_to_string(file).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn strata_add_up_to_the_whole_and_merge() {
    let folder = folder("strata");
    let hosts = folder.join("robots");
    fs::create_dir(&hosts).unwrap();
    for (number, host) in (0..).zip(["a.example", "www.b.example", "c.example", "d.example"]) {
        let body = format!(
            "User-agent: GPTBot\nDisallow: /{}",
            if number % 2 == 0 { "" } else { "a" }
        );
        fs::write(hosts.join(host), body).unwrap();
    }
    let ranks = folder.join("ranks.csv");
    fs::write(
        &ranks,
        "host,label\na.example,top\nb.example,top\nC.example,long tail\n",
    )
    .unwrap();
    let strata = ["--sampled", "--strata", ranks.to_str().unwrap()];
    let one = folder.join("one.json");
    let run = surveyed(&[&hosts], &one, &strata);
    assert!(run.stdout.contains("(unlisted)"), "{run:?}");
    let one = part(&one);
    let of = |label: &str| one["strata"][label].clone();
    let none = |label: &str| of(label)["known_access"]["GPTBot"]["by_name"].clone();
    assert_eq!(
        (&of("top")["files"], none("top")),
        (&json!(2), json!({"all": 0, "part": 1, "none": 1}))
    );
    assert_eq!(
        (&of("long tail")["files"], &of("(unlisted)")["files"]),
        (&json!(1), &json!(1))
    );

    let parts: Vec<PathBuf> = ["d.example", "a.example", "c.example", "www.b.example"]
        .iter()
        .map(|host| {
            let out = folder.join(format!("{host}.json"));
            surveyed(&[&hosts.join(host)], &out, &strata);
            out
        })
        .collect();
    let out = folder.join("merged.json");
    let merge = |parts: &[PathBuf]| {
        let mut merge = command();
        merge
            .args(["survey", "merge"])
            .args(parts)
            .arg("--out")
            .arg(&out);
        crate::suite::robots::run(&mut merge, b"")
    };
    assert_eq!(merge(&parts).code, 0);
    assert_eq!(part(&out)["strata"], one["strata"]);

    let other = folder.join("other.json");
    fs::write(&ranks, "a.example,top\n").unwrap();
    surveyed(&[&hosts.join("a.example")], &other, &strata);
    let refused = merge(&[parts[0].clone(), other.clone()]);
    assert_error(&refused, "was surveyed with another --strata, or without");
    let out = other.to_str().unwrap();
    let resumed = robots(["survey", "--resume", "--out", out]);
    assert_error(&resumed, "was surveyed with another --strata, or without");
    fs::write(&ranks, "a.example").unwrap();
    let fault = robots([
        "survey",
        hosts.to_str().unwrap(),
        "--strata",
        ranks.to_str().unwrap(),
    ]);
    assert_error(
        &fault,
        "ranks.csv`, line 1: write a host, a comma and its label",
    );
}

fn surveyed<P: AsRef<Path>>(paths: &[P], out: &Path, options: &[&str]) -> Run {
    let run = survey_run(
        paths,
        &[options, &["--out", out.to_str().unwrap()]].concat(),
    );
    assert_eq!(run.code, 0, "{run:?}");
    run
}

#[test]
fn changes_say_which_sites_closed_and_opened_to_whom() {
    let folder = folder("changes");
    let survey = |name: &str, files: &[(&str, &str)]| {
        let hosts = folder.join(name);
        fs::create_dir(&hosts).unwrap();
        for (host, body) in files {
            fs::write(hosts.join(host), body).unwrap();
        }
        let out = folder.join(format!("{name}.jsonl"));
        rows(&hosts, &out);
        out
    };
    let closed = "User-agent: GPTBot\nUser-agent: CCBot\nDisallow: /";
    let old = survey(
        "old",
        &[
            ("a.example", ""),
            ("b.example", "User-agent: *\nDisallow: /"),
            ("c.example", closed),
            ("gone.example", ""),
        ],
    );
    let new = survey(
        "new",
        &[
            ("a.example", closed),
            (
                "b.example",
                "User-agent: *\nDisallow: /x\n\nUser-agent: CCBot\nDisallow: /",
            ),
            ("c.example", closed),
            ("late.example", ""),
        ],
    );
    let (old, new) = (old.to_str().unwrap(), new.to_str().unwrap());
    let changes = |more: &[&str]| {
        let run = robots([&["survey", "changes", old, new, "--json"], more].concat());
        assert_eq!(run.code, 0, "{run:?}");
        serde_json::from_str::<Value>(&run.stdout).unwrap()
    };
    let all = changes(&[]);
    let piped = robots_reading(
        fs::read(old).unwrap(),
        ["survey", "changes", "-", new, "--json"],
    );
    assert_eq!(serde_json::from_str::<Value>(&piped.stdout).unwrap(), all);
    let twice = robots(["survey", "changes", "-", "-"]);
    assert_error(&twice, "standard input is one of them");
    let panel = json!({"hosts": 3, "unanswered": 0, "only_old": 1, "only_new": 1, "changed": 2});
    assert_eq!(all["panel"], panel);
    let of = |changes: &Value, name: &str| {
        let agents = changes["agents"].as_array().unwrap();
        let agent = agents.iter().find(|agent| agent["agent"] == name);
        let agent = agent.unwrap();
        (agent["closed"].clone(), agent["opened"].clone())
    };
    assert_eq!(of(&all, "*"), (json!(0), json!(1)));
    assert_eq!(of(&all, "GPTBot"), (json!(1), json!(1)));
    assert_eq!(of(&all, "CCBot"), (json!(1), json!(0)));
    let [a, b] = &all["sites"].as_array().unwrap()[..] else {
        panic!("two sites");
    };
    let closed = json!({"host": "a.example", "changes": [{"old": "all", "new": "none", "agents": ["CCBot", "GPTBot"]}]});
    assert_eq!(a, &closed);
    assert_eq!(
        (&b["changes"][0]["old"], &b["changes"][0]["agents"][0]),
        (&json!("none"), &json!("*"))
    );

    let one = changes(&["--agent", "ccbot"]);
    assert_eq!(one["agents"].as_array().unwrap().len(), 1);
    assert_eq!(
        (
            one["sites"].as_array().unwrap().len(),
            &one["panel"]["changed"]
        ),
        (1, &json!(1))
    );
    // The other order has the opposite changes, and a survey compared with itself has none.
    let back = robots(["survey", "changes", new, old, "--json"]);
    let back: Value = serde_json::from_str(&back.stdout).unwrap();
    assert_eq!(of(&back, "GPTBot"), (json!(1), json!(1)));
    assert_eq!(of(&back, "CCBot"), (json!(0), json!(1)));
    let same = robots(["survey", "changes", old, old, "--json"]);
    let same: Value = serde_json::from_str(&same.stdout).unwrap();
    assert_eq!(
        (&same["panel"]["hosts"], &same["sites"]),
        (&json!(4), &json!([]))
    );

    let text = robots(["survey", "changes", old, new]);
    assert!(
        text.stdout.contains("a.example  all   none  CCBot, GPTBot"),
        "{}",
        text.stdout
    );
    let unknown = robots(["survey", "changes", old, new, "--agent", "Nobody"]);
    assert_error(&unknown, "`Nobody` is no known crawler");
    let csv = robots(["survey", "changes", "old.csv", new]);
    assert_error(&csv, "rows are compared as JSON lines");
    let broken = folder.join("broken.jsonl");
    let first = fs::read_to_string(old).unwrap();
    let first = first.lines().next().unwrap();
    fs::write(&broken, format!("{first}\n{{\"host\":")).unwrap();
    let broken = robots(["survey", "changes", old, broken.to_str().unwrap()]);
    assert_error(&broken, "broken.jsonl`, line 2, is not a row: ");
}
