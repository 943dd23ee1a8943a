//! Examples of stored forms: which are readable, and which are refused with a reason.

use std::fmt::Debug;
use std::time::Duration;

use polite_robots::{
    Access, AgentMatch, Cause, Dialect, Options, ProductToken, Robot, RobotsTxt, Tier,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::suite::serde::round_trip;
use crate::suite::verdict::entry_points::options;

#[test]
fn enums_are_written_by_name() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: T, name: &str) {
        round_trip(&value).unwrap();
        assert_eq!(serde_json::to_value(&value).unwrap(), json!(name));
    }
    check(Dialect::Rfc9309, "rfc9309");
    check(Dialect::Google, "google");
    check(Access::Allow, "allow");
    check(Access::Disallow, "disallow");
    check(AgentMatch::None, "none");
    check(AgentMatch::Wildcard, "wildcard");
    check(AgentMatch::Named, "named");
    check(Tier::Prefix, "prefix");
    check(Tier::Span, "span");
    check(Tier::Regex, "regex");
    check(ProductToken::new("ExampleBot").unwrap(), "ExampleBot");
    check(Cause::NotFetched, "not_fetched");
    check(Cause::GaveUp, "gave_up");
    check(Cause::Encoded, "encoded");
    check(Cause::Full, "full");
    round_trip(&Cause::Status(404)).unwrap();
    assert_eq!(
        serde_json::to_value(Cause::Status(404)).unwrap(),
        json!({"status": 404})
    );
}

#[test]
fn answers_without_a_file_read_back() {
    for cause in [Cause::Status(404), Cause::Unreachable] {
        for document in [RobotsTxt::allow_all(cause), RobotsTxt::disallow_all(cause)] {
            round_trip(&document).unwrap();
            round_trip(&document.robot("ExampleBot").unwrap()).unwrap();
        }
    }
}

#[test]
fn serialised_forms_are_readable() {
    let file =
        b"User-agent: *\nDisallow: /a b\nAllow: /x/index.html\nCrawl-delay: 2.5\nSitemap: /s";
    let document = RobotsTxt::parse_with(file, &Options::google());
    assert_eq!(
        serde_json::to_value(&document).unwrap(),
        json!({
            "version": 1,
            "dialect": "google",
            "blanket": null,
            "truncated_at": null,
            "bytes": "User-agent: *\nDisallow: /a b\nAllow: /x/index.html\nCrawl-delay: 2.5\nSitemap: /s",
        })
    );
    let robot = document.robot("ExampleBot").unwrap();
    assert_eq!(
        serde_json::to_value(&robot).unwrap(),
        json!({
            "version": 1,
            "dialect": "google",
            "agent_match": "wildcard",
            "group_lines": [1],
            "blanket": null,
            "crawl_delay": {"secs": 2, "nanos": 500_000_000},
            "rules": [
                {"access": "disallow", "line": 2, "pattern": "/a b"},
                {"access": "allow", "line": 3, "pattern": "/x/index.html"},
            ],
            "sitemaps": ["/s"],
            "records": [],
        })
    );
    assert_eq!(
        serde_json::to_value(robot.check("/x/")).unwrap(),
        json!({
            "allowed": true,
            "agent_match": "wildcard",
            "group_line": 1,
            "reason": {"directory_of_index": {"access": "allow", "pattern": "/x/$", "line": 3, "length": 4, "tier": "prefix"}},
            "overruled": null,
            "explanation": "allowed by line 3, the directory of an index page: Allow: /x/$ in the wildcard group on line 1",
        })
    );
    assert_eq!(
        serde_json::to_value(Robot::disallow_all(Cause::Status(503)).check("/x").reason()).unwrap(),
        json!({"blanket": {"status": 503}})
    );
    assert_eq!(
        serde_json::to_value(RobotsTxt::parse(b"\xFF")).unwrap()["bytes"],
        json!([255])
    );
    let options: Options = serde_json::from_str(r#"{"max_bytes": 512000}"#).unwrap();
    assert_eq!(options, Options::rfc9309().with_max_bytes(512_000));
}

#[test]
fn invalid_forms_are_refused_with_a_reason() {
    fn refused<T: DeserializeOwned + Debug>(tree: Value, reason: &str) {
        let message = serde_json::from_value::<T>(tree).unwrap_err().to_string();
        assert!(
            message.contains(reason),
            "`{message}` does not contain `{reason}`"
        );
    }
    let document =
        || serde_json::to_value(RobotsTxt::parse(b"User-agent: *\nDisallow: /x")).unwrap();
    let robot = |dialect| {
        let file = b"User-agent: *\nDisallow: /x\nAllow: /y\nCrawl-delay: 1\nSitemap: /s\nVisit-time: 0100-0200";
        serde_json::to_value(Robot::with_options("a", file, &options(dialect)).unwrap()).unwrap()
    };
    let with = |mut tree: Value, path: &str, value: Value| {
        *tree.pointer_mut(path).unwrap() = value;
        tree
    };
    refused::<RobotsTxt>(
        with(document(), "/version", json!(2)),
        "version 2 of the serialized form is unknown; this release of polite-robots reads version 1",
    );
    refused::<RobotsTxt>(
        with(document(), "/truncated_at", json!(3)),
        "`truncated_at` is 3, but must be the number of bytes, 26",
    );
    refused::<RobotsTxt>(
        with(
            document(),
            "/blanket",
            json!({"access": "allow", "cause": "configured"}),
        ),
        "must have no bytes",
    );
    refused::<RobotsTxt>(with(document(), "/bytes", json!([256])), "256");
    refused::<RobotsTxt>(json!({"version": 1, "more": 1}), "unknown field `more`");
    let [rfc, google] = [Dialect::Rfc9309, Dialect::Google].map(robot);
    refused::<Robot>(with(rfc.clone(), "/version", json!(0)), "version 0");
    for pattern in [
        "", "x", "/é", "/a b", "/%41", "/%e9", "/%", "/a#b", "/a\0", "/a\n", "/ ", "/$a", "/{",
    ] {
        let tree = with(rfc.clone(), "/rules/0/pattern", json!(pattern));
        refused::<Robot>(tree, "of line 2 is not in the compared form");
    }
    for pattern in [
        "x", "/é", "/%e9", "/a#b", "/a\0", "/a\n", "/a\rb", "/a ", " /a",
    ] {
        let tree = with(google.clone(), "/rules/0/pattern", json!(pattern));
        refused::<Robot>(tree, "of line 2 is not in the compared form");
    }
    refused::<Robot>(
        with(rfc.clone(), "/rules/0/line", json!(0)),
        "no rule may stand above the first",
    );
    refused::<Robot>(
        with(rfc.clone(), "/group_lines", json!([])),
        "`group_lines` must have a line if and only if `agent_match` is not `none`",
    );
    refused::<Robot>(
        with(rfc.clone(), "/group_lines", json!([1, 1])),
        "line 1 comes after line 1; lines count from 1",
    );
    refused::<Robot>(
        with(rfc.clone(), "/rules/0/line", json!(u32::MAX)),
        "line 4294967295 is below the end of every file that is read",
    );
    refused::<Robot>(
        with(rfc.clone(), "/rules/1/line", json!(2)),
        "line 2 comes after line 2",
    );
    // Line 1 begins the group, and line 6 is a record.
    for line in [1, 6] {
        let mut tree = with(rfc.clone(), "/rules/1/line", json!(line));
        if line == 1 {
            tree = with(tree, "/rules", rfc["rules"].as_array().unwrap()[..1].into());
            tree = with(tree, "/rules/0/line", json!(1));
        }
        refused::<Robot>(tree, &format!("line {line} has two records"));
    }
    // Moved down, the group has rules and records below its new first line, and one record above.
    let mut above = with(rfc.clone(), "/group_lines", json!([5]));
    above = with(above, "/rules/0/line", json!(6));
    above = with(above, "/rules/1/line", json!(7));
    above = with(above, "/records/0/line", json!(4));
    refused::<Robot>(above, "cannot have a record of `Visit-time` on line 4");
    for (field, scope, line) in [
        ("Crawl-delay", "group", 6),
        ("Sitemap", "file", 6),
        ("Visit-time", "file", 6),
        ("License", "file", 6),
    ] {
        let tree = with(rfc.clone(), "/records/0/field", json!(field));
        let tree = with(tree, "/records/0/scope", json!(scope));
        let reason = format!("cannot have a record of `{field}` on line {line}");
        refused::<Robot>(tree, &reason);
    }
    refused::<Robot>(
        with(rfc.clone(), "/rules/0/access", json!("deny")),
        "unknown variant `deny`, expected `allow` or `disallow`",
    );
    // A robot without a group, to which each round adds one part that only a group can have.
    let empty = serde_json::to_value(Robot::new("a", b"").unwrap()).unwrap();
    serde_json::from_value::<Robot>(empty.clone()).unwrap();
    for part in ["/rules", "/crawl_delay", "/records"] {
        let tree = with(empty.clone(), part, rfc.pointer(part).unwrap().clone());
        refused::<Robot>(tree, "must have no rules, no delay, and no records");
    }
    refused::<Robot>(
        with(
            rfc.clone(),
            "/blanket",
            json!({"access": "allow", "cause": {"status": 404}}),
        ),
        "must have no rules, no delay, no sitemaps",
    );
    let blanket = serde_json::to_value(Robot::allow_all(Cause::Status(404))).unwrap();
    serde_json::from_value::<Robot>(blanket.clone()).unwrap();
    for part in [
        "/rules",
        "/crawl_delay",
        "/sitemaps",
        "/records",
        "/agent_match",
        "/group_lines",
        "/dialect",
    ] {
        let tree = with(blanket.clone(), part, google.pointer(part).unwrap().clone());
        refused::<Robot>(tree, "must have no rules, no delay, no sitemaps");
    }
    for sitemap in ["", "/s\nDisallow: /", "/s\r", " /s", "/s#", "/s\0"] {
        let tree = with(rfc.clone(), "/sitemaps/0", json!(sitemap));
        refused::<Robot>(tree, "cannot be the value of a line");
    }
    for record in ["0100-0200\nDisallow: /", "0\r", " 0", "0#", "0\0"] {
        let tree = with(rfc.clone(), "/records/0/value", json!(record));
        refused::<Robot>(tree, "cannot be the value of a line");
    }
    refused::<Robot>(
        with(
            rfc,
            "/crawl_delay",
            json!({"secs": u64::MAX, "nanos": u32::MAX}),
        ),
        "overflow",
    );
    refused::<ProductToken>(json!("ExampleBot/2.1"), "`ExampleBot` was probably meant");
}

#[test]
fn an_unknown_version_is_refused_before_the_rest_is_read() {
    let mut bytes = postcard::to_allocvec(&Robot::allow_all(Cause::Configured)).unwrap();
    bytes[0] = 9;
    bytes.truncate(1);
    // Postcard drops the message, but its kind of error shows that reading stopped at the version,
    // not at the missing end.
    let error = postcard::from_bytes::<Robot>(&bytes).unwrap_err();
    assert_eq!(error, postcard::Error::SerdeDeCustom);
}

#[test]
fn the_largest_delay_reads_back() {
    let robot = Robot::new(
        "a",
        b"User-agent: a\nCrawl-delay: 99999999999999999999.9999999999",
    )
    .unwrap();
    assert_eq!(
        robot.crawl_delay(),
        Some(Duration::new(u64::MAX, 999_999_999))
    );
    round_trip(&robot).unwrap();
}
