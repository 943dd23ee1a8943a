//! Laws for the extension records of every file, checked against a model written from the semantics
//! alone.

use polite_robots::document::Scope;
use polite_robots::record::Sitemap;
use polite_robots::{Dialect, Robot, RobotsTxt};
use polite_robots_records::{
    CleanParams, DayWindow, ExtensionValue, License, Preference, ProposedField, RequestRate, Usage,
    UsageCategory,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::verdict::entry_points::options;
use crate::suite::verdict::naive;
use crate::suite::verdict::naive_file;

/// The meaning of one line of a file, from which its text is made.
#[derive(Debug, Clone)]
enum Line {
    Agent(&'static str),
    Rule(&'static str),
    Signal(Statement),
    Usage(Statement),
    License(Option<u8>),
    Rate(u8),
    Visit(u8),
    Sitemap,
    CleanParam(Vec<&'static str>, Option<&'static str>),
    Noindex,
    Other,
}

/// A path and the preferences for search, AI input and AI training. A statement that is not `valid`
/// has a syntax error.
#[derive(Debug, Clone)]
struct Statement {
    path: Option<&'static str>,
    preferences: [Preference; 3],
    valid: bool,
}

impl Line {
    fn text(&self) -> String {
        let path = |path: Option<&str>| path.map_or(String::new(), |path| format!("{path} "));
        match self {
            Line::Agent(agent) => format!("User-agent: {agent}"),
            Line::Rule(rule) => rule.to_string(),
            Line::Signal(statement) => {
                let pairs = statement.members(["search", "AI-input", "ai-train"], "yes", "No");
                format!(
                    "Content-Signal: {}{}",
                    path(statement.path),
                    pairs.join(",")
                )
            }
            Line::Usage(statement) => {
                let labels = ["search", "ai-use", "train-ai"];
                let members = statement.members(labels, "y;a=\"(,\"", "n");
                let end = if statement.valid { "" } else { "," };
                format!(
                    "Content-Usage: {}{}{end}",
                    path(statement.path),
                    members.join(" , ")
                )
            }
            Line::License(Some(number)) => format!("License: https://example.com/{number}"),
            Line::License(None) => "License: /l".to_string(),
            Line::Rate(seconds) => format!("Request-rate: 2/{seconds}"),
            Line::Visit(hour) => format!("Visit-time: {hour:02}00-1159"),
            Line::Sitemap => "Sitemap: /s".to_string(),
            Line::CleanParam(names, prefix) => {
                format!(
                    "Clean-param: {} {}",
                    names.join("&"),
                    prefix.unwrap_or_default()
                )
            }
            Line::Noindex => "Noindex: /".to_string(),
            Line::Other => "Other: # remark".to_string(),
        }
    }

    fn ends_run(&self) -> bool {
        matches!(
            self,
            Line::Rule(_)
                | Line::Signal(_)
                | Line::Usage(_)
                | Line::License(_)
                | Line::Rate(_)
                | Line::Visit(_)
                | Line::Noindex
        )
    }
}

impl Statement {
    fn members(&self, labels: [&str; 3], yes: &str, no: &str) -> Vec<String> {
        let pairs = labels.iter().zip(self.preferences);
        pairs
            .filter_map(|(label, preference)| match preference {
                Preference::Unstated => None,
                Preference::Allowed => Some(format!("{label}={yes}")),
                Preference::Disallowed => Some(format!("{label}={no}")),
            })
            .collect()
    }
}

const PATHS: &[&str] = &[
    "/", "/a", "/a/", "/a*", "/*b", "/a/b$", "/%62", "/b", "/a/*/c", "/é", "/a%2Fb",
];

fn statements() -> impl Strategy<Value = Statement> {
    let preference = || {
        select(vec![
            Preference::Unstated,
            Preference::Allowed,
            Preference::Disallowed,
        ])
    };
    let path = prop_oneof![1 => Just(None), 2 => select(PATHS).prop_map(Some)];
    let preferences = [preference(), preference(), preference()];
    (path, preferences, proptest::bool::weighted(0.9)).prop_map(|(path, preferences, valid)| {
        Statement {
            path,
            preferences,
            valid,
        }
    })
}

const AGENTS: &[&str] = &["*", "a", "b", "*", "a/1.0"];

/// Lines that may name a use in place of an agent.
const AGENTS_AND_USES: &[&str] = &[
    "*",
    "a",
    "b",
    "__usage_ai-training",
    "__Usage_AI-Training/1.0",
];

fn lines() -> impl Strategy<Value = Vec<Line>> {
    lines_naming(AGENTS)
}

fn lines_naming(agents: &'static [&'static str]) -> impl Strategy<Value = Vec<Line>> {
    let name = select(&["u", "v", "w", "x"][..]);
    let prefix = select(&["/", "/a", "*b", "/a*/c"][..]);
    let line = prop_oneof![
        4 => select(agents).prop_map(Line::Agent),
        2 => select(&["Disallow: /a/", "Allow: /", "Disallow:"][..]).prop_map(Line::Rule),
        4 => statements().prop_map(|statement| Line::Signal(Statement { valid: true, ..statement })),
        4 => statements().prop_map(Line::Usage),
        2 => proptest::option::of(0_u8..4).prop_map(Line::License),
        1 => (1_u8..5).prop_map(Line::Rate),
        1 => (0_u8..24).prop_map(Line::Visit),
        1 => Just(Line::Sitemap),
        2 => (vec(name, 1..3), proptest::option::of(prefix)).prop_map(|(names, prefix)| Line::CleanParam(names, prefix)),
        1 => Just(Line::Noindex),
        1 => Just(Line::Other),
    ];
    vec(line, 0..14)
}

fn file(lines: &[Line]) -> String {
    lines.iter().map(|line| line.text() + "\n").collect()
}

const URLS: &[&str] = &[
    "/",
    "/a",
    "/a/",
    "/a/b",
    "/b",
    "/a/x/c",
    "/%C3%A9",
    "/a%2fb",
    "/xb?a/b",
    "http://h/a?b",
];

/// The agents of the run that each line belongs to; empty above the first run.
fn runs(lines: &[Line]) -> Vec<Vec<&'static str>> {
    let (mut run, mut is_ended, mut runs) = (Vec::new(), true, Vec::new());
    for line in lines {
        if let Line::Agent(agent) = line {
            if is_ended {
                run.clear();
            }
            run.push(*agent);
            is_ended = false;
        }
        // Lines above the first agent belong to no run and end none.
        is_ended |= line.ends_run() && !run.is_empty();
        runs.push(run.clone());
    }
    runs
}

/// The lines for an agent with their numbers, and whether each is for everyone.
fn lines_of<'l>(lines: &'l [Line], agent: &str) -> Vec<(u32, &'l Line, bool)> {
    let is_named =
        |line: &Line| matches!(line, Line::Agent(name) if name.split('/').next() == Some(agent));
    let wanted = if agent != "*" && lines.iter().any(is_named) {
        agent
    } else {
        "*"
    };
    let runs = runs(lines);
    let numbered = (1..).zip(lines.iter().zip(&runs));
    numbered
        .filter_map(|(number, (line, run))| {
            let is_for_everyone =
                run.is_empty() && matches!(line, Line::Signal(_) | Line::License(_));
            let is_for_agent = run
                .iter()
                .any(|name| name.split('/').next() == Some(wanted));
            (is_for_everyone || is_for_agent).then_some((number, line, is_for_everyone))
        })
        .collect()
}

/// The model's preference for one category, and the line that states it.
fn expected_usage(
    lines: &[Line],
    agent: &str,
    url: &str,
    is_allowed: bool,
    category: usize,
    dialect: Dialect,
) -> (Preference, Option<u32>) {
    let ours = lines_of(lines, agent);
    let mut best = (Preference::Unstated, None);
    for is_usage in [false, true] {
        let statements: Vec<(u32, &Statement, usize)> = ours
            .iter()
            .filter_map(|(number, line, _)| {
                let statement = match line {
                    Line::Signal(statement) if !is_usage => statement,
                    Line::Usage(statement) if is_usage && is_allowed => statement,
                    _ => return None,
                };
                let path = statement.path.map(str::as_bytes);
                let is_match = path.is_none_or(|path| naive::matches(path, url, dialect));
                let bytes = path.map_or(0, |path| naive::bytes(path, dialect));
                is_match.then_some((*number, statement, bytes))
            })
            .collect();
        let longest = statements.iter().map(|(_, _, bytes)| *bytes).max();
        for (number, statement, bytes) in statements {
            let preference = statement.preferences[category];
            if Some(bytes) != longest || !statement.valid || preference == Preference::Unstated {
                continue;
            }
            let is_earlier = best.1.is_none_or(|line| number < line);
            if preference > best.0 || (preference == best.0 && is_earlier) {
                best = (preference, Some(number));
            }
        }
    }
    best
}

/// The preference that the groups of a use state, and the line of the rule. An empty rule states
/// none.
fn expected_policy(lines: &[Line], url: &str, dialect: Dialect) -> (Preference, Option<u32>) {
    let answer = naive_file::policy(file(lines).as_bytes(), "__usage_ai-training", url, dialect);
    let (is_allowed, line) = answer.unwrap_or((true, 0));
    let rule = usize::try_from(line)
        .unwrap()
        .checked_sub(1)
        .map(|at| &lines[at]);
    match rule {
        None | Some(Line::Rule("Disallow:")) => (Preference::Unstated, None),
        Some(_) if is_allowed => (Preference::Allowed, Some(line)),
        Some(_) => (Preference::Disallowed, Some(line)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    #[test]
    fn usage_equals_the_model(
        lines in lines_naming(AGENTS_AND_USES),
        agent in select(&["a", "b", "c", "*"][..]),
        url in select(URLS),
        dialect in select(vec![Dialect::Rfc9309, Dialect::Google]),
    ) {
        let file = file(&lines);
        let robot = Robot::with_options(agent, file.as_bytes(), &options(dialect)).unwrap();
        let usage = Usage::of(&robot, url);
        for (at, category) in UsageCategory::ALL.iter().copied().enumerate() {
            let mut expected = expected_usage(&lines, agent, url, robot.allowed(url), at, dialect);
            if category == UsageCategory::AiTraining {
                let (policy, line) = expected_policy(&lines, url, dialect);
                let is_earlier = line < expected.1;
                if policy > expected.0 || policy == expected.0 && is_earlier {
                    expected = (policy, line);
                }
            }
            let record = usage.record(category);
            prop_assert_eq!((usage.preference(category), record.map(|record| record.line())), expected, "{} {}\n{}", url, category, file);
        }
    }

    /// A proposed record changes no verdict and no preference, wherever it stands.
    #[test]
    fn proposed_records_change_nothing(
        lines in lines(),
        field in select(ProposedField::ALL),
        value in select(&["/", "*", "/a", "ai-train=no", "a", ""][..]),
        at in any::<proptest::sample::Index>(),
        agent in select(&["a", "b", "c", "*"][..]),
        url in select(URLS),
    ) {
        let mut texts: Vec<String> = lines.iter().map(Line::text).collect();
        let before = texts.join("\n");
        let at = at.index(texts.len() + 1);
        texts.insert(at, format!("{field}: {value}"));
        let after = texts.join("\n");
        let [old, new] = [&before, &after].map(|file| Robot::new(agent, file.as_bytes()).unwrap());
        prop_assert_eq!(old.allowed(url), new.allowed(url), "{}", after);
        prop_assert_eq!(old.crawl_delay(), new.crawl_delay());
        for category in UsageCategory::ALL {
            prop_assert_eq!(Usage::of(&old, url).preference(*category), Usage::of(&new, url).preference(*category), "{}", after);
        }
        let found = RobotsTxt::parse(after.as_bytes());
        let found: Vec<_> = ProposedField::of(&found).map(|(field, line)| (field, line.number())).collect();
        prop_assert_eq!(found, [(field, u32::try_from(at).unwrap() + 1)]);
    }

    #[test]
    fn licenses_rates_and_times_equal_the_model(lines in lines(), agent in select(&["a", "b", "c", "*"][..])) {
        let robot = Robot::new(agent, file(&lines).as_bytes()).unwrap();
        let ours = lines_of(&lines, agent);
        let licenses = |for_everyone: bool| -> Vec<String> {
            let urls = ours.iter().filter_map(|(_, line, is_for_everyone)| match line {
                Line::License(Some(number)) if *is_for_everyone == for_everyone => Some(format!("https://example.com/{number}")),
                _ => None,
            });
            urls.collect()
        };
        let expected = if licenses(false).is_empty() { licenses(true) } else { licenses(false) };
        prop_assert_eq!(License::of(&robot).map(|license| license.uri()).collect::<Vec<_>>(), expected);

        let rates: Vec<u64> = ours.iter().filter_map(|(_, line, _)| match line {
            Line::Rate(seconds) => Some(u64::from(*seconds)),
            _ => None,
        }).collect();
        prop_assert_eq!(RequestRate::of(&robot).map(|rate| rate.per().as_secs()).collect::<Vec<_>>(), rates.clone());
        let slowest = RequestRate::of(&robot).max_by_key(|rate| rate.interval());
        prop_assert_eq!(slowest.map(|rate| rate.per().as_secs()), rates.iter().max().copied());

        let times = ours.iter().filter_map(|(_, line, _)| match line {
            Line::Visit(hour) => Some(u16::from(*hour) * 60),
            _ => None,
        });
        prop_assert_eq!(DayWindow::visit_times(&robot).map(|window| window.first_minute()).collect::<Vec<_>>(), times.collect::<Vec<_>>());
    }

    /// The document lists each record in order, with the agents directly above it.
    #[test]
    fn scopes_equal_the_model(lines in lines()) {
        let robots_txt = RobotsTxt::parse(file(&lines).as_bytes());
        let found: Vec<(u32, Option<Vec<String>>)> = robots_txt.extensions().map(|record| {
            let agents = match record.scope() {
                Scope::File => None,
                Scope::Nobody => Some(Vec::new()),
                Scope::Agents(run) => Some(run.user_agents().map(|agent| String::from_utf8_lossy(agent.value()).into_owned()).collect()),
            };
            (record.line(), agents)
        }).collect();
        let expected = (1_u32..).zip(lines.iter().zip(runs(&lines))).filter_map(|(number, (line, run))| {
            let agents = match line {
                Line::Agent(_) | Line::Rule(_) | Line::Other => return None,
                Line::Sitemap | Line::CleanParam(..) => None,
                Line::Signal(_) | Line::License(_) if run.is_empty() => None,
                _ => Some(run.iter().map(ToString::to_string).collect()),
            };
            Some((number, agents))
        });
        prop_assert_eq!(found, expected.collect::<Vec<_>>());
    }

    /// Records change no verdict, no line of a verdict, and no choice of groups.
    #[test]
    fn records_change_no_verdict(lines in lines(), agent in select(&["a", "b", "c", "*"][..]), url in select(URLS), dialect in select(vec![Dialect::Rfc9309, Dialect::Google])) {
        let without: Vec<Line> = lines.iter().map(|line| match line {
            Line::Agent(_) | Line::Rule(_) => line.clone(),
            _ => Line::Other,
        }).collect();
        let options = options(dialect);
        let robot = |lines: &[Line]| Robot::with_options(agent, file(lines).as_bytes(), &options).unwrap();
        let (with, without) = (robot(&lines), robot(&without));
        prop_assert_eq!(with.check(url), without.check(url));
        prop_assert_eq!(with.agent_match(), without.agent_match());
        prop_assert!(Usage::of(&without, url) == Usage::default());
    }

    /// The robot parsed for one agent equals the robot of the document.
    #[test]
    fn one_agent_and_document_agree(lines in lines_naming(AGENTS_AND_USES), agent in select(&["a", "b", "c", "*"][..]), url in select(URLS), dialect in select(vec![Dialect::Rfc9309, Dialect::Google])) {
        let (file, options) = (file(&lines), options(dialect));
        let one = Robot::with_options(agent, file.as_bytes(), &options).unwrap();
        let from_document = RobotsTxt::parse_with(file.as_bytes(), &options).robot(agent).unwrap();
        prop_assert_eq!(Usage::of(&one, url), Usage::of(&from_document, url));
        prop_assert_eq!(format!("{one:?}"), format!("{from_document:?}"));
    }

    /// Without the wildcard's groups, only records for everyone are left.
    #[test]
    fn named_only_keeps_records_for_everyone(lines in lines(), url in select(URLS)) {
        let robot = Robot::new("c", file(&lines).as_bytes()).unwrap().named_only();
        let for_everyone: Vec<Line> = lines.iter().zip(runs(&lines)).map(|(line, run)| match line {
            Line::Signal(_) | Line::License(_) if run.is_empty() => line.clone(),
            Line::Sitemap => Line::Sitemap,
            _ => Line::Other,
        }).collect();
        let expected = Robot::new("c", file(&for_everyone).as_bytes()).unwrap();
        prop_assert_eq!(Usage::of(&robot, url), Usage::of(&expected, url));
        prop_assert_eq!(format!("{robot:?}"), format!("{expected:?}"));
    }

    #[test]
    fn cleaned_urls_equal_the_model(
        lines in lines(),
        path in select(&["/", "/a", "/a/c", "/xb", "http://h", "http://h/a/x/c", "/%61"][..]),
        parameters in vec(select(&["u", "u=1", "v=2=3", "w", "x=?", "y=u", "", "=u", "uu", "W"][..]), 0..6),
        query in select(&["?", "?", "?", ""][..]),
        fragment in select(&["", "#", "#?u=1&v"][..]),
        dialect in select(vec![Dialect::Rfc9309, Dialect::Google]),
    ) {
        let url = match query {
            "" => format!("{path}{fragment}"),
            _ => format!("{path}?{}{fragment}", parameters.join("&")),
        };
        let robots_txt = RobotsTxt::parse_with(file(&lines).as_bytes(), &options(dialect));
        let is_removed = |parameter: &str| lines.iter().any(|line| match line {
            Line::CleanParam(names, prefix) => {
                names.contains(&parameter.split('=').next().unwrap())
                    && prefix.is_none_or(|prefix| naive::matches(prefix.as_bytes(), path, dialect))
            }
            _ => false,
        });
        let kept: Vec<&str> = parameters.iter().copied().filter(|parameter| !is_removed(parameter)).collect();
        let expected = if query.is_empty() || kept.len() == parameters.len() {
            url.clone()
        } else if kept.concat().is_empty() {
            format!("{path}{fragment}")
        } else {
            format!("{path}?{}{fragment}", kept.join("&"))
        };
        let cleaned = CleanParams::of(&robots_txt).clean(&url);
        prop_assert_eq!(&cleaned, &expected);
        prop_assert_eq!(CleanParams::of(&robots_txt).clean(&cleaned), cleaned.clone());
    }

    #[test]
    fn no_record_and_no_url_panics(file in vec(any::<u8>(), 0..120), field in select(FIELDS), url in any::<String>()) {
        let text = [b"User-agent: *\n".as_slice(), field.as_bytes(), b": ", &file, b"\nContent-Usage: /a train-ai=n"].concat();
        let robots_txt = RobotsTxt::parse(&text);
        for record in robots_txt.extensions() {
            let _ = format!("{:?} {record} {:?}", ExtensionValue::of(&record), record.scope());
        }
        let robot = robots_txt.robot("a").unwrap();
        let _ = format!("{} {:?}", Usage::of(&robot, &url), robot);
        let cleaned = CleanParams::of(&robots_txt).clean(&url).into_owned();
        prop_assert_eq!(CleanParams::of(&robots_txt).clean(&cleaned), cleaned.as_str());
        for sitemap in robot.sitemaps() {
            let _ = Sitemap::from(sitemap).resolve("https://example.com").unwrap();
        }
    }

    /// Dictionaries of RFC 9651 are read as the sfv crate reads them.
    #[test]
    fn dictionaries_equal_those_of_sfv(parts in vec(select(DICTIONARY_PARTS), 0..9)) {
        let text = parts.concat();
        let robots_txt = RobotsTxt::parse(format!("User-agent: *\nContent-Usage: {text}").as_bytes());
        let record = robots_txt.extensions().next().unwrap();
        let trimmed = text.trim_matches(['\t', ' ']);
        let parsed = sfv::Parser::new(trimmed).parse::<sfv::Dictionary>();
        match (ExtensionValue::of(&record), parsed) {
            (ExtensionValue::Rejected(_), Err(_)) => {}
            (ExtensionValue::ContentUsage(usage), Ok(dictionary)) => {
                let label = |category| match category {
                    UsageCategory::Search => "search",
                    UsageCategory::AiInput => "ai-use",
                    _ => "train-ai",
                };
                for category in UsageCategory::ALL.iter().copied() {
                    let token = match dictionary.get(label(category)) {
                        Some(sfv::ListEntry::Item(item)) => item.bare_item.as_token().map(|token| token.as_str()),
                        _ => None,
                    };
                    let expected = match token {
                        Some("y") => Preference::Allowed,
                        Some("n") => Preference::Disallowed,
                        _ => Preference::Unstated,
                    };
                    prop_assert_eq!(usage.preference(category), expected);
                }
            }
            (found, parsed) => prop_assert!(false, "{text}: found {found:?}, but sfv parsed {parsed:?}"),
        }
    }

    #[test]
    fn sitemaps_resolve_as_in_the_url_crate(
        start in select(&["", "/", "//h.example", "//h.example/", "a", "a/", ".", "..", "./", "../", "?", "a.b"][..]),
        parts in vec(select(&["/", "/", "a", ".", "..", "...", ".a", "?", "=", "&"][..]), 0..7),
    ) {
        let reference = format!("{start}{}", parts.concat());
        // Without a host after `//`, the url crate uses the next name as the host, as browsers do,
        // or refuses the URL.
        prop_assume!(!reference.starts_with("//") || reference.starts_with("//h"));
        let site = "https://example.com:8443/robots.txt";
        let expected = url::Url::parse(site).unwrap().join(&reference);
        let found = Sitemap::from(reference.as_str()).resolve(site).unwrap();
        // The url crate adds the `/` of a URL without a path.
        let found = url::Url::parse(&found).unwrap().to_string();
        prop_assert_eq!(Ok(found), expected.map(|url| url.to_string()));
    }

    #[test]
    fn a_window_contains_its_number_of_minutes(first in 0_u16..1440, last in 0_u16..1440) {
        let text = format!("User-agent: *\nVisit-time: {:02}{:02}-{:02}{:02}", first / 60, first % 60, last / 60, last % 60);
        let robot = Robot::new("a", text.as_bytes()).unwrap();
        let window = DayWindow::visit_times(&robot).next().unwrap();
        let minutes = (0..3000).filter(|minute| window.contains(*minute)).count();
        prop_assert_eq!(usize::from(window.minutes()), minutes);
        prop_assert!(window.contains(first) && window.contains(last));
        let last_in_a_row = (first..1440).chain(0..first).take_while(|minute| window.contains(*minute)).last();
        prop_assert_eq!(last_in_a_row, Some(last));
    }

    #[test]
    fn an_interval_is_the_shortest_for_its_rate(documents in 1_u64.., seconds in 1_u64..) {
        let text = format!("User-agent: *\nRequest-rate: {documents}/{seconds}");
        let robot = Robot::new("a", text.as_bytes()).unwrap();
        let rate = RequestRate::of(&robot).next().unwrap();
        let nanoseconds = rate.interval().as_nanos();
        let wanted = u128::from(seconds) * 1_000_000_000;
        prop_assert!(nanoseconds * u128::from(documents) >= wanted);
        prop_assert!((nanoseconds - 1) * u128::from(documents) < wanted);
    }
}

const FIELDS: &[&str] = &[
    "Clean-param",
    "Content-Signal",
    "Content-Usage",
    "Crawl-delay",
    "Host",
    "License",
    "Request-rate",
    "Sitemap",
    "Visit-time",
];

const DICTIONARY_PARTS: &[&str] = &[
    "train-ai",
    "ai-use",
    "search",
    "a",
    "*b",
    "A",
    "=",
    "=",
    "=y",
    "=n",
    "=n",
    ",",
    ",",
    ", ",
    "\t,",
    " ",
    ";",
    ";x",
    "(",
    ")",
    "\"",
    "\\",
    "\"q\"",
    "?1",
    "?",
    "1",
    "-2",
    "3.25",
    ".",
    "@4",
    ":YQ==:",
    ":",
    "%\"f%c3%bc\"",
    "%",
    "%\"",
    "é",
    "(a b)",
    "=(y n)",
    "=1.5",
    "y",
    "123456789012345",
];
