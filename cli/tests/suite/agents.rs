//! `robots agents`.

use crate::suite::robots::{Run, command, robots_reading, run};

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

/// The known crawlers with all their columns, which need wide lines.
fn known_in_full(file: &str) -> Run {
    let mut command = command();
    command
        .env("COLUMNS", "300")
        .args(["agents", "-", "--known"]);
    run(&mut command, file.as_bytes())
}

/// A robot for each of the agents would take 9 million rules.
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
