//! Laws of the builders: a written file reads back as the values that were given.

use std::time::Duration;

use polite_robots::document::{Line, LineKind, Separator, Spelling};
use polite_robots::record::ExtensionField;
use polite_robots::{Access, Dialect, Robot, RobotsTxt};
use polite_robots_build::{GroupBuilder, InvalidRecord, PathPattern, RobotsTxtBuilder};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::verdict::entry_points::options;
use crate::suite::verdict::naive;
use crate::suite::verdict::strategies::{dialects, patterns, urls};

/// Texts that try to break out of their value: line ends, comments, separators.
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
        1 => (16_640_usize..16_670).prop_map(|bytes| format!("/{}", "a".repeat(bytes))),
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

/// The expected content of a group: its agents, records and rules, in this order.
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
        // The delay is compared as a duration, as it can be written in several ways.
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
    let byte = |byte: u8| match byte {
        b'#' | b' ' | b'\t' | 0x80.. => format!("%{byte:02X}"),
        _ => char::from(byte).to_string(),
    };
    path.bytes().map(byte).collect()
}

/// Whether a line of a written file reads as it was meant, in both dialects.
fn is_read_as_written(line: &Line<'_>) -> bool {
    let in_both = |key| {
        let [one, other] = [Dialect::Rfc9309, Dialect::Google];
        LineKind::of_field(key, one) == LineKind::of_field(key, other)
    };
    let value = line.value().unwrap_or_default();
    let is_value = match line.kind() {
        LineKind::UserAgent => !value.is_empty(),
        LineKind::Rule(_) => matches!(value, [] | [b'/' | b'*', ..]),
        LineKind::UnknownField | LineKind::NotARecord => false,
        _ => true,
    };
    let is_standard = line.kind() == LineKind::Blank
        || line.spelling() == Some(Spelling::Standard)
            && line.separator() == Some(Separator::Colon)
            && line.key().is_some_and(in_both);
    is_value && is_standard && !line.is_too_long() && !line.as_bytes().contains(&0)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn a_written_file_reads_back(
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
        // The file-level records, separated by whether they are written before or after the groups.
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

        let robots_txt = RobotsTxt::parse_with(file.as_bytes(), &options(dialect));
        let misread = robots_txt.lines().find(|line| !is_read_as_written(line));
        prop_assert!(misread.is_none(), "{misread:?}\n{file}");
        // The file has no byte order mark, and no rule above the first group.
        prop_assert_eq!(robots_txt.lines().next().map(|line| line.span().start), Some(0));
        let rules = robots_txt.lines().filter(|line| matches!(line.kind(), LineKind::Rule(_)));
        prop_assert_eq!(rules.count(), robots_txt.groups().map(|group| group.rules().count()).sum::<usize>());
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
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
            let place = if last_rule.is_none_or(|line| line < record.line()) && record.field().level() == polite_robots::record::ExtensionLevel::File {
                &mut found_tail
            } else if above == 0 {
                &mut found_head
            } else {
                &mut found[above - 1].records
            };
            place.push((record.field(), value));
        }
        for group in &mut expected_groups {
            // A `Crawl-delay` given as text is compared as a duration too.
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
        // File-level records keep the order in which they were given.
        prop_assert_eq!(&found_tail, &tail, "{}", file);
    }

    /// Every delay of a group applies to its own agents.
    #[test]
    fn no_record_applies_to_another_group(
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
    fn rfc_written_patterns_match_like_the_input(pattern in patterns(), url in urls()) {
        let Ok(group) = GroupBuilder::new("*").unwrap().disallow(&pattern) else { return Ok(()) };
        let file = RobotsTxtBuilder::new().group(group).build();
        prop_assume!(naive::path(&url, Dialect::Rfc9309) != b"/robots.txt");
        let is_match = naive::matches(pattern.as_bytes(), &url, Dialect::Rfc9309);
        prop_assert_eq!(!Robot::new("a", file.as_bytes()).unwrap().allowed(&url), is_match, "{}", file);
    }

    #[test]
    fn rfc_literal_paths_match_only_themselves(
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

    /// This law is limited to paths that Google's matcher can express: no `*`, no lower-case
    /// escape, and the URL as requested.
    #[test]
    fn google_literal_paths_match_only_themselves(path in "/[A$%/?&=é ]{0,6}", url in "/[A$%/?&=é ]{0,6}", same: bool) {
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
