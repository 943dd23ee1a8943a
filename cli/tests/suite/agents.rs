//! `robots agents`.

use serde_json::{Value, json};

use crate::suite::robots::{Run, command, robots, robots_reading, run};

const NAMING: &str = "\
User-agent: GPTBot
User-agent: Kangaroo Bot
Disallow: /

User-agent: Googlebot
Disallow: /private/
Content-Signal: search=yes, ai-train=no

User-agent: *
Disallow: /*
Crawl-delay: 10
";

#[test]
fn each_agent_has_a_line_and_known_crawlers_are_counted() {
    let run = robots_reading(NAMING, ["agents", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let (agents, known) = run.stdout.split_once("\n\n").unwrap();
    assert_eq!(
        agents,
        "\
agent                may fetch  line  rules       delay  use of content              known as
GPTBot               nothing    1     1 Disallow                                     OpenAI, training
Kangaroo             nothing    2     1 Disallow                                     Kangaroo LLM, training
Googlebot            part       5     1 Disallow         search yes, AI training no  Google, search
* (any other agent)  nothing    9     1 Disallow  10s"
    );
    let preview = known
        .lines()
        .find(|line| line.starts_with("preview "))
        .unwrap();
    assert!(preview.ends_with(" 9        0     0"), "{preview}");
}

#[test]
fn a_use_is_listed_apart() {
    let file = "User-agent: GPTBot\nDisallow: /\n\nUser-agent: __Usage_ai-training\nDisallow: /\nAllow: /press\n";
    let run = robots_reading(file, ["agents", "-"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(
        run.stdout.contains(
            "
* (any other agent)  everything

use, no crawler                    not wanted  line  rules
AI training (__usage_ai-training)  in a part   4     1 Disallow, 1 Allow

known crawlers"
        ),
        "{run:?}"
    );
    assert_eq!(run.stdout.matches("__").count(), 1, "{run:?}");
    let run = robots_reading(file, ["agents", "-", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["agents"].as_array().map(Vec::len), Some(1));
    assert_eq!(
        document["uses"],
        json!([{
            "use": "ai-training",
            "token": "__usage_ai-training",
            "written": "__Usage_ai-training",
            "group_lines": [4],
            "not_wanted": "part",
            "complete": true,
            "rules": {"allow": 1, "disallow": 1},
        }])
    );
}

#[test]
fn where_no_group_is_for_everyone_others_may_fetch_everything() {
    let run = robots_reading("User-agent: a\nDisallow: /", ["agents", "-"]);
    assert!(
        run.stdout.contains("\n* (any other agent)  everything\n"),
        "{run:?}"
    );
    let empty = robots_reading("", ["agents", "-"]);
    assert!(
        empty
            .stdout
            .starts_with("no agent is named, so that every agent may fetch everything\n"),
        "{empty:?}"
    );
}

/// The known crawlers with all their columns, which need wide lines.
fn known_in_full(file: &str) -> Run {
    let mut command = command();
    command
        .env("COLUMNS", "300")
        .args(["agents", "-", "--known"]);
    run(&mut command, file.as_bytes())
}

/// A robot for each of them would take 9 million rules.
#[test]
fn agents_that_share_their_rules_are_looked_at_once() {
    let agents: String = (0..3_000).map(|n| format!("User-agent: {n}x\n")).collect();
    let rules: String = (0..3_000).map(|n| format!("Disallow: /{n}x\n")).collect();
    let run = robots_reading(format!("{agents}{rules}"), ["agents", "-"]);
    let rows = run
        .stdout
        .lines()
        .filter(|line| line.contains("3000 Disallow"));
    assert_eq!((run.code, rows.count()), (0, 3_000));
}

#[test]
fn a_known_crawler_shows_its_group_and_its_line() {
    let run = known_in_full(NAMING);
    assert_eq!(run.code, 0);
    let row = |name: &str| {
        let row = run
            .stdout
            .lines()
            .find(|line| line.starts_with(&format!("{name} ")));
        let row: Vec<&str> = row
            .unwrap()
            .split("  ")
            .filter(|cell| !cell.is_empty())
            .collect();
        row.iter().map(|cell| cell.trim()).collect::<Vec<&str>>()[3..].to_vec()
    };
    assert_eq!(
        row("GPTBot"),
        ["nothing", "named (1)", "line 3: Disallow: /"]
    );
    assert_eq!(
        row("Kangaroo Bot"),
        ["nothing", "named (2)", "line 3: Disallow: /"]
    );
    assert_eq!(
        row("ClaudeBot"),
        ["nothing", "* (9)", "line 10: Disallow: /*"]
    );
    assert_eq!(row("Googlebot-Image"), ["part", "Googlebot (5)"]);
    assert_eq!(
        row("AdsBot-Google"),
        ["everything", "none", "does not obey *"]
    );
    assert_eq!(
        row("Google-Extended"),
        [
            "nothing",
            "* (9)",
            "line 10: Disallow: /*",
            "a use of what Googlebot fetches"
        ]
    );
}

#[test]
fn each_known_crawler_has_one_line_of_80_columns_in_a_pipe() {
    let run = robots_reading(NAMING, ["agents", "-", "--known"]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let widest = lines.iter().map(|line| line.chars().count()).max();
    assert!(widest <= Some(80), "{widest:?}");
    assert!(lines[0].starts_with("crawler  "), "{}", lines[0]);
    let row = lines.iter().find(|line| line.starts_with("GPTBot "));
    assert!(row.unwrap().contains("  nothing "), "{row:?}");
    let note = "left out of lines of 80 columns: operator, remarks";
    let rows = lines.iter().take_while(|line| !line.starts_with(note));
    let all = known_in_full(NAMING);
    assert_eq!(rows.count(), all.stdout.lines().count());
    assert!(run.stdout.contains(note), "{run:?}");
}

#[test]
fn an_agent_that_is_retired_or_need_not_obey_is_marked() {
    let names = "User-agent: anthropic-ai\nUser-agent: Perplexity-User\nDisallow: /";
    let run = robots_reading(names, ["agents", "-"]);
    assert!(
        run.stdout
            .contains("anthropic-ai         nothing     1     1 Disallow  Anthropic, training, no longer used\n"),
        "{run:?}"
    );
    let run = known_in_full(names);
    for remark in [
        "no longer used; the name is now ClaudeBot",
        "need not obey robots.txt",
    ] {
        assert!(run.stdout.contains(remark), "{run:?}");
    }
}

#[test]
fn a_purpose_chooses_known_crawlers() {
    let run = robots_reading(NAMING, ["agents", "-", "--purpose", "archive,preview"]);
    let purposes: Vec<bool> = run
        .stdout
        .lines()
        .skip(1)
        .take_while(|line| !line.starts_with("left out of "))
        .map(|line| line.contains(" archive ") || line.contains(" preview "))
        .collect();
    assert_eq!(purposes, [true; 11]);
    let wrong = robots(["agents", "-", "--purpose", "fun"]);
    assert_eq!(wrong.code, 2);
    assert!(
        wrong
            .stderr
            .contains("[possible values: training, ai-search, "),
        "{wrong:?}"
    );
}

#[test]
fn the_document_is_stable() {
    let run = robots_reading(NAMING, ["agents", "-", "--purpose=archive", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(document["file"], "-");
    assert_eq!(document["dialect"], Value::Null);
    assert_eq!(
        document["agents"][1],
        json!({
            "agent": "Kangaroo",
            "written": "Kangaroo Bot",
            "group_lines": [2],
            "access": "nothing",
            "complete": true,
            "line": 3,
            "rules": { "allow": 0, "disallow": 1 },
            "crawl_delay_seconds": null,
            "usage": { "search": "unstated", "ai_input": "unstated", "ai_training": "unstated", "content_use": [] },
            "known": {
                "name": "Kangaroo Bot",
                "token": "Kangaroo",
                "operator": "Kangaroo LLM",
                "purpose": "training",
                "is_ai": true,
                "documentation": null,
                "falls_back_to": [],
                "crawled_by": null,
                "ignores_wildcard": false,
                "obeys": "unknown",
                "retired": null,
                "dialect": "rfc9309",
            },
        })
    );
    assert_eq!(document["agents"][2]["usage"]["ai_training"], "disallowed");
    assert_eq!(document["agents"][3]["crawl_delay_seconds"], 10.0);
    assert_eq!(document["agents"][3]["known"], Value::Null);
    let known = &document["known_crawlers"];
    assert_eq!(known["as_of"].as_str().unwrap().len(), "2026-11-21".len());
    assert_eq!(
        known["crawlers"][0],
        json!({
            "name": "archive.org_bot",
            "token": "archive.org_bot",
            "operator": "Internet Archive",
            "purpose": "archive",
            "is_ai": false,
            "documentation": "https://archive.org/details/archive.org_bot",
            "falls_back_to": [],
            "crawled_by": null,
            "ignores_wildcard": false,
            "obeys": "unknown",
            "retired": null,
            "dialect": "rfc9309",
            "access": "nothing",
            "complete": true,
            "agent_match": "wildcard",
            "group_lines": [9],
            "line": 10,
        })
    );
    let without = robots_reading(NAMING, ["agents", "-", "--json"]);
    let document: Value = serde_json::from_str(&without.stdout).unwrap();
    assert_eq!(document["known_crawlers"], Value::Null);
}

#[test]
fn a_file_that_is_not_there_is_named() {
    let run = robots(["agents", "https://example.com/robots.txt"]);
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("nothing is fetched here: `robots fetch https://example.com/robots.txt` asks the site, with --lint"),
        "{run:?}"
    );
}

#[test]
fn crawlers_that_may_have_been_forgotten_are_named() {
    let file = "User-agent: GPTBot\nUser-agent: ClaudeBot\nDisallow: /\n";
    let run = robots_reading(file, ["agents", "-"]);
    let (_, sentence) = run.stdout.rsplit_once("\n\n").unwrap();
    assert!(sentence.lines().all(|line| line.len() <= 80), "{sentence}");
    let line = sentence.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        line.starts_with(
            "forgotten? training: ClaudeBot and GPTBot are kept out by name, but not "
        ) && line.ends_with(" more (--purpose training)"),
        "{line}"
    );
    let run = robots_reading(file, ["agents", "-", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let forgotten = &document["forgotten"];
    assert_eq!(forgotten.as_array().unwrap().len(), 1);
    assert_eq!(forgotten[0]["kept_out"], json!(["ClaudeBot", "GPTBot"]));
    let others = forgotten[0]["others"].as_array().unwrap();
    assert_eq!(others[0], "Google-Extended");
    assert!(others.contains(&json!("AI2Bot")) && !others.contains(&json!("GPTBot")));
    let everyone = robots_reading("User-agent: *\nDisallow: /\n", ["agents", "-"]);
    assert!(!everyone.stdout.contains("forgotten"), "{everyone:?}");
}

#[test]
fn the_use_that_a_signal_permits_is_shown() {
    let file = "User-agent: *\nContent-Signal: ai-train=no, use=reference\nDisallow: /a\n";
    let run = robots_reading(file, ["agents", "-"]);
    assert!(
        run.stdout.contains("  AI training no, use=reference\n"),
        "{run:?}"
    );
    let run = robots_reading(file, ["agents", "-", "--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let usage = &document["agents"][0]["usage"];
    assert_eq!(usage["content_use"], json!(["reference"]));
}
