//! What the builders write reads back as what was given, and nothing else gets in.

use std::time::Duration;

use polite_robots::{
    Access, Code, Diagnostic, Dialect, ExtensionField, GroupBuilder, InvalidRecord, PathPattern,
    Robot, RobotsTxt, RobotsTxtBuilder,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::entry_points::options;
use super::laws::{dialects, patterns, urls};
use super::naive;

/// Text that would like to be more than a value.
fn hostile() -> impl Strategy<Value = String> {
    let part = select(
        &[
            "/",
            "/",
            "a",
            "*",
            "$",
            "?",
            "=",
            "&",
            ":",
            "#",
            " ",
            "\t",
            "\n",
            "\r",
            "\r\n",
            "\0",
            "\u{b}",
            "\u{c}",
            "\u{85}",
            "\u{a0}",
            "\u{2028}",
            "\u{7f}",
            "\u{feff}",
            "é",
            "%",
            "%23",
            "%0A",
            "Disallow: /",
            "User-agent: *",
            "https://h/",
            "h:80",
            "-",
            ",",
            "7",
        ][..],
    );
    prop_oneof![
        4 => vec(part, 0..6).prop_map(|parts| parts.concat()),
        4 => patterns(),
        2 => "[a-z*/$.-]{1,8}",
        2 => select(&["https://h/s.xml", "http://h:80/a b", "h.example", "https://h:8080", "yes", "x-y"][..]).prop_map(str::to_string),
        1 => any::<String>(),
        1 => (16_640_usize..16_670).prop_map(|octets| format!("/{}", "a".repeat(octets))),
    ]
}

fn tokens() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => select(&["*", "ExampleBot", "examplebot", "a", "MJ12bot", "360Spider"][..]).prop_map(str::to_string),
        1 => hostile(),
    ]
}

#[derive(Debug, Clone)]
enum Step {
    Agent(String),
    Comment(String),
    Pattern(Access, String),
    Prefix(Access, String),
    Exact(Access, String),
    CrawlDelay(Duration),
    RequestRate(u32, Duration),
    VisitTime((u8, u8), (u8, u8)),
    ContentSignal(Option<String>, Vec<(String, String)>),
    ContentUsage(Option<String>, Vec<(String, String)>),
    License(String),
    Extension(ExtensionField, String),
}

fn steps() -> impl Strategy<Value = Step> {
    let access = || select(vec![Access::Allow, Access::Disallow]);
    let preferences = || {
        (
            proptest::option::of(hostile()),
            vec((hostile(), hostile()), 0..3),
        )
    };
    let duration = (
        prop_oneof![0_u64..100, any::<u64>()],
        prop_oneof![Just(0), 0_u32..1_000_000_000],
    )
        .prop_map(|(seconds, nanoseconds)| Duration::new(seconds, nanoseconds));
    prop_oneof![
        tokens().prop_map(Step::Agent),
        hostile().prop_map(Step::Comment),
        (access(), hostile()).prop_map(|(access, path)| Step::Pattern(access, path)),
        (access(), hostile()).prop_map(|(access, path)| Step::Prefix(access, path)),
        (access(), hostile()).prop_map(|(access, path)| Step::Exact(access, path)),
        duration.clone().prop_map(Step::CrawlDelay),
        (0_u32..9, duration).prop_map(|(documents, per)| Step::RequestRate(documents, per)),
        ((0_u8..26, 0_u8..62), (0_u8..26, 0_u8..62))
            .prop_map(|(from, to)| Step::VisitTime(from, to)),
        preferences().prop_map(|(path, signals)| Step::ContentSignal(path, signals)),
        preferences().prop_map(|(path, usage)| Step::ContentUsage(path, usage)),
        hostile().prop_map(Step::License),
        (select(FIELDS), hostile()).prop_map(|(field, value)| Step::Extension(field, value)),
    ]
}

const FIELDS: &[ExtensionField] = &[
    ExtensionField::Noindex,
    ExtensionField::Comment,
    ExtensionField::CrawlDelay,
    ExtensionField::Sitemap,
    ExtensionField::Host,
    ExtensionField::CleanParam,
    ExtensionField::License,
];

/// What should be in the file, in this order: agents, records and rules of a group.
#[derive(Debug, Default, PartialEq)]
struct Expected {
    agents: Vec<String>,
    rules: Vec<(Access, String)>,
    records: Vec<(ExtensionField, String)>,
}

fn take(
    group: GroupBuilder,
    step: &Step,
    expected: &mut Expected,
) -> Result<GroupBuilder, InvalidRecord> {
    let pairs = |pairs: &[(String, String)]| -> String {
        let pairs: Vec<String> = pairs
            .iter()
            .map(|(key, value)| format!("{key}={value}"))
            .collect();
        pairs.join(", ")
    };
    let with_path = |path: &Option<String>, text: String| match path {
        Some(path) => format!("{} {text}", encoded(path)),
        None => text,
    };
    let borrowed = |pairs: &'_ [(String, String)]| -> Vec<(String, String)> { pairs.to_vec() };
    let next = match step {
        Step::Agent(agent) => group.user_agent(agent)?,
        Step::Comment(text) => group.comment(text)?,
        Step::Pattern(access, path) => rule(group, *access, path.into())?,
        Step::Prefix(access, path) => rule(group, *access, PathPattern::prefix(path))?,
        Step::Exact(access, path) => rule(group, *access, PathPattern::exact(path))?,
        Step::CrawlDelay(delay) => group.crawl_delay(*delay),
        Step::RequestRate(documents, per) => group.request_rate(*documents, *per)?,
        Step::VisitTime(from, to) => group.visit_time(*from, *to)?,
        Step::ContentSignal(path, signals) => {
            let signals = borrowed(signals);
            let signals: Vec<(&str, &str)> = signals.iter().map(|(k, v)| (&**k, &**v)).collect();
            group.content_signal(path.as_deref(), &signals)?
        }
        Step::ContentUsage(path, usage) => {
            let usage = borrowed(usage);
            let usage: Vec<(&str, &str)> = usage.iter().map(|(k, v)| (&**k, &**v)).collect();
            group.content_usage(path.as_deref(), &usage)?
        }
        Step::License(url) => group.license(url)?,
        Step::Extension(field, value) => group.extension(*field, value)?,
    };
    match step {
        Step::Agent(agent) => expected.agents.push(agent.clone()),
        Step::Comment(_) => {}
        Step::Pattern(access, path) => expected.rules.push((*access, encoded(path))),
        Step::Prefix(access, path) => {
            let end = if path.ends_with('$') { "*" } else { "" };
            expected
                .rules
                .push((*access, encoded(path).replace('*', "%2A") + end));
        }
        Step::Exact(access, path) => {
            expected
                .rules
                .push((*access, encoded(path).replace('*', "%2A") + "$"));
        }
        // Its value is looked at as a duration.
        Step::CrawlDelay(delay) => expected
            .records
            .push((ExtensionField::CrawlDelay, format!("{delay:?}"))),
        Step::RequestRate(documents, per) => expected.records.push((
            ExtensionField::RequestRate,
            format!("{documents}/{}", per.as_secs()),
        )),
        Step::VisitTime(from, to) => {
            let time = |(hours, minutes): (u8, u8)| {
                format!("{:04}", u16::from(hours) * 100 + u16::from(minutes))
            };
            expected
                .records
                .push((ExtensionField::VisitTime, time(*from) + "-" + &time(*to)));
        }
        Step::ContentSignal(path, signals) => expected.records.push((
            ExtensionField::ContentSignal,
            with_path(path, pairs(signals)),
        )),
        Step::ContentUsage(path, usage) => expected
            .records
            .push((ExtensionField::ContentUsage, with_path(path, pairs(usage)))),
        Step::License(url) => expected
            .records
            .push((ExtensionField::License, encoded(url))),
        Step::Extension(field, value) => expected.records.push((*field, value.clone())),
    }
    Ok(next)
}

fn rule(
    group: GroupBuilder,
    access: Access,
    path: PathPattern<'_>,
) -> Result<GroupBuilder, InvalidRecord> {
    match access {
        Access::Allow => group.allow(path),
        Access::Disallow => group.disallow(path),
    }
}

fn encoded(path: &str) -> String {
    let octet = |octet: u8| match octet {
        b'#' | b' ' | b'\t' | 0x80.. => format!("%{octet:02X}"),
        _ => char::from(octet).to_string(),
    };
    path.bytes().map(octet).collect()
}

/// Codes of lines that are not read as they were meant.
const MISREAD: &[Code] = &[
    Code::ByteOrderMark,
    Code::NulOctet,
    Code::LineTooLong,
    Code::NotARecord,
    Code::MissingColon,
    Code::MisspelledField,
    Code::UnknownField,
    Code::EmptyUserAgent,
    Code::RuleBeforeGroup,
    Code::PathWithoutSlash,
];

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn what_is_written_reads_back(
        groups in vec((tokens(), vec(steps(), 0..8)), 0..4),
        comments in vec(hostile(), 0..3),
        sitemaps in vec(hostile(), 0..3),
        hosts in vec(hostile(), 0..3),
        parameters in vec((vec(hostile(), 0..3), proptest::option::of(hostile())), 0..3),
        signals in vec((proptest::option::of(hostile()), vec((hostile(), hostile()), 0..3)), 0..2),
        extensions in vec((select(FIELDS), hostile()), 0..3),
        dialect in dialects(),
    ) {
        let mut builder = RobotsTxtBuilder::new();
        let mut expected_groups: Vec<Expected> = Vec::new();
        // Those for everyone, by the place that they go to.
        let (mut head, mut tail) = (Vec::new(), Vec::new());
        for comment in &comments {
            builder = builder.clone().comment(comment).unwrap_or(builder);
        }
        for (field, value) in &extensions {
            if let Ok(with_record) = builder.clone().extension(*field, value) {
                builder = with_record;
                let is_at_top = matches!(field, ExtensionField::Comment | ExtensionField::License);
                if is_at_top { &mut head } else { &mut tail }.push((*field, value.clone()));
            }
        }
        for sitemap in &sitemaps {
            if let Ok(with_record) = builder.clone().sitemap(sitemap) {
                builder = with_record;
                tail.push((ExtensionField::Sitemap, encoded(sitemap)));
            }
        }
        for host in &hosts {
            if let Ok(with_record) = builder.clone().host(host) {
                builder = with_record;
                tail.push((ExtensionField::Host, host.clone()));
            }
        }
        for (parameters, path) in &parameters {
            let parameters: Vec<&str> = parameters.iter().map(String::as_str).collect();
            if let Ok(with_record) = builder.clone().clean_param(&parameters, path.as_deref()) {
                builder = with_record;
                let path = path.iter().map(|path| format!(" {path}")).collect::<String>();
                tail.push((ExtensionField::CleanParam, parameters.join("&") + &path));
            }
        }
        for (path, signals) in &signals {
            let borrowed: Vec<(&str, &str)> = signals.iter().map(|(k, v)| (&**k, &**v)).collect();
            if let Ok(with_record) = builder.clone().content_signal(path.as_deref(), &borrowed) {
                builder = with_record;
                let pairs: Vec<String> = signals.iter().map(|(k, v)| format!("{k}={v}")).collect();
                let path = path.iter().map(|path| encoded(path) + " ").collect::<String>();
                head.push((ExtensionField::ContentSignal, path + &pairs.join(", ")));
            }
        }
        for (agent, steps) in &groups {
            let Ok(mut group) = GroupBuilder::new(agent) else { continue };
            let mut expected = Expected { agents: vec![agent.clone()], ..Expected::default() };
            for step in steps {
                group = take(group.clone(), step, &mut expected).unwrap_or(group);
            }
            if expected.rules.is_empty() {
                expected.rules.push((Access::Disallow, String::new()));
            }
            builder = builder.group(group);
            expected_groups.push(expected);
        }
        let file = builder.build();

        let mut odd: Vec<Diagnostic> = Vec::new();
        let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &options(dialect), &mut odd);
        prop_assert!(odd.iter().all(|odd| !MISREAD.contains(&odd.code())), "{odd:?}\n{file}");
        let text = |octets: &[u8]| String::from_utf8(octets.to_vec()).unwrap();
        let mut found: Vec<Expected> = robots_txt.groups().map(|group| Expected {
            agents: group.user_agents().map(|agent| text(agent.value())).collect(),
            rules: group.rules().map(|rule| (rule.access(), text(rule.value()))).collect(),
            records: Vec::new(),
        }).collect();
        let lines: Vec<u32> = robots_txt.groups().map(|group| group.line()).collect();
        let (mut found_head, mut found_tail) = (Vec::new(), Vec::new());
        let last_rule = robots_txt.groups().flat_map(|group| group.rules()).map(|rule| rule.line()).last();
        for record in robots_txt.extensions() {
            let value = match record.field() {
                ExtensionField::CrawlDelay if record.crawl_delay().is_some() => format!("{:?}", record.crawl_delay().unwrap()),
                _ => text(record.value()),
            };
            let above = lines.iter().filter(|line| **line < record.line()).count();
            let place = if last_rule.is_none_or(|line| line < record.line()) && record.field().level() == polite_robots::ExtensionLevel::File {
                &mut found_tail
            } else if above == 0 {
                &mut found_head
            } else {
                &mut found[above - 1].records
            };
            place.push((record.field(), value));
        }
        for group in &mut expected_groups {
            // A delay that was given as text and reads as one.
            for (field, value) in &mut group.records {
                let file = format!("User-agent: a\nCrawl-delay: {value}");
                let delay = Robot::new("a", file.as_bytes()).unwrap().crawl_delay();
                if let (ExtensionField::CrawlDelay, Some(delay)) = (field, delay) {
                    *value = format!("{delay:?}");
                }
            }
        }
        prop_assert_eq!(&found, &expected_groups, "{}", file);
        prop_assert_eq!(&found_head, &head, "{}", file);
        // File-level records come in the order in which they were given.
        prop_assert_eq!(&found_tail, &tail, "{}", file);
    }

    /// Every delay of a group is for its own agents.
    #[test]
    fn no_record_speaks_to_another_group(
        delays in vec((select(&["a", "b", "c", "*"][..]), proptest::option::of(1_u64..9), any::<bool>()), 1..6),
        dialect in dialects(),
    ) {
        let mut builder = RobotsTxtBuilder::new();
        let mut expected = std::collections::BTreeMap::new();
        for (at, (agent, delay, has_rule)) in delays.iter().enumerate() {
            let mut group = GroupBuilder::new(agent).unwrap();
            let entry: &mut (Option<Duration>, Vec<String>) = expected.entry(*agent).or_default();
            if let Some(delay) = delay.map(Duration::from_secs) {
                group = group.crawl_delay(delay);
                entry.0 = entry.0.max(Some(delay));
            }
            if *has_rule {
                group = group.disallow(&format!("/{at}")).unwrap();
                entry.1.push(format!("/{at}"));
            }
            builder = builder.group(group);
        }
        let file = builder.build();
        for (agent, (delay, rules)) in expected {
            let robot = Robot::with_options(agent, file.as_bytes(), &options(dialect)).unwrap();
            let found: Vec<&str> = robot.rules().map(|rule| rule.pattern()).filter(|pattern| !pattern.is_empty()).collect();
            prop_assert_eq!((robot.crawl_delay(), found), (delay, rules.iter().map(String::as_str).collect()), "{}\n{}", agent, file);
        }
    }

    #[test]
    fn rfc_an_encoded_pattern_means_what_was_given(pattern in patterns(), url in urls()) {
        let Ok(group) = GroupBuilder::new("*").unwrap().disallow(&pattern) else { return Ok(()) };
        let file = RobotsTxtBuilder::new().group(group).build();
        prop_assume!(naive::path(&url, Dialect::Rfc9309) != b"/robots.txt");
        let is_match = naive::matches(pattern.as_bytes(), &url, Dialect::Rfc9309);
        prop_assert_eq!(!Robot::new("a", file.as_bytes()).unwrap().allowed(&url), is_match, "{}", file);
    }

    #[test]
    fn rfc_a_literal_path_means_itself(
        path in prop_oneof![urls(), "/[a*$%/?&=]{0,6}"],
        url in prop_oneof![urls(), "/[a*$%/?&=]{0,6}"],
        same: bool,
    ) {
        let start = format!("https://h{path}");
        let url = if same { start.clone() + &url } else { format!("https://h{url}") };
        let is_exempt = naive::path(&url, Dialect::Rfc9309) == b"/robots.txt";
        if is_exempt || !path.starts_with('/') || path.contains(['#', '\0']) || path.ends_with(' ') {
            return Ok(());
        }
        let blocks = |path: PathPattern<'_>| {
            let group = GroupBuilder::new("*").unwrap().disallow(path).unwrap();
            let file = RobotsTxtBuilder::new().group(group).build();
            !Robot::new("a", file.as_bytes()).unwrap().allowed(&url)
        };
        let (path, asked) = (naive::path(&start, Dialect::Rfc9309), naive::path(&url, Dialect::Rfc9309));
        let text = &start["https://h".len()..];
        prop_assert_eq!(blocks(PathPattern::prefix(text)), asked.starts_with(&path));
        prop_assert_eq!(blocks(PathPattern::exact(text)), asked == path);
    }

    /// As far as Google's matcher can say it: no `*`, no lower-case escape, and the URL as it is requested.
    #[test]
    fn google_a_literal_path_means_itself(path in "/[A$%/?&=é ]{0,6}", url in "/[A$%/?&=é ]{0,6}", same: bool) {
        let requested = |text: &str| text.replace(' ', "%20").replace('é', "%C3%A9");
        let (path, url) = (path.trim_end(), requested(&url));
        let url = if same { requested(path) + &url } else { url };
        let blocks = |path: PathPattern<'_>| {
            let group = GroupBuilder::new("*").unwrap().disallow(path).unwrap();
            let file = RobotsTxtBuilder::new().group(group).build();
            !Robot::with_options("a", file.as_bytes(), &options(Dialect::Google)).unwrap().allowed(&format!("https://h{url}"))
        };
        prop_assert_eq!(blocks(PathPattern::prefix(path)), url.starts_with(&requested(path)));
        prop_assert_eq!(blocks(PathPattern::exact(path)), url == requested(path));
    }
}

#[test]
fn refusals_name_place_offender_and_way_out() {
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
            &["16664 octets", "16663", "…"],
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
            &["`Sitemap`", "`https://h/s#top`", "`#`", "leave out"],
        ),
        (
            file().sitemap("map.xml").unwrap_err(),
            &["`map.xml`", "http://"],
        ),
        (
            file().host("https://h/x").unwrap_err(),
            &["`Host`", "`https://h/x`", "leave out"],
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
            assert!(message.contains(part), "{message}: no {part}");
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
fn head_groups_and_tail_are_a_blank_line_apart() {
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
    let rate = robot.request_rates().next().unwrap();
    assert_eq!((rate.documents(), rate.per()), (5, minute));
}

/// A law cannot tell a record that is refused for no reason from one that is refused for a good one.
#[test]
fn what_each_method_takes_is_written_in_its_place() {
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
fn what_just_fits_is_taken() {
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
