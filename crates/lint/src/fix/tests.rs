//! Fixes by example, and the laws that hold for every fixed file.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::code::DiagnosticCode;
use crate::diagnostic::Diagnostic;
use polite_robots::{Access, Options, Robot, RobotsTxt};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::Fixes;
use crate::fix::is_fixable;
use crate::linter::lint;

#[track_caller]
fn assert_fixes(file: impl AsRef<[u8]>, after: impl AsRef<[u8]>) {
    let fixes = Fixes::new(file.as_ref(), |_| true);
    assert_eq!(
        fixes.file().escape_ascii().to_string(),
        after.as_ref().escape_ascii().to_string()
    );
    assert_is_safe(file.as_ref());
}

#[test]
fn a_byte_order_mark_goes() {
    assert_fixes("\u{feff}User-agent: *\n", "User-agent: *\n");
    // Without the first mark a reader would skip the second one, which it does not skip now.
    let two = "\u{feff}\u{feff}User-agent: *\n";
    assert_fixes(two, two);
}

#[test]
fn names_and_colons_become_standard() {
    assert_fixes(
        "useragent * # all\r\n\tDisalow\t/x\r\nAllow : /y\r\n",
        "User-agent: * # all\r\n\tDisallow: /x\r\nAllow : /y\r\n",
    );
}

#[test]
fn a_product_token_stays_where_nothing_else_was_meant() {
    assert_fixes(
        "User-agent: ExampleBot/2.1\nUser-agent: Pear Bot\nUser-agent: * (all)\nDisallow: /\n",
        "User-agent: ExampleBot\nUser-agent: Pear Bot\nUser-agent: *\nDisallow: /\n",
    );
}

#[test]
fn a_delay_loses_its_unit() {
    assert_fixes(
        "User-agent: *\nCrawl-delay: 1.5 Seconds # slowly\nCrawl-delay: 5m\n",
        "User-agent: *\nCrawl-delay: 1.5 # slowly\nCrawl-delay: 5m\n",
    );
}

#[test]
fn each_lone_carriage_return_becomes_a_line_feed() {
    assert_fixes(
        "User-agent: *\rDisallow: /x\r\nDisallow: /y\r\r\n\n\r",
        "User-agent: *\nDisallow: /x\r\nDisallow: /y\n\r\n\n\n",
    );
}

#[test]
fn letters_outside_of_ascii_are_percent_encoded_where_they_are_utf8() {
    assert_fixes(
        "User-agent: *\nDisallow: /é\n",
        "User-agent: *\nDisallow: /%C3%A9\n",
    );
    for stays in [
        &b"User-agent: *\nDisallow: /\xE9\n"[..],
        // By RFC 9309 `%0B` is the same byte, but not to Google.
        "User-agent: *\nDisallow: /é\u{b}a\n".as_bytes(),
        // To Google a rule with a blank matches nothing. With `%20` it would match.
        "User-agent: *\nDisallow: /é b\n".as_bytes(),
    ] {
        assert_fixes(stays, stays);
    }
}

#[test]
fn a_duplicate_goes_with_its_line_but_not_with_a_comment() {
    assert_fixes(
        "User-agent: *\nDisallow: /x\n  Disallow: /x  \r\nDisallow: /x # old\nDisalow: /x",
        "User-agent: *\nDisallow: /x\n# old\n",
    );
    // The line end of the duplicate is fixed too, and it has only one.
    assert_fixes(
        "User-agent: *\rDisallow: /x\rDisallow: /x\rDisallow: /y\r",
        "User-agent: *\nDisallow: /x\nDisallow: /y\n",
    );
    // The first rule of a group ends its list of agents.
    let of_a_group = "User-agent: A\nDisallow: /x\nUser-agent: A\nDisallow: /x\nUser-agent: B\n";
    assert_fixes(of_a_group, of_a_group);
}

#[test]
fn what_only_the_author_can_know_stays() {
    for stays in [
        "User-agent: *\nDisallow: /x\nAllow: /x\n",
        "User-agent: A, B\nDisallow: /\n",
        "User-agent: *\nDisallow: x\n",
        "Disallow: /x\n",
        "User-agent: *\nSee the terms\n",
        "User-agent: *\nDisallow: /a b\n",
        // Without its end, the name would hide that the line had a rule or another name.
        "User-agent: * Disallow: /\n",
        "User-agent: * PlumBot\nDisallow: /\n",
        // A character that nobody sees would stay for ever.
        "User-agent: *\nDisallow: /x\u{200b}\n",
        // A fix that percent-encodes the mistake would keep it for ever.
        "User-agent: *\nDisallow: /contraseÃ±a\n",
        // The first byte of this character is that of a byte order mark.
        "＃ 全站\nUser-agent: *\nDisallow: /a\n",
        // To Google these are two rules.
        "User-agent: *\nDisallow: /c/*+*\nDisallow: /c/*%2B*\n",
        // Without the comment the rule differs from the one that the author seems to have meant.
        "User-agent: *\nDisallow: /#section\n",
    ] {
        assert_fixes(stays, stays);
    }
}

#[test]
fn what_is_a_mistake_to_one_of_the_two_only_stays() {
    // To RFC 9309 this field is unknown.
    let file = "Sitemap_index: https://bakery.example/s.xml\n";
    assert_fixes(file, file);
}

#[test]
fn an_html_page_is_not_fixed() {
    let page = "<html>\nUser-agent *\nDisalow /x\n";
    assert_fixes(page, page);
}

#[test]
fn a_file_that_is_no_text_is_not_fixed() {
    for start in [
        "\u{1f}\u{fffd}\u{8}",
        "\u{1f}\u{8b}\u{8}",
        "\u{1}\u{2}\u{3}\u{4}",
    ] {
        let file = format!("{start}\nuseragent: *\nDisalow: /x\n");
        assert_fixes(&file, &file);
    }
    assert_fixes(
        b"\x1f\x8b\x08\nDisalow: /x\n",
        b"\x1f\x8b\x08\nDisalow: /x\n",
    );
}

#[test]
fn long_lines_stay_as_they_are() {
    for len in [
        16_000, 16_659, 16_660, 16_661, 16_662, 16_663, 16_664, 20_000,
    ] {
        let path = "x".repeat(len - "Disallow /".len());
        assert_is_safe(format!("User-agent: *\nDisallow /{path}\n").as_bytes());
        let path = "x".repeat(len - "Dissallow:/é".len());
        assert_is_safe(format!("User-agent: *\nDissallow:/{path}é\n").as_bytes());
    }
}

#[test]
fn an_unwanted_code_is_not_fixed() {
    let file = b"User-agent *\nDisalow: /x\n";
    let fixes = Fixes::new(file, |code| code != DiagnosticCode::MissingColon);
    assert_eq!(fixes.file(), b"User-agent *\nDisallow: /x\n");
    assert_eq!(fixes.count(), 1);
}

/// Every robots.txt in the library's cases, and every other file there as if it were one.
#[test]
fn fixes_of_the_test_data_are_safe() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata");
    let mut fixes = 0;
    let mut files = 0;
    for path in files_below(&folder) {
        let bytes = fs::read(&path).unwrap();
        let mut robots_txts = Vec::new();
        if path
            .extension()
            .is_some_and(|extension| extension == "toml")
        {
            let text = String::from_utf8(bytes).unwrap();
            collect_robots_txts(&toml::Value::Table(text.parse().unwrap()), &mut robots_txts);
        } else if bytes.len() < 100_000 {
            robots_txts.push(bytes);
        }
        for robots_txt in robots_txts {
            files += 1;
            fixes += assert_is_safe(&robots_txt);
        }
    }
    assert!(files > 400 && fixes > 50, "{fixes} fixes in {files} files");
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    entries
        .map(|entry| entry.unwrap().path())
        .flat_map(|path| match path.is_dir() {
            true => files_below(&path),
            false => vec![path],
        })
        .collect()
}

fn collect_robots_txts(value: &toml::Value, found: &mut Vec<Vec<u8>>) {
    match value {
        toml::Value::Table(table) => {
            if let Some(toml::Value::String(text)) = table.get("robots") {
                found.push(text.clone().into_bytes());
            }
            table
                .values()
                .for_each(|value| collect_robots_txts(value, found));
        }
        toml::Value::Array(values) => {
            values
                .iter()
                .for_each(|value| collect_robots_txts(value, found));
        }
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn fixes_are_safe(pieces in vec(select(PIECES), 0..24)) {
        assert_is_safe(&pieces.concat());
    }
}

/// Asserts that both dialects answer all agents as before, and that nothing is left to fix. Returns
/// the number of fixes.
#[track_caller]
fn assert_is_safe(file: &[u8]) -> usize {
    let fixes = Fixes::new(file, |_| true);
    for options in [Options::rfc9309(), Options::google()] {
        assert_same_answers(file, fixes.file(), &options);
    }
    assert_is_stable(file)
}

#[track_caller]
fn assert_is_stable(file: &[u8]) -> usize {
    let fixes = Fixes::new(file, |_| true);
    let after = fixes.file();
    let again = Fixes::new(after, |_| true);
    assert_eq!((again.file(), again.count()), (after, 0));
    assert_eq!(fixes.count() == 0, file == after);
    let [before, remaining] = [file, after].map(|file| lint(&RobotsTxt::parse(file)));
    let not_fixable = |findings: &[Diagnostic]| {
        let codes = findings.iter().map(|finding| finding.code());
        codes.filter(|code| !is_fixable(*code)).count()
    };
    assert!(
        not_fixable(&remaining) <= not_fixable(&before),
        "{}\n{before:#?}\n{}\n{remaining:#?}",
        file.escape_ascii(),
        after.escape_ascii(),
    );
    fixes.count()
}

#[track_caller]
fn assert_same_answers(file: &[u8], after: &[u8], options: &Options) {
    let before = RobotsTxt::parse_with(file, options);
    let after_txt = RobotsTxt::parse_with(after, options);
    let sitemaps =
        |robots_txt: &RobotsTxt| robots_txt.sitemaps().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(sitemaps(&before), sitemaps(&after_txt));
    let urls = urls(&before);
    for agent in agents(&before) {
        let Ok(robot) = before.robot(&agent) else {
            continue;
        };
        let robot_after = after_txt.robot(&agent).unwrap();
        assert_eq!(robot.crawl_delay(), robot_after.crawl_delay());
        assert_eq!(robot.agent_match(), robot_after.agent_match());
        assert_eq!(
            answers(&robot, &urls),
            answers(&robot_after, &urls),
            "{agent} of {urls:#?} in\n{}\nand\n{}",
            file.escape_ascii(),
            after.escape_ascii()
        );
    }
}

/// Whether each URL is allowed, and by which rule.
fn answers(robot: &Robot, urls: &BTreeSet<String>) -> Vec<(bool, Option<(Access, String)>)> {
    urls.iter()
        .map(|url| {
            let verdict = robot.check(url);
            let rule = verdict.rule();
            let rule = rule.map(|rule| (rule.access(), rule.pattern().to_owned()));
            (verdict.is_allowed(), rule)
        })
        .collect()
}

fn agents(robots_txt: &RobotsTxt) -> BTreeSet<String> {
    let mut agents = BTreeSet::from(["*".to_owned(), "ExampleBot".to_owned()]);
    for agent in robots_txt.groups().flat_map(|group| group.user_agents()) {
        let is_token = |byte: &&u8| byte.is_ascii_alphanumeric() || b"-_.".contains(*byte);
        let whole = agent.value().iter().take_while(is_token);
        agents.insert(whole.map(|byte| char::from(*byte)).collect());
        agents.insert(agent.product_token().to_string());
        if agents.len() > MOST_AGENTS {
            break;
        }
    }
    agents
}

fn urls(robots_txt: &RobotsTxt) -> BTreeSet<String> {
    let mut urls: BTreeSet<String> = ["/", "/a", "/a/b", "/robots.txt", "/x?y"]
        .map(String::from)
        .into();
    for rule in robots_txt
        .groups()
        .flat_map(|group| group.rules())
        .take(MOST_RULES)
    {
        let value = rule.value().strip_suffix(b"$").unwrap_or(rule.value());
        let text = String::from_utf8_lossy(value);
        for filler in ["", "x"] {
            let path = text.replace('*', filler);
            urls.extend([format!("http://h{path}"), format!("http://h/{path}z")]);
        }
        let encoded = value.iter().map(|byte| match byte {
            b'/' | b'%' => char::from(*byte).to_string(),
            byte => format!("%{byte:02X}"),
        });
        urls.insert(encoded.collect());
    }
    urls
}

/// In a file with thousands of agents or rules, a check of all of them would take long.
const MOST_AGENTS: usize = 12;
const MOST_RULES: usize = 100;

const PIECES: &[&[u8]] = &[
    b"\n",
    b"\n",
    b"\n",
    b"\r\n",
    b"\r",
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b" ",
    b"\t",
    b"#",
    b"\0",
    b"User-agent: *\n",
    b"User-agent: ExampleBot/2.1\n",
    b"\nuseragent *\n",
    b"\nUser agent: A*\n",
    b"\nUser-agents: * all\n",
    b"\nUser-agent:",
    b"\nUser-agent: A, B\n",
    b"\nUser-agent: * Disallow: /\n",
    b"\nCrawl-delay: 10s\n",
    b"\xE2\x80\x8B",
    b"\xC2\xA0",
    b"\xEF\xBC\x83",
    b"\nuser-agent: Fig.\n",
    b"\nDisallow: /a\n",
    b"Disallow: /a\r",
    b"\nDisallow: /a # old\n",
    b"Disalow /a\n",
    b"\nDissallow\t/a",
    b"Disallow:",
    b"Disallow all: /a\n",
    b"\nDisallow /a:b\n",
    b"Allow: /a\n",
    b"\nAllow: /\xC3\xA9\n",
    b"Disallow: /%c3%a9\n",
    b"Disallow: /\xE9\n",
    b"/\xC3\xA9 b",
    b"\x01\xC3\xA9",
    b"\nAllow: /*a$\n",
    b"Disallow: *\n",
    b"Disallow: /\n",
    b"/a",
    b"a",
    b"$",
    b"*",
    b":",
    b"%2F",
    b"\ncrawl delay: 5\n",
    b"Crawldelay 5\n",
    b"\nsite-map: https://example.com/\n",
    b"Sitemaps: /s\n",
    b"<html>\n",
    b"See the terms\n",
];
