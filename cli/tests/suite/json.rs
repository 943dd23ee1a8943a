//! The document of `--json`.

use serde_json::{Value, json};

use crate::suite::robots::{ROBOTS_TXT, file, robots, robots_reading};

#[test]
fn the_document_is_stable_to_the_byte() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent",
            "ExampleBot",
            "--json",
            "/private/open",
            "/x",
        ],
    );
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        r#"{
  "file": "-",
  "agent": "ExampleBot",
  "dialect": "rfc9309",
  "agent_match": "wildcard",
  "all_allowed": true,
  "results": [
    {
      "url": "/private/open",
      "allowed": true,
      "line": 3,
      "rule": {
        "access": "allow",
        "pattern": "/private/open",
        "bytes": 13
      },
      "overruled": {
        "access": "disallow",
        "pattern": "/private/",
        "bytes": 9,
        "line": 2
      },
      "reason": "rule",
      "explanation": "allowed by line 3: Allow: /private/open in the wildcard group on line 1, over line 2: Disallow: /private/",
      "dialect": "rfc9309",
      "note": null
    },
    {
      "url": "/x",
      "allowed": true,
      "line": null,
      "rule": null,
      "overruled": null,
      "reason": "no_rule_matches",
      "explanation": "allowed: no rule matches in the wildcard group on line 1",
      "dialect": "rfc9309",
      "note": null
    }
  ],
  "notes": []
}
"#
    );
}

#[test]
fn every_reason_has_its_name() {
    assert_eq!(reason(ROBOTS_TXT, "rfc9309", "/private/"), "rule");
    assert_eq!(reason(ROBOTS_TXT, "rfc9309", "/x"), "no_rule_matches");
    assert_eq!(
        reason(ROBOTS_TXT, "rfc9309", "/robots.txt"),
        "robots_txt_itself"
    );
    assert_eq!(reason("", "rfc9309", "/x"), "no_group");
    let index = "User-agent: *\nAllow: /index.html";
    assert_eq!(reason(index, "google", "/"), "directory_of_index");
}

fn reason(robots_txt: &str, dialect: &str, url: &str) -> Value {
    let arguments = ["check", "-", "--agent", "ExampleBot", "--json", url];
    let run = robots_reading(
        robots_txt,
        arguments.into_iter().chain(["--dialect", dialect]),
    );
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    document["results"][0]["reason"].clone()
}

#[test]
fn the_head_says_what_was_asked() {
    let path = file("head.robots.txt", ROBOTS_TXT);
    let path = path.to_str().unwrap();
    let run = robots([
        "check",
        path,
        "--agent=NamedBot",
        "--dialect=google",
        "--json",
        "/named",
    ]);
    assert_eq!(run.code, 1);
    let mut document: Value = serde_json::from_str(&run.stdout).unwrap();
    document.as_object_mut().unwrap().remove("results");
    assert_eq!(
        document,
        json!({
            "file": path,
            "agent": "NamedBot",
            "dialect": "google",
            "agent_match": "named",
            "all_allowed": false,
            "notes": [],
        })
    );
}
