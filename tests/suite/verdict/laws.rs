//! Laws of parsing and matching that hold for every file, rule and URL.

use polite_robots::document::LineKind;
use polite_robots::pattern::{Pattern, PatternSet};
use polite_robots::{
    Access, AgentMatch, Dialect, Options, ProductToken, Reason, Robot, RobotsTxt, Target, Tier,
    robots_url,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::suite::verdict::entry_points::{Answer, Robots, answer_of_rule, options};
use crate::suite::verdict::naive;
use crate::suite::verdict::naive_file;
use crate::suite::verdict::strategies::{AGENTS, any_files, dialects, files, patterns, urls};

/// Makes a pattern from the path of a URL by inserting wildcards, so that most patterns match.
fn pattern_of(path: &[u8], cuts: &[(usize, usize)], anchored: bool) -> Vec<u8> {
    let mut pattern = path.to_vec();
    for (start, len) in cuts {
        let start = start % pattern.len().max(1);
        let end = (start + len).min(pattern.len());
        pattern.splice(start..end, [b'*']);
    }
    if anchored {
        pattern.push(b'$');
    }
    pattern
}

/// Asks a rule and the naive matcher, first in the tier that takes the value, then in the regex
/// tier, which takes the value because of a tail of 33 wildcards.
pub(crate) fn in_every_tier(value: &[u8], url: &str, dialect: Dialect) -> Vec<(Tier, bool, bool)> {
    const TAIL: &[u8] = b"*~";

    let mut asked = vec![(value.to_vec(), url.to_string())];
    // Longer values stay with the span walker, and the naive matcher is slow on longer URLs.
    let is_short = value.len() <= 62 && url.len() <= 200;
    if is_short && !url.contains(['#', '\0']) {
        let pattern = [value, &TAIL.repeat(33)].concat();
        asked.extend(
            ["~", "-"].map(|end| (pattern.clone(), format!("{url}{}{end}", "~".repeat(32)))),
        );
    }
    let in_tier = |(value, url): (Vec<u8>, String)| {
        let (tier, found) = answer_of_rule(&value, &url, dialect)?;
        Some((tier, found, naive::matches(&value, &url, dialect)))
    };
    asked.into_iter().filter_map(in_tier).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    /// A law in src/rules/regex.rs compares the regex with the span walker on patterns of every
    /// tier.
    #[test]
    fn every_tier_equals_the_naive_matcher(value in patterns(), url in urls(), dialect in dialects()) {
        for (tier, found, expected) in in_every_tier(value.as_bytes(), &url, dialect) {
            prop_assert_eq!(found, expected, "{:?}", tier);
        }
    }

    /// The patterns are tested without a file: alone, and in a set. The later patterns of the set
    /// meet an index of the path if the path is long.
    #[test]
    fn a_set_of_patterns_equals_the_naive_matcher(
        values in vec(patterns(), 0..8),
        copies in select(&[1_usize, 1, 3, 40][..]),
        url in urls(),
        times in select(&[1_usize, 1, 1, 300][..]),
        dialect in dialects(),
    ) {
        let url = format!("{url}{}", "/ab?".repeat(times - 1));
        let is_match = |value: &String| {
            let value = value.trim().as_bytes();
            matches!(value, [b'/' | b'*', ..]) && naive::matches(value, &url, dialect)
        };
        let expected: Vec<bool> = values.iter().map(is_match).collect();
        for (value, expected) in values.iter().zip(&expected) {
            let pattern = Pattern::in_dialect(value, dialect);
            prop_assert_eq!(pattern.is_some_and(|pattern| pattern.matches(&url)), *expected, "{}", value);
        }
        let all = values.len() * copies;
        let set = PatternSet::new(dialect, values.iter().cycle().take(all));
        let found = set.matching(&url);
        let expected: Vec<usize> = (0..all).filter(|at| expected[at % values.len()]).collect();
        prop_assert_eq!(found, expected);
    }

    #[test]
    fn every_tier_equals_the_naive_matcher_on_patterns_that_mostly_match(
        url in urls(),
        cuts in vec((0_usize..40, 0_usize..4), 0..5),
        anchored: bool,
        dialect in dialects(),
    ) {
        let value = pattern_of(&naive::path(&url, dialect), &cuts, anchored);
        for (tier, found, expected) in in_every_tier(&value, &url, dialect) {
            prop_assert_eq!(found, expected, "{:?} {}", tier, String::from_utf8_lossy(&value));
        }
    }

    /// The same URL as `&str`, as bytes and as a `Target` gets the same answer, and bytes that are
    /// not UTF-8 get the answer of their percent-encoding.
    #[test]
    fn urls_are_compared_as_bytes(file in files(), url in urls(), at in 0_usize..40, byte in 0x80_u8.., dialect in dialects()) {
        let robot = Robot::with_options("ExampleBot", &file, &options(dialect)).unwrap();
        let bytes = Target::from(url.as_bytes());
        prop_assert_eq!((bytes.as_str(), bytes.as_bytes()), (url.as_str(), url.as_bytes()));
        prop_assert_eq!(robot.check(&url), robot.check(bytes));
        prop_assert_eq!(robot.check(&url), robot.check(Target::new(&url)));

        let at = (0..=at.min(url.len())).rev().find(|at| url.is_char_boundary(*at)).unwrap();
        let (start, end) = url.split_at(at);
        let raw = [start.as_bytes(), &[byte], end.as_bytes()].concat();
        let encoded = format!("{start}%{byte:02X}{end}");
        let target = Target::from(&raw[..]);
        prop_assert_eq!(target.as_bytes(), &raw[..]);
        prop_assert_eq!(target.as_str(), String::from_utf8_lossy(&raw));
        if dialect == Dialect::Rfc9309 {
            prop_assert_eq!(robot.check(&raw[..]), robot.check(&encoded));
        }
        prop_assert_eq!(robot.check(&raw[..]).is_allowed(), robot.allowed(&raw[..]));
    }

    #[test]
    fn verdict_and_line_equal_the_naive_choice(
        rules in vec((any::<bool>(), patterns()), 0..8),
        url in urls(),
        dialect in dialects(),
    ) {
        let mut file = String::from("User-agent: *\n");
        let mut expected = Vec::new();
        for (line, (is_allow, value)) in (2..).zip(&rules) {
            let access = if *is_allow { Access::Allow } else { Access::Disallow };
            file += &format!("{access}: {value}\n");
            expected.push((access, value.trim().as_bytes().to_vec(), line));
        }
        let robots = Robots::new("ExampleBot", file.as_bytes(), dialect).unwrap();
        let answer = robots.ask(&url).map_err(TestCaseError::fail)?;
        prop_assert_eq!((answer.allowed, answer.line), naive::verdict(&expected, &url, dialect));
    }

    /// Adds many rules that do not match, so that the index is used instead of the scan.
    #[test]
    fn verdict_and_line_equal_the_naive_choice_among_many_rules(
        rules in vec((any::<bool>(), patterns()), 1..8),
        copies in 1_usize..20,
        url in urls(),
        dialect in dialects(),
    ) {
        let mut file = String::from("User-agent: *\n");
        for filler in 0..70 {
            file += &format!("Disallow: /filler{filler}\nAllow: /*filler{filler}=\n");
        }
        let mut expected = Vec::new();
        for (line, (is_allow, value)) in (142..).zip(rules.iter().cycle().take(rules.len() * copies)) {
            let access = if *is_allow { Access::Allow } else { Access::Disallow };
            file += &format!("{access}: {value}\n");
            expected.push((access, value.trim().as_bytes().to_vec(), line));
        }
        let robot = Robot::with_options("ExampleBot", file.as_bytes(), &options(dialect)).unwrap();
        let verdict = robot.check(&url);
        let line = verdict.rule().map_or(0, |rule| rule.line());
        prop_assert_eq!((verdict.is_allowed(), line), naive::verdict(&expected, &url, dialect));
    }

    #[test]
    fn the_evidence_of_a_verdict_holds(file in files(), url in urls(), dialect in dialects()) {
        let robot = Robot::with_options("ExampleBot", &file, &options(dialect)).unwrap();
        let verdict = robot.check(&url);
        if let Some(rule) = verdict.rule() {
            prop_assert!(rule.matches(&url));
            prop_assert!(rule.length() == 0 || (rule.access() == Access::Allow) == verdict.is_allowed());
        }
        if let (Some(rule), Some(overruled)) = (verdict.rule(), verdict.overruled()) {
            prop_assert!(overruled.matches(&url));
            prop_assert!(overruled.access() != rule.access() && overruled.length() <= rule.length());
        }
        let best = robot.rules().filter(|rule| rule.matches(&url)).map(|rule| rule.length()).max();
        let is_blank_cheque = matches!(verdict.reason(), Reason::RobotsTxtItself);
        prop_assert!(is_blank_cheque || verdict.rule().map(|rule| rule.length()) >= best);
    }

    #[test]
    fn one_agent_and_document_agree(file in files(), agent in select(AGENTS), url in urls(), dialect in dialects()) {
        let options = options(dialect);
        let one = Robot::with_options(agent, &file, &options).unwrap();
        let document = RobotsTxt::parse_with(&file, &options);
        prop_assert_eq!(&one, &document.robot(agent).unwrap());
        Robots::new(agent, &file, dialect).unwrap().ask(&url).map_err(TestCaseError::fail)?;
        let sitemaps: Vec<&str> = one.sitemaps().collect();
        prop_assert_eq!(sitemaps, document.sitemaps().collect::<Vec<_>>());
    }

    #[test]
    fn a_whole_file_equals_the_naive_reading(file in files(), agent in select(AGENTS), url in urls(), dialect in dialects()) {
        let answer = Robots::new(agent, &file, dialect).unwrap().ask(&url).map_err(TestCaseError::fail)?;
        prop_assert_eq!((answer.allowed, answer.line), naive_file::verdict(&file, agent, &url, dialect));
    }

    /// A robot has the rules of the groups that name it, or else those of the wildcard groups.
    #[test]
    fn rules_come_from_the_groups_that_apply(file in files(), agent in select(AGENTS), dialect in dialects()) {
        let document = RobotsTxt::parse_with(&file, &options(dialect));
        let names = |value: &[u8]| {
            let run = |extra: &str| {
                let is_token = |byte: &u8| byte.is_ascii_alphabetic() || b"_-".contains(byte) || extra.as_bytes().contains(byte);
                let end = value.iter().position(|byte| !is_token(byte)).unwrap_or(value.len());
                String::from_utf8(value[..end].to_vec()).unwrap().to_ascii_lowercase()
            };
            let expected = agent.to_ascii_lowercase();
            run("") == expected || (dialect == Dialect::Rfc9309 && run("0123456789.") == expected)
        };
        let lines = |filter: &dyn Fn(&polite_robots::document::UserAgent<'_>) -> bool| -> (bool, Vec<u32>) {
            let groups: Vec<_> = document.groups().filter(|group| group.user_agents().any(|agent| filter(&agent))).collect();
            let rules = groups.iter().flat_map(|group| group.rules());
            let effective = rules.filter(|rule| match rule.value() {
                [b'/' | b'*', ..] => true,
                [] => dialect == Dialect::Google,
                _ => false,
            });
            (!groups.is_empty(), effective.map(|rule| rule.line()).collect())
        };
        let (is_named, named) = lines(&|agent| !agent.is_wildcard() && names(agent.value()));
        let (is_wildcard, wildcard) = lines(&|agent| agent.is_wildcard());
        let (expected_match, mut expected) = match (is_named, is_wildcard) {
            (true, _) => (AgentMatch::Named, named),
            (false, true) => (AgentMatch::Wildcard, wildcard),
            (false, false) => (AgentMatch::None, Vec::new()),
        };
        let robot = document.robot(agent).unwrap();
        let mut found: Vec<u32> = robot.rules().map(|rule| rule.line()).collect();
        found.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!((robot.agent_match(), found), (expected_match, expected));
    }

    #[test]
    fn rfc_a_rule_equal_to_the_path_blocks_it(path in "/[^*$#\\r\\n\0]{0,30}", host in select(&["", "https://example.com"][..])) {
        prop_assume!(path.trim() == path && path.len() == path.trim_matches(['\u{b}', '\u{c}']).len());
        let url = format!("{host}{path}");
        prop_assume!(naive::canonical_path(path.as_bytes()) != b"/robots.txt");
        let file = format!("User-agent: *\nDisallow: {path}");
        prop_assert!(!Robot::new("ExampleBot", file.as_bytes()).unwrap().allowed(Target::sent(url.as_bytes())));
    }

    #[test]
    fn a_rule_that_does_not_match_changes_nothing(file in files(), value in patterns(), allow: bool, url in urls(), dialect in dialects()) {
        prop_assume!(!naive::matches(value.trim().as_bytes(), &url, dialect) && !value.contains("index.htm"));
        let field = if allow { "Allow" } else { "Disallow" };
        let longer = [&file[..], format!("\n{field}: {value}\n").as_bytes()].concat();
        // The rule must follow another rule of its group; otherwise it would close the list of
        // agents.
        let ends_in_rule = [&file[..], b"\nDisallow:\n"].concat();
        let with_rule = [&ends_in_rule[..], format!("{field}: {value}\n").as_bytes()].concat();
        for agent in ["ExampleBot", "*"] {
            let before = Robots::new(agent, &ends_in_rule, dialect).unwrap().ask(&url);
            let after = Robots::new(agent, &with_rule, dialect).unwrap().ask(&url);
            prop_assert_eq!(before, after);
            Robots::new(agent, &longer, dialect).unwrap().ask(&url).map_err(TestCaseError::fail)?;
        }
    }

    #[test]
    fn any_input_parses_with_spans_inside_the_file(
        file in prop_oneof![vec(any::<u8>(), 0..300), files()],
        url in any::<String>(),
        agent in "[a-zA-Z0-9_.-]{0,4}[a-z]",
        max_bytes in proptest::option::of(0_usize..300),
        dialect in dialects(),
    ) {
        let mut options = options(dialect);
        options.max_bytes = max_bytes;
        let document = RobotsTxt::parse_with(&file, &options);
        let kept = document.as_bytes();
        prop_assert!(file.starts_with(kept) && max_bytes.is_none_or(|max| kept.len() <= max));
        prop_assert_eq!(document.truncated_at(), (kept.len() < file.len()).then_some(kept.len()));
        let mut end = 0;
        for (number, line) in (1..).zip(document.lines()) {
            let between = &kept[end..line.span().start];
            let is_line_end = matches!(between, b"\r\n" | b"\n" | b"\r") && number > 1;
            prop_assert!(is_line_end || number == 1 && b"\xEF\xBB\xBF".starts_with(between), "{between:?}");
            prop_assert_eq!((line.number(), line.as_bytes()), (number, &kept[line.span()]));
            end = line.span().end;
        }
        prop_assert_eq!(end, kept.len());
        let rules = document.lines().filter(|line| matches!(line.kind(), LineKind::Rule(_))).count();
        prop_assert!(document.groups().map(|group| group.rules().count()).sum::<usize>() <= rules);
        let robot = document.robot(&agent).unwrap();
        let verdict = robot.check(&url);
        prop_assert_eq!(verdict.is_allowed(), robot.allowed(&url));
        prop_assert!(verdict.to_string().is_ascii());
        let whole = RobotsTxt::parse_with(kept, &options);
        prop_assert_eq!(whole.truncated_at(), None);
        prop_assert_eq!(whole == document, document.truncated_at().is_none());
        prop_assert_eq!(whole.robot(&agent).unwrap(), robot);
        prop_assert!(whole.lines().eq(document.lines()) && whole.sitemaps().eq(document.sitemaps()));
    }

    /// A larger limit never keeps less, and no line is kept in part.
    #[test]
    fn a_size_limit_keeps_whole_lines(file in files(), max in 0_usize..200) {
        let cut = |max| {
            let options = Options::rfc9309().with_max_bytes(max);
            RobotsTxt::parse_with(&file, &options).as_bytes().len()
        };
        let kept = cut(max);
        prop_assert!(kept <= cut(max + 1));
        let is_line_end = |at: usize| file.get(at).is_none_or(|byte| matches!(byte, b'\n' | b'\r'));
        prop_assert!(kept == 0 || is_line_end(kept) || matches!(file[kept - 1], b'\n' | b'\r'));
        prop_assert!(kept == 0 || kept == file.len() || !file[kept - 1..].starts_with(b"\r\n"));
    }
}

#[test]
fn robots_url_refuses_with_a_reason() {
    let refusals = [
        ("example.com/x", "does not begin with"),
        ("ftp://example.com/", "neither http nor https"),
        ("https:/?x", "no host"),
        ("https://user@/x", "no host"),
        ("https:example.org%00/", "cannot stand in a host"),
        ("https://ex%C3%A4mple.org/", "punycode"),
        ("https://exämple.org/", "punycode"),
        ("https://exa mple.org/", "cannot stand in a host"),
        ("https://h:65536/", "port"),
        ("https://h:x/", "port"),
        // `+80` is a number to Rust but not to the URL standard.
        ("https://h:+80/", "port"),
        ("https://[::1]x/", "IPv6"),
        ("https://[::g]/", "IPv6"),
        ("http://127.0.0.256/", "IPv4"),
        ("http://1..2/", "IPv4"),
        ("http://a.1/", "IPv4"),
        ("http://256.1.1.1/", "IPv4"),
        ("http://0x7f.0.0.1.0xA/", "IPv4"),
    ];
    for (url, reason) in refusals {
        let message = robots_url(url).unwrap_err().to_string();
        assert!(
            message.contains(reason) && message.contains(url),
            "{message}"
        );
    }
}

#[test]
fn every_tier_is_reached() {
    let tiers = |value: &str| {
        let asked = in_every_tier(value.as_bytes(), "/a/b", Dialect::Rfc9309);
        asked.into_iter().map(|(tier, ..)| tier).collect::<Vec<_>>()
    };
    let many = if cfg!(feature = "regex") {
        Tier::Regex
    } else {
        Tier::Span
    };
    assert_eq!(tiers("/a"), [Tier::Prefix, many, many]);
    assert_eq!(tiers("/a*b$"), [Tier::Span, many, many]);
    assert!(tiers("a").is_empty());
}

#[test]
fn robot_and_document_are_thread_safe() {
    fn assert_thread_safe<T: Clone + Send + Sync + std::fmt::Debug + 'static>() {}
    assert_thread_safe::<Robot>();
    assert_thread_safe::<RobotsTxt>();
}

/// Makes records that are neither a rule nor an agent in the RFC dialect, in any letter case and
/// with any value.
fn other_records() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        select(
            &[
                "DisallowAITraining",
                "AllowAITraining",
                "User-agent-purpose",
                "Disallow AI training",
                "allow_resize"
            ][..]
        )
        .prop_map(str::to_string),
        select(
            &[
                "Sitemap",
                "Crawl-delay",
                "Noindex",
                "Host",
                "Content-Usage",
                "License",
                "Colour"
            ][..]
        )
        .prop_map(str::to_string),
        "([Dd]is|DIS)?(allow|Allow|alow)(s|ed)?[-_ ]{0,2}(all)?[-_ .]{0,2}[a-zA-Z0-9]{0,3}",
        "[Uu]ser[- ]?[Aa]gents?[-_ .]{0,2}[a-zA-Z0-9]{0,3}",
    ];
    let value = select(
        &[
            "/",
            "*",
            "a",
            "ExampleBot",
            "",
            "/a$",
            "/ # x",
            "https://h/",
        ][..],
    );
    let line = (name, select(&[":", ": ", " :"][..]), value);
    line.prop_map(|(name, separator, value)| (format!("{name}{separator}{value}"), name))
        .prop_filter("a rule or an agent", |(_, name)| {
            naive_file::by_token(name.trim().as_bytes()).is_none()
        })
        .prop_map(|(line, _)| line)
}

/// Returns the offsets at which lines start, after a whole or partial byte order mark.
fn line_starts(file: &[u8]) -> Vec<usize> {
    let mark = file
        .iter()
        .zip(b"\xEF\xBB\xBF")
        .take_while(|(byte, mark)| byte == mark);
    let mut starts = vec![mark.count()];
    for (at, byte) in file.iter().enumerate() {
        if *byte == b'\n' || *byte == b'\r' && file.get(at + 1) != Some(&b'\n') {
            starts.push(at + 1);
        }
    }
    starts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2048) })]

    /// A crawler that has its header alone may ask for any of them.
    #[test]
    fn any_header_gives_an_agent_that_no_function_refuses(
        header in vec(select(&["Mozilla", "Bot", "_", "1", ".", "/", " ", "(", ";", "*", "é", "http://a"][..]), 0..9),
        file in any_files(),
    ) {
        let header = header.concat();
        let agent = ProductToken::of_header_or_wildcard(&header);
        let file = RobotsTxt::parse(&file);
        prop_assert!(agent == "*" || header.contains(agent));
        prop_assert_eq!(file.robot_of_header_or_wildcard(&header), file.robot(agent).unwrap());
    }

    /// RFC 9309 §2.2.4: other records must not interfere.
    #[test]
    fn rfc_other_records_change_no_verdict(
        file in any_files(),
        record in other_records(),
        place: proptest::sample::Index,
        urls in vec(urls(), 4),
    ) {
        let starts = line_starts(&file);
        let place = place.index(starts.len());
        let mut with_record = file.clone();
        with_record.splice(starts[place]..starts[place], format!("{record}\n").into_bytes());
        for agent in AGENTS {
            let before = Robot::new(agent, &file).unwrap();
            let after = Robot::new(agent, &with_record).unwrap();
            prop_assert_eq!(before.agent_match(), after.agent_match());
            for url in &urls {
                let mut expected = Answer::of(&before.check(url));
                expected.line += u32::from(expected.line as usize > place);
                prop_assert_eq!(Answer::of(&after.check(url)), expected, "{} on {} in\n{}", record, url, file.escape_ascii());
            }
        }
    }
}
