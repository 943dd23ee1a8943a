//! The accessors of extension records and of what an agent may use.

use std::time::Duration;

use polite_robots::record::{ExtensionField, ExtensionLevel, PolicyToken};
use polite_robots::{Robot, RobotsTxt};
use polite_robots_build::{GroupBuilder, RobotsTxtBuilder};
use polite_robots_records::{
    ContentSignal, ContentUsage, DayWindow, ExtensionValue, Host, Preference, RequestRate, Usage,
    UsageCategory, UsageRecord, UsageSource, Usages,
};

#[test]
fn records_have_their_parts() {
    let robots_txt = RobotsTxt::parse(
        b"User-agent: *\nHost: https://www.example.com:8443\nClean-param: a&b /p*\nClean-param: c\n\
          Request-rate: 4/10m 1800-1900\nVisit-time: 2300-0459\nContent-Signal: search=yes, ai-train=no\n\
          Content-Usage: train-ai=n, search=y\n",
    );
    let host = Host::of(&robots_txt).unwrap();
    assert_eq!(host.scheme(), Some("https"));
    assert_eq!(host.name(), "www.example.com");
    assert_eq!(host.port(), Some(8443));

    let typed: Vec<ExtensionValue<'_>> = robots_txt
        .extensions()
        .map(|record| ExtensionValue::of(&record))
        .collect();
    let written: Vec<String> = typed
        .iter()
        .filter_map(|record| match record {
            ExtensionValue::CleanParam(record) => Some(record.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(written, ["a&b /p*", "c"]);
    let signal: ContentSignal<'_> = typed
        .iter()
        .find_map(|record| match record {
            ExtensionValue::ContentSignal(signal) => Some(*signal),
            _ => None,
        })
        .unwrap();
    let preferences = every_category(|category| signal.preference(category));
    assert_eq!(
        preferences,
        [
            Preference::Allowed,
            Preference::Unstated,
            Preference::Disallowed
        ]
    );

    let usage = typed.iter().find_map(|record| match record {
        ExtensionValue::ContentUsage(usage) => {
            Some(every_category(|category| usage.preference(category)))
        }
        _ => None,
    });
    assert_eq!(usage.unwrap(), preferences);

    let robot = robots_txt.robot("ExampleBot").unwrap();
    let rate = RequestRate::of(&robot).next().unwrap();
    assert_eq!(rate.documents(), 4);
    assert_eq!(rate.window().unwrap().last_minute(), 19 * 60);
    assert_eq!(
        DayWindow::visit_times(&robot).next().unwrap().last_minute(),
        4 * 60 + 59
    );

    let usage = Usage::of(&robot, "/");
    let record = usage.record(UsageCategory::AiTraining).unwrap();
    assert_eq!(record.field(), "Content-Signal");
    assert_eq!(record.value(), b"search=yes, ai-train=no");
    assert_eq!(
        record.to_string(),
        "Content-Signal: search=yes, ai-train=no"
    );
}

#[test]
fn a_license_for_everyone_stands_above_all_groups() {
    let written = RobotsTxtBuilder::new()
        .group(GroupBuilder::new("*").unwrap().disallow("/a").unwrap())
        .license("https://example.com/license.xml")
        .unwrap()
        .build();
    assert!(
        written.starts_with("License: https://example.com/license.xml\n"),
        "{written}"
    );
    assert!(RobotsTxtBuilder::new().license("/license.xml").is_err());
}

#[test]
fn the_slowest_rate_has_the_longest_interval() {
    let robot = Robot::new(
        "*",
        b"User-agent: *\nRequest-rate: 5/40\nRequest-rate: 1/10\nRequest-rate: 9/50",
    )
    .unwrap();
    let slowest = RequestRate::of(&robot).max_by_key(|rate| rate.interval());
    assert_eq!(slowest.unwrap().to_string(), "1/10s");
}

#[test]
fn usage_is_asked_by_category_and_reported_in_words() {
    let robot = Robot::new(
        "ExampleBot",
        b"User-agent: *\nContent-Signal: search=yes, ai-train=no\n",
    )
    .unwrap();
    let usage = Usage::of(&robot, "/");
    let answers = [usage.search(), usage.ai_input(), usage.ai_training()];
    assert_eq!(
        answers.map(|preference| preference.to_string()),
        ["allowed", "not stated", "disallowed"]
    );
    assert_eq!(
        every_category(|category| category.to_string()),
        ["search", "AI input", "AI training"]
    );
    assert_eq!(
        usage.to_string(),
        "search: allowed by line 2; AI input: not stated; AI training: disallowed by line 2"
    );
    let usage = Robot::new(
        "ExampleBot",
        b"User-agent: *\nContent-Signal: ai-input=no\n",
    )
    .unwrap();
    assert_eq!(Usage::of(&usage, "/").ai_input().to_string(), "disallowed");
}

#[test]
fn a_rule_about_a_use_is_combined_with_a_header() {
    let value = b"train-ai=n";
    let stated = ContentUsage::new(value).unwrap();
    let header = UsageRecord::of_header(ExtensionField::ContentUsage, value, 1);
    let page = Usage::of_record(header, |category| stated.preference(category));
    let file = b"User-agent: __usage_ai-training\nDisallow: /a\nAllow: /a/b";
    let robot = Robot::new("ExampleBot", file).unwrap();
    for (url, of_file, expected) in [
        ("/a", "disallowed by line 2", "disallowed by line 2"),
        (
            "/a/b",
            "allowed by line 3",
            "disallowed by the header Content-Usage",
        ),
        ("/c", "not stated", "disallowed by the header Content-Usage"),
    ] {
        let usage = Usage::of(&robot, url);
        for (usage, expected) in [
            (usage, of_file),
            (Usages::of(&robot).about(url), of_file),
            (Usage::combined([usage, page]), expected),
            (Usage::combined([page, usage]), expected),
        ] {
            let expected =
                format!("search: not stated; AI input: not stated; AI training: {expected}");
            assert_eq!(usage.to_string(), expected);
        }
    }
    let record = Usage::of(&robot, "/a/b")
        .record(UsageCategory::AiTraining)
        .unwrap();
    assert_eq!(
        record.source(),
        UsageSource::Policy(PolicyToken::AiTraining)
    );
    assert_eq!(
        (record.field(), record.value(), record.line()),
        ("Allow", &b"/a/b"[..], 3)
    );
    assert_eq!(record.to_string(), "Allow: /a/b");
}

#[test]
fn extension_fields_have_their_level() {
    let file = b"User-agent: a\nHost: h\nClean-param: p\nSitemap: /s\nComment: c\nContent-Signal: search=yes\nContent-Usage: x\n\
        Crawl-delay: 1\nLicense: l\nNoindex: /n\nRequest-rate: 1/5\nRobot-version: 2\nVisit-time: 0100-0200\nUnknown: u\n";
    let robots_txt = RobotsTxt::parse(file);
    let fields: Vec<_> = robots_txt
        .extensions()
        .map(|record| record.field())
        .collect();
    assert_eq!(fields.len(), 12);
    for record in robots_txt.extensions() {
        let is_of_file = matches!(
            record.field(),
            ExtensionField::Host | ExtensionField::CleanParam | ExtensionField::Sitemap
        );
        let expected = if is_of_file {
            ExtensionLevel::File
        } else {
            ExtensionLevel::Group
        };
        assert_eq!(record.field().level(), expected, "{record}");
        // A record of group level, and no other, ends the run of agents to which a delay applies.
        let text = format!("User-agent: a\n{record}\nUser-agent: b\nCrawl-delay: 7\n");
        let inherited =
            Robot::new("a", text.as_bytes()).unwrap().crawl_delay() == Some(Duration::from_secs(7));
        assert_eq!(inherited, is_of_file, "{record}");
    }
}

fn every_category<T>(of: impl FnMut(UsageCategory) -> T) -> Vec<T> {
    UsageCategory::ALL.iter().copied().map(of).collect()
}

#[test]
fn machine_readable_names_are_stable() {
    assert_eq!(
        [
            Preference::Unstated,
            Preference::Allowed,
            Preference::Disallowed
        ]
        .map(Preference::as_str),
        ["unstated", "allowed", "disallowed"]
    );
    assert_eq!(
        UsageCategory::ALL
            .iter()
            .copied()
            .map(UsageCategory::as_str)
            .collect::<Vec<_>>(),
        ["search", "ai-input", "ai-training"]
    );
}
