//! Examples of stored forms: which are readable, and which are refused with a reason.

use std::collections::BTreeSet;
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

/// A reason has the same name in a log and in a stored form.
#[test]
fn the_names_of_reasons_are_those_of_serde() {
    let file = b"User-agent: *\nDisallow: /a\nAllow: /x/index.html";
    let google = Robot::with_options("ExampleBot", file, &Options::google()).unwrap();
    let robot = Robot::new("ExampleBot", file).unwrap();
    let other = Robot::new("ExampleBot", b"User-agent: OtherBot\nDisallow: /").unwrap();
    let blanket = Robot::disallow_all(Cause::Status(503));
    let mut names = BTreeSet::new();
    for (robot, url) in [
        (&robot, "/a"),
        (&robot, "/b"),
        (&robot, "/robots.txt"),
        (&other, "/a"),
        (&google, "/x/"),
        (&blanket, "/a"),
    ] {
        let reason = robot.check(url).reason();
        let name = match serde_json::to_value(reason).unwrap() {
            Value::Object(fields) => fields.keys().next().unwrap().clone(),
            name => name.as_str().unwrap().to_owned(),
        };
        assert_eq!(name, reason.as_str());
        names.insert(reason.as_str());
    }
    assert_eq!(names.len(), 6);
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
            "blanket": null,
            "records": [
                {"line": 1, "field": "User-agent", "value": "*"},
                {"line": 2, "field": "Disallow", "value": "/a b"},
                {"line": 3, "field": "Allow", "value": "/x/index.html"},
                {"line": null, "field": "Crawl-delay", "value": "2.500000000"},
                {"line": null, "field": "Sitemap", "value": "/s"},
            ],
            "policy": [],
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
    let robot = robot(Dialect::Rfc9309);
    let order = [
        "User-agent",
        "Disallow",
        "Allow",
        "Visit-time",
        "Crawl-delay",
        "Sitemap",
    ];
    for (at, field) in order.iter().enumerate() {
        assert_eq!(robot["records"][at]["field"], json!(field));
    }
    refused::<Robot>(with(robot.clone(), "/version", json!(0)), "version 0");
    for line in [0, 1] {
        refused::<Robot>(
            with(robot.clone(), "/records/1/line", json!(line)),
            &format!("line {line} of a record of `Disallow` after line 1; lines count from 1"),
        );
    }
    refused::<Robot>(
        with(robot.clone(), "/records/3/line", json!(u32::MAX)),
        "line 4294967295 of a record of `Visit-time` after line 3; lines count from 1, ascend, and end",
    );
    refused::<Robot>(
        with(robot.clone(), "/records/2/line", Value::Null),
        "line 0 of a record of `Allow` after line 2",
    );
    refused::<Robot>(
        with(robot.clone(), "/records/1/field", json!("Deny")),
        "unknown variant `Deny`, expected one of `User-agent`, `Allow`, `Disallow`",
    );
    for end in ["\n", "\r"] {
        let value = json!(format!("/s{end}Disallow: /"));
        refused::<Robot>(
            with(robot.clone(), "/records/5/value", value),
            "of a record of `Sitemap` has a line end",
        );
    }
    refused::<Robot>(
        with(
            robot,
            "/blanket",
            json!({"access": "allow", "cause": {"status": 404}}),
        ),
        "must have no records",
    );
    let blanket = serde_json::to_value(Robot::allow_all(Cause::Status(404))).unwrap();
    serde_json::from_value::<Robot>(blanket.clone()).unwrap();
    refused::<Robot>(
        with(blanket, "/dialect", json!("google")),
        "must have no records, and the dialect `rfc9309`",
    );
    refused::<ProductToken>(json!("ExampleBot/2.1"), "`ExampleBot` was probably meant");
}

/// A form that nobody wrote is read like a file with its records.
#[test]
fn changed_values_are_read_as_those_of_a_file() {
    for dialect in [Dialect::Rfc9309, Dialect::Google] {
        for (written, in_file) in [
            ("/é", "/é"),
            ("/%41", "/%41"),
            (" /a # why", "/a"),
            ("/a\0b", "/a"),
            ("x", "x"),
            ("", ""),
        ] {
            let robot = |value: &str| {
                let file = format!("User-agent: *\nDisallow: {value}\nSitemap: /s");
                Robot::with_options("a", file.as_bytes(), &options(dialect)).unwrap()
            };
            let mut tree = serde_json::to_value(robot("/y")).unwrap();
            tree["records"][1]["value"] = json!(written);
            let read: Robot = serde_json::from_value(tree).unwrap();
            assert_eq!(read, robot(in_file), "{written}");
        }
    }
}

/// A group that names the agent and a use has its rules in both lists.
#[test]
fn rules_about_a_use_are_a_list_of_their_own() {
    let file = b"User-agent: a\nUser-agent: __Usage_AI-Training\nDisallow: /x\nUser-agent: __usage_ai-training\nAllow: /y";
    let robot = Robot::new("a", file).unwrap();
    round_trip(&robot).unwrap();
    let tree = serde_json::to_value(&robot).unwrap();
    assert_eq!(
        tree["policy"],
        json!([
            {"line": 2, "field": "User-agent", "value": "__usage_ai-training"},
            {"line": 3, "field": "Disallow", "value": "/x"},
            {"line": 4, "field": "User-agent", "value": "__usage_ai-training"},
            {"line": 5, "field": "Allow", "value": "/y"},
        ])
    );
    for (path, value, reason) in [
        (
            "/policy/1/line",
            json!(2),
            "line 2 of a record of `Disallow` after line 2",
        ),
        ("/policy/1/value", json!("/\n"), "has a line end"),
        ("/policy", Value::Null, "expected a sequence"),
        (
            "/policy",
            json!([{"line": 1, "field": "Disallow", "value": "/"}]),
            "names a known policy token",
        ),
        (
            "/policy",
            json!([{"line": 1, "field": "User-agent", "value": "__usage_x"}]),
            "names a known policy token",
        ),
    ] {
        let mut tree = tree.clone();
        *tree.pointer_mut(path).unwrap() = value;
        let error = serde_json::from_value::<Robot>(tree).unwrap_err();
        assert!(error.to_string().contains(reason), "{error}");
    }
}

/// The rule that ends the first group is not kept, since it matches nothing.
#[test]
fn groups_without_rules_stay_apart() {
    let file = b"User-agent: a\nDisallow:\nRequest-rate: 1/5\nUser-agent: a\nDisallow: /";
    let robot = Robot::new("a", file).unwrap();
    assert_eq!(robot.group_lines().collect::<Vec<u32>>(), [1, 4]);
    round_trip(&robot).unwrap();
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
