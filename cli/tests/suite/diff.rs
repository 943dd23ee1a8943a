//! `robots diff`.

use serde_json::{Value, json};

use crate::suite::robots::{ROBOTS_TXT, Run, file, robots, robots_reading};

/// Runs it on the standard robots.txt and another one, which comes from standard input.
fn diff(name: &str, new: &str, arguments: &[&str]) -> Run {
    let old = file(&format!("diff.{name}.robots.txt"), ROBOTS_TXT);
    let arguments = ["diff", old.to_str().unwrap(), "-"]
        .into_iter()
        .chain(arguments.iter().copied());
    robots_reading(new, arguments)
}

#[test]
fn another_order_and_layout_is_no_change() {
    let new = "# new\r\nUSER-AGENT: namedbot # us\r\ndisallow:/named\r\n\r\nuser-agent: *\r\nAllow: /private/open\r\nDisalow: /private/\r\n";
    let run = diff("layout", new, &[]);
    assert_eq!(
        run.stdout,
        "nothing changes for 2 agents (all URLs looked at)\n"
    );
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
}

#[test]
fn a_changed_answer_has_both_lines() {
    let run = diff(
        "answer",
        &ROBOTS_TXT.replace("/private/open", "/private/shop"),
        &[],
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
* (any other agent)
  - Allow: /private/open  (line 3)
  + Allow: /private/shop  (line 3)
  now disallowed  /private/open  line 2: Disallow: /private/   before: line 3: Allow: /private/open
  now allowed     /private/shop  line 3: Allow: /private/shop  before: line 2: Disallow: /private/

something changes for 1 of 2 agents (all URLs looked at)
"
    );
}

#[test]
fn a_use_is_called_no_crawler() {
    let new = format!("{ROBOTS_TXT}\nUser-agent: __usage_ai-training\nDisallow: /x\n");
    let run = diff("use", &new, &[]);
    let block = "\
__usage_ai-training (AI training, no crawler)
  named group applies, before: no group
  + Disallow: /x  (line 9)
  now disallowed  /x  line 9: Disallow: /x  before: no group is for this agent
";
    assert!(run.code == 1 && run.stdout.contains(block), "{run:?}");
    let run = diff("use_json", &new, &["--json"]);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let uses: Vec<&Value> = document["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|agent| &agent["use"])
        .collect();
    assert_eq!(uses, [&Value::Null, &json!("ai-training"), &Value::Null]);
}

#[test]
fn rules_of_which_nothing_comes_are_no_change() {
    let run = diff(
        "redundant",
        &format!("{ROBOTS_TXT}Disallow: /named/too\n"),
        &[],
    );
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        "\
NamedBot
  no answer changes (rules: 0 less, 1 more)

nothing changes for 2 agents (all URLs looked at)
"
    );
}

#[test]
fn a_pattern_may_match_within_an_escape() {
    for (dialect, allow, disallow, url) in [
        ("rfc9309", "/%2F$", "/*F", "/%2F"),
        ("google", "/%41", "/%", "/%41"),
    ] {
        let new = format!("User-agent: *\nDisallow: {disallow}\n");
        let old = file(
            &format!("diff.escape.{dialect}.robots.txt"),
            format!("{new}Allow: {allow}\n"),
        );
        let old = old.to_str().unwrap();
        let run = robots_reading(&new, ["diff", old, "-", "--dialect", dialect]);
        assert_eq!(run.code, 1, "{run:?}");
        let changed = format!("  now disallowed  {url}  line 2: Disallow: {disallow}  before: ");
        assert!(run.stdout.contains(&changed), "{run:?}");
    }
}

#[test]
fn agents_with_the_same_changes_stand_together() {
    let new = format!("User-agent: ABot\nUser-agent: BBot\nDisallow: /\n\n{ROBOTS_TXT}");
    let run = diff("together", &new, &[]);
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .starts_with("ABot, BBot\n  named group applies, before: wildcard group\n"),
        "{run:?}"
    );
    assert!(
        run.stdout
            .ends_with("something changes for 2 of 4 agents (all URLs looked at)\n"),
        "{run:?}"
    );
}

/// Their groups are the same but for the lines they are on, and the rules for everyone are counted.
#[test]
fn equal_groups_are_one_block_wherever_they_stand() {
    let rules: String = (0..9).map(|n| format!("Disallow: /{n}\n")).collect();
    let old = file("diff.blocks.robots.txt", format!("User-agent: *\n{rules}"));
    let groups: String = (b'a'..=b'j')
        .map(|letter| format!("User-agent: {}Bot\nDisallow: /\n\n", char::from(letter)))
        .collect();
    let new = format!("{groups}User-agent: *\n{rules}");
    let run = robots_reading(&new, ["diff", old.to_str().unwrap(), "-"]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
aBot, bBot, cBot, dBot, eBot, fBot and 4 more
  named group applies, before: wildcard group
  - 9 rules for everyone, which no longer apply
  + Disallow: /  (line 2)
  now disallowed  /  line 2: Disallow: /  before: no rule matches

something changes for 10 of 11 agents (all URLs looked at)
"
    );
    let run = robots_reading(&new, ["diff", old.to_str().unwrap(), "-", "--stat"]);
    assert_eq!(
        run.stdout,
        "\
agents                                         rules  now disallowed
aBot, bBot, cBot, dBot, eBot, fBot and 4 more  -9 +1  1 URL

something changes for 10 of 11 agents (all URLs looked at)
"
    );
}

#[test]
fn an_agent_that_is_no_longer_named_obeys_the_wildcard() {
    let new = "User-agent: *\nDisallow: /private/\nAllow: /private/open\n";
    let run = diff("unnamed", new, &[]);
    assert!(
        run.stdout
            .starts_with("NamedBot\n  wildcard group applies, before: named group\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("now allowed     /named"), "{run:?}");
    assert!(run.stdout.contains("now disallowed  /private/"), "{run:?}");
}

#[test]
fn only_the_chosen_agents_are_asked() {
    let run = diff(
        "chosen",
        "User-agent: *\nDisallow: /",
        &["--agent", "NamedBot", "--agent", "X", "--url", "/named"],
    );
    assert_eq!(run.code, 1);
    assert!(
        run.stdout
            .ends_with("something changes for 1 of 2 agents (1 URL asked about)\n"),
        "{run:?}"
    );
    assert!(run.stdout.contains("\nX\n"), "{run:?}");
}

#[test]
fn urls_of_a_list_are_all_shown() {
    let list = file("diff.urls", "/private/a\n# no\n\n/private/b\n/c\n");
    let run = diff(
        "list",
        "User-agent: *\nDisallow: /c",
        &["--agent=*", "--urls", list.to_str().unwrap()],
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout
            .lines()
            .filter(|line| line.starts_with("  now "))
            .count(),
        3
    );
    assert!(run.stdout.ends_with("(3 URLs asked about)\n"), "{run:?}");
}

#[test]
fn delays_are_told_in_seconds() {
    let with_delay = |delay: &str| format!("User-agent: *\nCrawl-delay: {delay}\n");
    let old = file("diff.delay.robots.txt", with_delay("0"));
    let run = robots_reading(with_delay(".5"), ["diff", old.to_str().unwrap(), "-"]);
    let changed = "  - Crawl-delay: 0s\n  + Crawl-delay: 0.5s\n";
    assert!(run.stdout.contains(changed), "{run:?}");
    let run = robots_reading(with_delay("0"), ["agents", "-"]);
    assert!(run.stdout.contains("  0s\n"), "{run:?}");
}

#[test]
fn records_beside_the_rules_are_changes_too() {
    let new = ROBOTS_TXT
        .replace("User-agent: *\n", "User-agent: *\nCrawl-delay: 2.5\nContent-Signal: ai-train=no\nLicense: https://example.com/l.xml\n")
        + "Sitemap: https://example.com/map.xml\n";
    let run = diff("records", &new, &[]);
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "\
* (any other agent)
  + Crawl-delay: 2.5s
  + License: https://example.com/l.xml
  AI training  /  disallowed  before: not stated

the whole file
  + Sitemap: https://example.com/map.xml

something changes for 1 of 2 agents (all URLs looked at)
"
    );
}

#[test]
fn a_preference_for_a_path_is_found() {
    let new = ROBOTS_TXT.replace(
        "User-agent: *\n",
        "User-agent: *\nContent-Usage: /blog/ train-ai=n\n",
    );
    let run = diff("path", &new, &[]);
    assert!(
        run.stdout
            .contains("  AI training  /blog/  disallowed  before: not stated\n"),
        "{run:?}"
    );
}

#[test]
fn the_directory_of_an_index_page_is_asked_about() {
    let old = file("diff.index.robots.txt", "User-agent: *\nDisallow: /\n");
    let new = "User-agent: *\nDisallow: /\nAllow: /shop/index.html\n";
    let run = robots_reading(
        new,
        ["diff", old.to_str().unwrap(), "-", "--dialect=google"],
    );
    assert!(run.stdout.contains("  now allowed  /shop/ "), "{run:?}");
}

#[test]
fn the_document_is_stable() {
    let run = diff(
        "json",
        &ROBOTS_TXT.replace("/named", "/"),
        &["--agent=NamedBot", "--json"],
    );
    assert_eq!(run.code, 1);
    let mut document: Value = serde_json::from_str(&run.stdout).unwrap();
    document.as_object_mut().unwrap().remove("old");
    assert_eq!(
        document,
        json!({
            "new": "-",
            "dialect": null,
            "changed": true,
            "urls": "of_rules",
            "complete": true,
            "records": { "old": [], "new": [] },
            "agents": [{
                "agent": "NamedBot",
                "dialect": "rfc9309",
                "changed": true,
                "agent_match": { "old": "named", "new": "named" },
                "rules": {
                    "old": [{ "access": "disallow", "pattern": "/named", "bytes": 6, "line": 6 }],
                    "new": [{ "access": "disallow", "pattern": "/", "bytes": 1, "line": 6 }],
                },
                "records": { "old": [], "new": [] },
                "verdicts": [{
                    "url": "/",
                    "old": {
                        "allowed": true,
                        "line": null,
                        "rule": null,
                        "overruled": null,
                        "reason": "no_rule_matches",
                        "explanation": "allowed: no rule matches in the named group on line 5",
                        "note": null,
                    },
                    "new": {
                        "allowed": false,
                        "line": 6,
                        "rule": { "access": "disallow", "pattern": "/", "bytes": 1 },
                        "overruled": null,
                        "reason": "rule",
                        "explanation": "disallowed by line 6: Disallow: / in the named group on line 5",
                        "note": null,
                    },
                }],
                "usage": [],
                "content_use": [],
            }],
        })
    );
    let places = [
        "\"old\"",
        "\"new\"",
        "\"dialect\"",
        "\"changed\"",
        "\"urls\"",
        "\"complete\"",
        "\"records\"",
        "\"agents\"",
    ]
    .map(|name| run.stdout.find(name).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn what_is_wrong_is_named() {
    let missing = robots(["diff", "/nowhere/old", "/nowhere/new"]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("cannot read `/nowhere/old`: "),
        "{missing:?}"
    );
    let twice = robots(["diff", "-", "-"]);
    assert_eq!(twice.code, 2);
    assert!(
        twice
            .stderr
            .contains("the old robots.txt and the new one cannot both be `-`"),
        "{twice:?}"
    );
    assert!(twice.stderr.contains("Usage: robots diff "), "{twice:?}");
    let agent = robots(["diff", "/dev/null", "/dev/null", "--agent", "Example/1"]);
    assert!(
        agent.stderr.contains("write `--agent Example`"),
        "{agent:?}"
    );
    let empty = robots(["diff", "/dev/null", "/dev/null", "--url="]);
    assert!(empty.stderr.contains("a URL is empty"), "{empty:?}");
}

#[test]
fn a_change_of_use_is_a_change() {
    let old = file(
        "use-old.txt",
        "User-agent: *\nContent-Signal: use=full\nDisallow: /a\n",
    );
    let new = file(
        "use-new.txt",
        "User-agent: *\nContent-Signal: use=reference\nDisallow: /a\n",
    );
    let none = file("use-none.txt", "User-agent: *\nDisallow: /a\n");
    let diff = |old: &std::path::Path, new: &std::path::Path, option: &str| {
        robots(["diff", option, old.to_str().unwrap(), new.to_str().unwrap()])
    };
    let text = diff(&old, &new, "--url=/");
    assert_eq!(text.code, 1, "{text:?}");
    assert!(
        text.stdout.contains("  use  /  reference  before: full\n"),
        "{text:?}"
    );
    let text = diff(&new, &none, "--dialect=google");
    assert_eq!(text.code, 1, "{text:?}");
    assert!(
        text.stdout
            .contains("  use  /  not stated  before: reference\n"),
        "{text:?}"
    );
    let json = diff(&old, &new, "--json");
    let document: Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!(
        document["agents"][0]["content_use"],
        json!([{ "url": "/", "old": ["full"], "new": ["reference"] }])
    );
    assert_eq!(diff(&old, &old, "--json").code, 0);
}
