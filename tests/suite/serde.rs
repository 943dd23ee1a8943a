//! Serialised values read back unchanged, and hostile serialised forms make no value that a file could not make.

use std::fmt::Debug;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use polite_robots::lint::{Diagnostic, DiagnosticCode, Severity};
use polite_robots::{
    Access, AgentMatch, Cause, Dialect, Options, ProductToken, Robot, RobotsTxt, Tier,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::canonical::files;
use super::entry_points::options;
use super::laws::{AGENTS, dialects, urls};

/// Writes the value as JSON and postcard, and reads it back in every way that they have.
fn round_trip<T: Serialize + DeserializeOwned + PartialEq + Debug>(
    value: &T,
) -> Result<(), TestCaseError> {
    let text = serde_json::to_string(value).unwrap();
    let binary = postcard::to_allocvec(value).unwrap();
    let tree = serde_json::to_value(value).unwrap();
    let ways: [(&str, T); 5] = [
        ("from_str", serde_json::from_str(&text).unwrap()),
        (
            "from_slice",
            serde_json::from_slice(text.as_bytes()).unwrap(),
        ),
        (
            "from_reader",
            serde_json::from_reader(text.as_bytes()).unwrap(),
        ),
        ("from_value", serde_json::from_value(tree).unwrap()),
        ("postcard", postcard::from_bytes(&binary).unwrap()),
    ];
    for (way, again) in ways {
        prop_assert_eq!(&again, value, "{}", way);
        prop_assert_eq!(format!("{again:?}"), format!("{value:?}"), "{}", way);
    }
    Ok(())
}

fn hash(value: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Checks the invariants of every robot of a file, which its serialised form must keep too.
fn check_invariants(robot: &Robot, url: &str) -> Result<(), TestCaseError> {
    let mut lines: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
    lines.sort_unstable();
    prop_assert!(lines.first() != Some(&0) && lines.windows(2).all(|pair| pair[0] < pair[1]));
    for rule in robot.rules() {
        let pattern = rule.pattern();
        prop_assert!(pattern.is_ascii() && pattern.len() == rule.length());
        prop_assert!(
            matches!(pattern.as_bytes(), [] | [b'/' | b'*', ..])
                && !pattern.contains(['\r', '\n', '#', '\0'])
        );
    }
    let is_none = robot.agent_match() == AgentMatch::None;
    prop_assert!(!is_none || lines.is_empty() && robot.crawl_delay().is_none());
    prop_assert!(
        robot
            .sitemaps()
            .all(|sitemap| !sitemap.is_empty() && !sitemap.contains(['\r', '\n']))
    );
    prop_assert_eq!(robot.check(url).is_allowed(), robot.allowed(url));
    round_trip(robot)
}

/// Replaces the value at `path`, where each step is taken modulo the number of children.
fn mutate(tree: &mut Value, path: &[usize], replacement: &Value) {
    let Some((step, path)) = path.split_first() else {
        *tree = replacement.clone();
        return;
    };
    let inner = match tree {
        Value::Array(list) if !list.is_empty() => {
            let at = step % list.len();
            list.get_mut(at)
        }
        Value::Object(fields) if !fields.is_empty() => {
            let at = step % fields.len();
            fields.values_mut().nth(at)
        }
        _ => None,
    };
    match inner {
        Some(inner) => mutate(inner, path, replacement),
        None => *tree = replacement.clone(),
    }
}

fn replacements() -> impl Strategy<Value = Value> {
    prop_oneof![
        select(
            &[
                "/",
                "/a b",
                "/é",
                "/%",
                "/%zz",
                "/%e9",
                "/%41",
                "/#",
                "/\0",
                "/\n",
                "/ ",
                "*",
                "a",
                "",
                "/$a",
                "/%24a",
                "/index.html",
                "allow",
                "disallow",
                "google",
                "rfc9309",
                "none",
                "named",
                "wildcard",
                "unreachable",
                "https://h/s\nDisallow: /",
            ][..]
        )
        .prop_map(Value::from),
        select(
            &[
                0_u64,
                1,
                2,
                3,
                404,
                65_536,
                4_294_967_295,
                4_294_967_296,
                u64::MAX
            ][..]
        )
        .prop_map(Value::from),
        Just(Value::Null),
        Just(json!([])),
        Just(json!({})),
        Just(json!({"access": "disallow", "line": 9, "pattern": "/x"})),
        Just(
            json!([{"access": "allow", "line": 3, "pattern": "/"}, {"access": "allow", "line": 2, "pattern": "/"}])
        ),
        Just(json!({"access": "disallow", "cause": {"status": 503}})),
        Just(json!({"secs": u64::MAX, "nanos": u32::MAX})),
        Just(json!(-1.5)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1024) })]

    #[test]
    fn a_document_reads_back(
        file in prop_oneof![files(), vec(any::<u8>(), 0..99)],
        max_bytes in proptest::option::of(0_usize..300),
        dialect in dialects(),
    ) {
        let mut options = options(dialect);
        options.max_bytes = max_bytes;
        let mut found: Vec<Diagnostic> = Vec::new();
        let document = RobotsTxt::parse_with(&file, &options, &mut found);
        round_trip(&document)?;
        round_trip(&found)?;
        round_trip(&options)?;
        let again: RobotsTxt = serde_json::from_value(serde_json::to_value(&document).unwrap()).unwrap();
        prop_assert_eq!(hash(&again), hash(&document));
        for agent in AGENTS {
            prop_assert_eq!(again.robot(agent).unwrap(), document.robot(agent).unwrap());
        }
    }

    #[test]
    fn a_robot_reads_back(file in files(), agent in select(AGENTS), urls in vec(urls(), 3), dialect in dialects()) {
        let robot = Robot::with_options(agent, &file, &options(dialect)).unwrap();
        for robot in [robot.clone(), robot.named_only()] {
            check_invariants(&robot, &urls[0])?;
            let again: Robot = postcard::from_bytes(&postcard::to_allocvec(&robot).unwrap()).unwrap();
            prop_assert_eq!(hash(&again), hash(&robot));
            prop_assert!(again.rules().eq(robot.rules()) && again.sitemaps().eq(robot.sitemaps()));
            for url in &urls {
                prop_assert_eq!(again.check(url), robot.check(url));
                prop_assert_eq!(again.allowed(url), robot.allowed(url));
            }
        }
    }

    #[test]
    fn hostile_trees_make_no_invalid_robot(
        file in files(),
        agent in select(AGENTS),
        dialect in dialects(),
        changes in vec((vec(0_usize..40, 1..5), replacements()), 1..4),
        url in urls(),
    ) {
        let document = RobotsTxt::parse_with(&file, &options(dialect), &mut ());
        let mut tree = serde_json::to_value(document.robot(agent).unwrap()).unwrap();
        changes.iter().for_each(|(path, replacement)| mutate(&mut tree, path, replacement));
        if let Ok(robot) = serde_json::from_value::<Robot>(tree) {
            check_invariants(&robot, &url)?;
        }
        let mut tree = serde_json::to_value(&document).unwrap();
        changes.iter().for_each(|(path, replacement)| mutate(&mut tree, path, replacement));
        if let Ok(document) = serde_json::from_value::<RobotsTxt>(tree) {
            round_trip(&document)?;
        }
    }

    #[test]
    fn hostile_bytes_make_no_invalid_robot(
        file in files(),
        agent in select(AGENTS),
        dialect in dialects(),
        changes in vec((any::<usize>(), any::<u8>()), 1..4),
        url in urls(),
    ) {
        let document = RobotsTxt::parse_with(&file, &options(dialect), &mut ());
        let changed = |mut bytes: Vec<u8>| {
            for (at, byte) in &changes {
                let at = at % bytes.len();
                bytes[at] = *byte;
            }
            bytes
        };
        let bytes = changed(postcard::to_allocvec(&document.robot(agent).unwrap()).unwrap());
        if let Ok(robot) = postcard::from_bytes::<Robot>(&bytes) {
            check_invariants(&robot, &url)?;
        }
        let bytes = changed(postcard::to_allocvec(&document).unwrap());
        if let Ok(document) = postcard::from_bytes::<RobotsTxt>(&bytes) {
            round_trip(&document)?;
        }
    }
}

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
    check(Severity::Note, "note");
    check(Severity::Warning, "warning");
    check(Severity::Error, "error");
    check(Tier::Prefix, "prefix");
    check(Tier::Span, "span");
    check(Tier::Regex, "regex");
    check(DiagnosticCode::ByteOrderMark, "byte-order-mark");
    check(DiagnosticCode::Truncated, "truncated");
    check(ProductToken::new("ExampleBot").unwrap(), "ExampleBot");
    check(Cause::NotFetched, "not_fetched");
    check(Cause::GaveUp, "gave_up");
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
    let document = RobotsTxt::parse_with(file, &Options::google(), &mut ());
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
    let mut found: Vec<Diagnostic> = Vec::new();
    let _ = RobotsTxt::parse_with(b"Disalow: /x", &Options::rfc9309(), &mut found);
    assert_eq!(
        serde_json::to_value(&found[0]).unwrap(),
        json!({
            "code": "misspelled-field",
            "severity": "warning",
            "line": 1,
            "span": {"start": 0, "end": 7},
            "message": "`Disalow` is read as `Disallow` by some crawlers only; write `Disallow`",
            "suggestion": "Disallow",
        })
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
    refused::<DiagnosticCode>(json!("no-such-code"), "unknown variant `no-such-code`");
    let diagnostic = json!({"code": "truncated", "severity": "error", "line": 1, "span": {"start": 2, "end": 2}, "message": "m", "suggestion": null});
    refused::<Diagnostic>(with(diagnostic.clone(), "/line", json!(0)), "has line 0");
    refused::<Diagnostic>(with(diagnostic.clone(), "/span/end", json!(1)), "2..1");
    let note = with(diagnostic, "/severity", json!("note"));
    refused::<Diagnostic>(note.clone(), "truncated of severity note");
    let prefixed = with(note, "/code", json!("prefixed-field"));
    let prefixed: Diagnostic = serde_json::from_value(prefixed).unwrap();
    assert_eq!(prefixed.severity().as_str(), "note");
}

#[test]
fn an_unknown_version_is_refused_before_the_rest_is_read() {
    let mut bytes = postcard::to_allocvec(&Robot::allow_all(Cause::Configured)).unwrap();
    bytes[0] = 9;
    bytes.truncate(1);
    // Postcard drops the message, but its kind of error shows that reading stopped at the version, not at the missing end.
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
