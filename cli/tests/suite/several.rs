//! `robots check` for several agents.

use serde_json::{Value, json};

use crate::suite::robots::{ROBOTS_TXT, robots_reading};

#[test]
fn agents_and_urls_make_a_table_with_the_lines_below() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--agent=NamedBot",
            "/private/",
            "/private/open",
            "/named",
        ],
    );
    assert_eq!(run.code, 1);
    assert_eq!(
        run.stdout,
        "               ExampleBot      NamedBot
/private/      disallowed (2)  allowed
/private/open  allowed (3)     allowed
/named         allowed         disallowed (6)

line 2: Disallow: /private/
line 3: Allow: /private/open
line 6: Disallow: /named
"
    );
    assert_eq!(run.stderr, "");
}

#[test]
fn more_agents_than_urls_go_down() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=A",
            "--agent=NamedBot",
            "--agent=*",
            "/x",
        ],
    );
    assert_eq!(run.code, 0);
    assert_eq!(
        run.stdout,
        "          /x\nA         allowed\nNamedBot  allowed\n*         allowed\n"
    );
}

#[test]
fn the_document_of_several_agents_is_stable() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--agent=NamedBot",
            "--json",
            "/named",
        ],
    );
    assert_eq!(run.code, 1);
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(
        document,
        json!({
            "file": "-",
            "dialect": null,
            "all_allowed": false,
            "agents": [
                {
                    "agent": "ExampleBot",
                    "dialect": "rfc9309",
                    "agent_match": "wildcard",
                    "all_allowed": true,
                    "results": [{
                        "url": "/named",
                        "allowed": true,
                        "line": null,
                        "rule": null,
                        "overruled": null,
                        "reason": "no_rule_matches",
                        "explanation": "allowed: no rule matches in the wildcard group on line 1",
                        "dialect": "rfc9309",
                        "note": null,
                    }],
                    "notes": [],
                },
                {
                    "agent": "NamedBot",
                    "dialect": "rfc9309",
                    "agent_match": "named",
                    "all_allowed": false,
                    "results": [{
                        "url": "/named",
                        "allowed": false,
                        "line": 6,
                        "rule": { "access": "disallow", "pattern": "/named", "bytes": 6 },
                        "overruled": null,
                        "reason": "rule",
                        "explanation":
                            "disallowed by line 6: Disallow: /named in the named group on line 5",
                        "dialect": "rfc9309",
                        "note": null,
                    }],
                    "notes": [],
                },
            ],
        })
    );
    // serde_json sorts what it reads; the order is part of the contract too.
    let places = [
        "\"file\"",
        "\"dialect\"",
        "\"all_allowed\"",
        "\"agents\"",
        "\"agent\"",
        "\"agent_match\"",
        "\"results\"",
    ]
    .map(|name| run.stdout.find(name).unwrap());
    assert!(places.is_sorted(), "{places:?}");
}

#[test]
fn one_bad_agent_of_several_is_named() {
    let run = robots_reading(
        ROBOTS_TXT,
        [
            "check",
            "-",
            "--agent=ExampleBot",
            "--agent=Example Bot/2",
            "/x",
        ],
    );
    assert_eq!(run.code, 2);
    assert!(
        run.stderr
            .contains("`Example Bot/2` is not a product token"),
        "{run:?}"
    );
}
