//! Examples of values that the builders refuse or accept, and of the written files. The module
//! `laws` covers all other input.

use std::time::Duration;

use polite_robots::Robot;
use polite_robots::record::ExtensionField;
use polite_robots_build::{GroupBuilder, InvalidRecord, PathPattern, RobotsTxtBuilder};
use polite_robots_records::RequestRate;

#[test]
fn a_refusal_has_its_field_and_its_value() {
    let refused = RobotsTxtBuilder::new().sitemap("a sitemap").unwrap_err();
    assert_eq!((refused.field(), refused.value()), ("Sitemap", "a sitemap"));
}

#[test]
fn refusals_name_field_value_and_fix() {
    let group = || GroupBuilder::new("ExampleBot").unwrap();
    let file = RobotsTxtBuilder::new;
    let long = format!("/{}", "a".repeat(16_653));
    let cases: Vec<(InvalidRecord, &[&str])> = vec![
        (
            GroupBuilder::new("Mozilla/5.0 (compatible; ExampleBot/2.1)").unwrap_err(),
            &["`User-agent`: ", "`ExampleBot` was probably meant"],
        ),
        (GroupBuilder::new("").unwrap_err(), &["`*`"]),
        (
            group().user_agent("a b").unwrap_err(),
            &["`User-agent` in the group of `ExampleBot`", "`a b`"],
        ),
        (
            group().allow("").unwrap_err(),
            &[
                "`Allow` in the group of `ExampleBot`",
                "leave the record out",
            ],
        ),
        (
            group().disallow("a").unwrap_err(),
            &["`Disallow`", "`a`", "begin it with `/`"],
        ),
        (
            group().disallow(PathPattern::prefix("*")).unwrap_err(),
            &["`*` does not begin with `/`"],
        ),
        (
            group().disallow("/a\nAllow: /").unwrap_err(),
            &["`/a\\nAllow: /`", "\\u{a}", "percent-encode"],
        ),
        (
            group().disallow("/a ").unwrap_err(),
            &["`/a `", "blank", "%20"],
        ),
        (
            group().disallow(&long).unwrap_err(),
            &["16664 bytes", "16663", "…"],
        ),
        (
            group().comment("a\rUser-agent: *").unwrap_err(),
            &["`#` in the group", "\\u{d}"],
        ),
        (
            group().request_rate(0, Duration::from_secs(1)).unwrap_err(),
            &["`Request-rate`", "disallow `/`"],
        ),
        (
            group()
                .request_rate(1, Duration::from_millis(1500))
                .unwrap_err(),
            &["`1.5s`", "round it up"],
        ),
        (
            group().visit_time((24, 0), (1, 0)).unwrap_err(),
            &["`Visit-time`", "`24:00`", "below 24"],
        ),
        (
            group().content_signal(None, &[]).unwrap_err(),
            &["`Content-Signal`", "empty"],
        ),
        (
            group()
                .content_signal(None, &[("search", "yes, ai-train=yes")])
                .unwrap_err(),
            &["`,`", "letters"],
        ),
        (
            group()
                .content_usage(Some("*x"), &[("bots", "y")])
                .unwrap_err(),
            &["`Content-Usage`", "`*x` does not begin with `/`"],
        ),
        (
            group().content_usage(None, &[("Bots", "y")]).unwrap_err(),
            &["`Bots`", "lower case"],
        ),
        (
            group().content_usage(None, &[("1", "y")]).unwrap_err(),
            &["`1`", "begin with a letter"],
        ),
        (
            group().license("/license.xml").unwrap_err(),
            &["`License` in the group", "`/license.xml`", "http://"],
        ),
        (
            group()
                .extension(ExtensionField::Sitemap, "https://h/s")
                .unwrap_err(),
            &["everyone", "`RobotsTxtBuilder`"],
        ),
        (
            file()
                .extension(ExtensionField::CrawlDelay, "1")
                .unwrap_err(),
            &["`Crawl-delay`", "`GroupBuilder`"],
        ),
        (
            file().sitemap("https://h/s#top").unwrap_err(),
            &["`Sitemap`", "`https://h/s#top`", "`#`", "remove it"],
        ),
        (
            file().sitemap("map.xml").unwrap_err(),
            &[
                "`map.xml` is not a valid http or https URL",
                "does not begin with `http://`",
            ],
        ),
        (
            file().host("https://h/x").unwrap_err(),
            &["`Host`", "`https://h/x`", "remove the rest"],
        ),
        (file().host("exämple.org").unwrap_err(), &["punycode"]),
        (
            file().clean_param(&[], None).unwrap_err(),
            &["`Clean-param`", "empty"],
        ),
        (
            file().clean_param(&["a", "b c"], None).unwrap_err(),
            &["`b c`", "percent-encode"],
        ),
        (
            file().clean_param(&["a"], Some("/x?y")).unwrap_err(),
            &["`/x?y`", "`?`"],
        ),
        (
            file().comment("a\u{2028}b").unwrap_err(),
            &["`#`", "\\u{2028}"],
        ),
    ];
    for (error, parts) in cases {
        let message = error.to_string();
        for part in parts {
            assert!(message.contains(part), "{message}: {part} is missing");
        }
        assert!(!message.contains('\n'), "{message}");
    }
}

#[test]
fn issue_a_group_without_rules_does_not_join_the_next() {
    let group = |agent| GroupBuilder::new(agent).unwrap();
    let file = RobotsTxtBuilder::new()
        .group(group("a"))
        .group(group("b").disallow("/").unwrap())
        .build();
    assert!(Robot::new("a", file.as_bytes()).unwrap().allowed("/x"));
    assert!(!Robot::new("b", file.as_bytes()).unwrap().allowed("/x"));
}

#[test]
fn blank_lines_separate_head_groups_and_tail() {
    let file = |comment: bool, group: bool, sitemap: bool| {
        let mut file = RobotsTxtBuilder::new();
        if comment {
            file = file.comment("Ours.").unwrap();
        }
        if group {
            let group = GroupBuilder::new("*").unwrap().disallow("/a").unwrap();
            file = file.group(group);
        }
        if sitemap {
            file = file.sitemap("https://example.com/s").unwrap();
        }
        file.build()
    };
    let (head, group) = ("# Ours.\n", "User-agent: *\nDisallow: /a\n");
    let tail = "Sitemap: https://example.com/s\n";
    assert_eq!(file(false, false, false), "");
    assert_eq!(file(true, false, false), head);
    assert_eq!(file(false, true, false), group);
    assert_eq!(file(false, false, true), tail);
    assert_eq!(file(true, true, false), format!("{head}\n{group}"));
    assert_eq!(file(false, true, true), format!("{group}\n{tail}"));
    assert_eq!(file(true, false, true), format!("{head}\n{tail}"));
    assert_eq!(file(true, true, true), format!("{head}\n{group}\n{tail}"));
}

#[test]
fn a_rate_in_whole_seconds_is_written() {
    let minute = Duration::from_secs(60);
    let group = GroupBuilder::new("*").unwrap();
    let group = group.request_rate(5, minute).unwrap();
    let file = RobotsTxtBuilder::new().group(group).build();
    assert_eq!(file, "User-agent: *\nRequest-rate: 5/60\nDisallow:\n");
    let robot = Robot::new("ExampleBot", file.as_bytes()).unwrap();
    let rate = RequestRate::of(&robot).next().unwrap();
    assert_eq!((rate.documents(), rate.per()), (5, minute));
}

/// Calls every method with a valid value; the laws cannot notice a valid value that is refused.
#[test]
fn builder_methods_write_their_records_in_order() {
    let seconds = Duration::from_secs;
    let group = GroupBuilder::new("ExampleBot")
        .and_then(|group| group.user_agent("PlumBot"))
        .and_then(|group| group.comment("Theirs."))
        .and_then(|group| group.disallow("/a"))
        .and_then(|group| group.allow(PathPattern::exact("/a/b")))
        .map(|group| group.crawl_delay(Duration::from_millis(1_500)))
        .and_then(|group| group.request_rate(5, seconds(60)))
        .and_then(|group| group.visit_time((0, 0), (23, 59)))
        .and_then(|group| group.content_signal(Some("/a"), &[("search", "yes"), ("AI", "no")]))
        .and_then(|group| group.content_usage(None, &[("train-ai", "n")]))
        .and_then(|group| group.license("https://example.com/theirs"))
        .and_then(|group| group.extension(ExtensionField::Noindex, "/c"))
        .unwrap();
    let file = RobotsTxtBuilder::new()
        .comment("Ours.\n\nAll of it.")
        .and_then(|file| file.license("https://example.com/all"))
        .and_then(|file| file.content_signal(None, &[("ai-train", "no")]))
        .and_then(|file| file.extension(ExtensionField::ContentSignal, "search=yes"))
        .and_then(|file| file.extension(ExtensionField::License, "none"))
        .and_then(|file| file.extension(ExtensionField::Comment, "hello"))
        .and_then(|file| file.extension(ExtensionField::RobotVersion, "2.0"))
        .and_then(|file| file.sitemap("https://example.com/s"))
        .and_then(|file| file.host("example.com"))
        .and_then(|file| file.clean_param(&["a", "b"], Some("/c")))
        .and_then(|file| file.extension(ExtensionField::Sitemap, "/t"))
        .map(|file| file.group(group.clone()).group(group))
        .unwrap()
        .build();
    let group = "\
# Theirs.
User-agent: ExampleBot
User-agent: PlumBot
Crawl-delay: 1.5
Request-rate: 5/60
Visit-time: 0000-2359
Content-Signal: /a search=yes, AI=no
Content-Usage: train-ai=n
License: https://example.com/theirs
Noindex: /c
Disallow: /a
Allow: /a/b$
";
    let head = "\
# Ours.
#
# All of it.
License: https://example.com/all
Content-Signal: ai-train=no
Content-Signal: search=yes
License: none
Comment: hello
Robot-version: 2.0
";
    let tail = "\
Sitemap: https://example.com/s
Host: example.com
Clean-param: a&b /c
Sitemap: /t
";
    assert_eq!(file, [head, group, group, tail].join("\n"));
}

#[test]
fn values_at_the_limits_are_accepted() {
    let group = || GroupBuilder::new("*").unwrap();
    let path = format!("/{}", "a".repeat(16_652));
    assert!(group().disallow(&path).is_ok());
    assert!(group().visit_time((0, 59), (23, 0)).is_ok());
    assert!(group().visit_time((0, 60), (23, 0)).is_err());
    let comment = "a".repeat(16_661);
    assert!(group().comment(&comment).is_ok());
    assert!(group().comment(&format!("{comment}a")).is_err());
}

#[test]
fn a_refusal_quotes_its_value_once() {
    let refusal = |refused: Result<GroupBuilder, InvalidRecord>| refused.unwrap_err().to_string();
    let group = || GroupBuilder::new("ExampleBot").unwrap();
    assert_eq!(
        refusal(group().allow("")),
        "`Allow` in the group of `ExampleBot`: the value is empty; leave the record out"
    );
    for (message, value) in [
        (refusal(group().user_agent("a b")), "`a b`"),
        (refusal(group().license("/l")), "`/l`"),
        (refusal(group().disallow("x")), "`x`"),
    ] {
        assert_eq!(message.matches(value).count(), 1, "{message}");
    }
}
