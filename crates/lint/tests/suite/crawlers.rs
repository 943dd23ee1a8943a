//! Tests of the opinions, and of the findings that need the table of known crawlers: the cases of
//! testdata/diagnostics/ and the pages of their codes.

use std::path::Path;

use polite_robots::RobotsTxt;
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Severity, lint};
use serde::Deserialize;

#[derive(Deserialize)]
struct CaseFile {
    hit: Vec<Case>,
    near_miss: Vec<Case>,
}

#[derive(Deserialize)]
struct Case {
    name: String,
    robots: String,
    findings: Vec<Expected>,
}

#[derive(Deserialize)]
struct Expected {
    line: u32,
    code: String,
    text: String,
    /// A part of the message.
    says: Option<String>,
}

fn found(file: &str) -> Vec<Diagnostic> {
    lint(&RobotsTxt::parse(file.as_bytes()))
}

/// The findings of a file, with opinions if the code is an opinion.
fn found_for(code: DiagnosticCode, file: &str) -> Vec<Diagnostic> {
    let linter = match code.is_opinion() {
        true => Linter::new().with_opinions(),
        false => Linter::new(),
    };
    linter.lint(&RobotsTxt::parse(file.as_bytes()))
}

fn codes_of_this_crate() -> impl Iterator<Item = DiagnosticCode> {
    let all = DiagnosticCode::ALL.iter().copied();
    all.filter(|code| code.needs_known_crawlers() || code.is_opinion())
}

#[test]
fn hits_and_near_misses() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/diagnostics");
    let mut cases = 0;
    for code in codes_of_this_crate() {
        let text = std::fs::read_to_string(folder.join(format!("{code}.toml"))).unwrap();
        let file: CaseFile = toml::from_str(&text).unwrap();
        for case in file.hit.iter().chain(&file.near_miss) {
            cases += 1;
            let findings = found_for(code, &case.robots);
            for (finding, expected) in findings.iter().zip(&case.findings) {
                let says = expected.says.as_deref().unwrap_or_default();
                assert!(finding.message().contains(says), "{}: {finding}", case.name);
            }
            let found: Vec<_> = findings
                .iter()
                .map(|finding| {
                    let text = case.robots.get(finding.span()).unwrap_or_default();
                    (finding.line(), finding.code().to_string(), text.to_owned())
                })
                .collect();
            let expected: Vec<_> = case
                .findings
                .iter()
                .map(|expected| (expected.line, expected.code.clone(), expected.text.clone()))
                .collect();
            assert_eq!(found, expected, "{code}: {}", case.name);
        }
    }
    assert!(cases > 10, "{cases}");
}

#[test]
fn examples_of_the_pages_hold() {
    for code in codes_of_this_crate() {
        let mut blocks = code.page().split("```text\n").skip(1);
        let mut block = || blocks.next().unwrap().split_once("```").unwrap().0;
        let (example, fixed) = (block(), block());
        assert!(
            found_for(code, example)
                .iter()
                .any(|finding| finding.code() == code),
            "{code}"
        );
        assert_eq!(found_for(code, fixed), [], "{code}");
    }
}

#[test]
fn messages_are_one_sentence_for_people() {
    let file =
        "User-agent: Googlebot2\nUser-agent: GTPBot\nUser-agent: Anthropic\nDisallow: /tmp/\n";
    let found = found(file);
    assert_eq!(found.len(), 3);
    for finding in found {
        let message = finding.message();
        assert!(!message.ends_with('.') && message.len() < 500, "{message}");
    }
}

/// Written as two words, the name of one of Google's crawlers shuts out Googlebot itself.
#[test]
fn a_name_in_two_words_is_for_the_crawler_of_the_first() {
    for (value, says) in [
        (
            "Googlebot Image",
            "for Googlebot too, because many crawlers read only `Googlebot` of `Googlebot Image`; write `Googlebot-Image` if",
        ),
        ("Googlebot News", "write `Googlebot-News` if"),
        ("Googlebot (Image)", "write `Googlebot-Image` if"),
        ("Bingbot Image", "for bingbot too, because"),
        (
            "GPTBot/CCBot",
            "CCBot does not read this group, because Google and others read only `GPTBot`",
        ),
    ] {
        let found = found(&format!("User-agent: {value}\nDisallow: /\n"));
        let is_said = |finding: &Diagnostic| {
            finding.severity() == Severity::Warning
                && finding.message().contains(says)
                && finding.suggestion().is_none()
        };
        assert!(found.iter().any(is_said), "{value}: {found:?}");
    }
}

/// `Yahoo! Slurp` does not reach Slurp, whom the table knows. Nobody loses his group by a name of
/// which nothing is known.
#[test]
fn words_behind_a_name_matter_if_they_name_a_crawler() {
    let finding = |agent: &str| {
        let found = found(&format!("User-agent: {agent}\nDisallow: /tmp/\n"));
        let is_about_name =
            |finding: &&Diagnostic| finding.code() == DiagnosticCode::InvalidProductToken;
        found.iter().find(is_about_name).cloned().unwrap()
    };
    let slurp = finding("Yahoo! Slurp");
    assert_eq!(slurp.severity(), Severity::Warning);
    assert!(slurp.message().contains("write `Slurp`"), "{slurp}");
    let header = finding("Mozilla/5.0 (compatible; bingbot/2.0)");
    assert_eq!(header.severity(), Severity::Warning);
    assert!(header.message().contains("write `bingbot`"), "{header}");
    for agent in ["Offline Explorer", "Sogou spider2", "PlumBot (spider)"] {
        assert_eq!(finding(agent).severity(), Severity::Note, "{agent}");
    }
    assert_eq!(finding("*bot").severity(), Severity::Warning);
    for several in [
        "Googlebot Bingbot",
        "Googlebot|Bingbot",
        "Googlebot + Bingbot",
    ] {
        let bingbot = finding(several);
        assert_eq!(bingbot.severity(), Severity::Warning);
        let message = bingbot.message();
        assert!(
            message.starts_with("Bingbot does not read this group"),
            "{message}"
        );
        assert!(
            message.ends_with("write `User-agent: Bingbot` on a line of its own"),
            "{message}"
        );
    }
    // Googlebot-Image reads the group for Googlebot, a header says what a crawler is like, and the
    // other crawler may have a line of its own.
    for alone in [
        "Googlebot Googlebot-Image",
        "Googlebot/2.1 (like bingbot)",
        "Googlebot two",
        "Googlebot bingbot\nUser-agent: bingbot",
        "Plum Googlebot-Image\nUser-agent: Googlebot",
        "Yahoo! Slurp\nUser-agent: *",
    ] {
        assert_eq!(finding(alone).severity(), Severity::Note, "{alone}");
    }
}

/// Lists of hundreds of such names are copied from file to file.
#[test]
fn one_note_is_for_many_names_of_unknown_crawlers() {
    let file = |names: usize| {
        let agents = (0..names).map(|number| format!("User-agent: Plum Bot{number}\n"));
        agents.collect::<String>() + "Disallow: /tmp/\n"
    };
    assert_eq!(found(&file(4)).len(), 4);
    match found(&file(20)).as_slice() {
        [note] => {
            assert_eq!((note.line(), note.severity()), (1, Severity::Note));
            assert!(
                note.message()
                    .ends_with("19 further lines have such values, the last one line 20"),
                "{note}"
            );
        }
        others => panic!("{others:?}"),
    }
}

/// Bing's blog says that bingbot obeys directives for MSNBot where there are none for bingbot, and
/// Anthropic says so of ClaudeBot; nobody says that bingbot obeys or ignores those for
/// msnbot-media.
#[test]
fn a_message_about_a_retired_name_claims_what_is_documented() {
    let message = |file: &str| match found(file).as_slice() {
        [finding] => finding.message().to_owned(),
        others => panic!("{others:?}"),
    };
    assert_eq!(
        message("User-agent: msnbot\nDisallow: /tmp/\n"),
        "`msnbot` is a name that is no longer used, but Microsoft says that bingbot still obeys this group where no group names bingbot; write `bingbot` too"
    );
    assert!(
        message("User-agent: Claude-Web\nDisallow: /tmp/\n")
            .contains("Anthropic says that ClaudeBot still obeys this group")
    );
    assert_eq!(
        message("User-agent: msnbot-media\nDisallow: /tmp/\n"),
        "bingbot is not known to read this group: `msnbot-media` is a name that is no longer used; write `bingbot` too if you mean it"
    );
    assert!(
        message("User-agent: ia_archiver\nDisallow: /tmp/\n")
            .starts_with("no crawler is known to use the name ")
    );
}

/// The advice is never a name that is no longer used: `MSN` may have meant `msnbot`, which is
/// bingbot now.
#[test]
fn a_near_name_of_a_retired_crawler_leads_to_its_successor() {
    let found = found("User-agent: MSN\nUser-agent: IAArchiver-\nDisallow: /tmp/\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].message().contains("write `bingbot`"), "{found:?}");
}

/// Opinions are for those who ask for them.
#[test]
fn opinions_are_not_among_all_findings() {
    let file = "User-agent: *\nDisallow: /*?\nDisallow: /backup/\n";
    assert_eq!(found(file), []);
    let opinions = found_for(DiagnosticCode::NoSitemap, file);
    assert_eq!(opinions.len(), 3);
    assert!(opinions.iter().all(|finding| finding.code().is_opinion()));
    let codes = DiagnosticCode::ALL.iter().copied();
    assert_eq!(codes.filter(|code| code.is_opinion()).count(), 3);
    // An HTML page has no opinions, and neither has a file that is not a robots.txt.
    assert_eq!(found_for(DiagnosticCode::NoSitemap, "Not Found\n").len(), 1);
}

/// Sogou documents a name with blanks.
#[test]
fn a_documented_name_with_blanks_is_right() {
    assert_eq!(found("User-agent: Sogou web spider\nDisallow: /x\n"), []);
    assert_eq!(
        found("User-agent: Sogou net spider\nDisallow: /x\n").len(),
        1
    );
}

/// AdsBot-Google never reads the group for everyone, but a crawler that shares its group does.
#[test]
fn rules_for_everyone_are_not_missed_by_crawlers_that_never_read_them() {
    let lines = |agents: &str| {
        let file = format!("User-agent: *\nDisallow: /cart\n\n{agents}Disallow: /x\n");
        let found = found(&file);
        found
            .iter()
            .filter(|finding| finding.code() == DiagnosticCode::WildcardRulesDropped)
            .count()
    };
    assert_eq!(lines("User-agent: AdsBot-Google\n"), 0);
    assert_eq!(
        lines("User-agent: Mediapartners-Google\nUser-agent: AdsBot-Google\n"),
        0
    );
    assert_eq!(
        lines("User-agent: AdsBot-Google\nUser-agent: ExampleBot\n"),
        1
    );
    assert_eq!(lines("User-agent: ExampleBot\n"), 1);
}

/// A shop names an SEO tool for a delay alone; the tool shows `/cart` in no search.
#[test]
fn rules_for_everyone_are_little_missed_by_tools_that_show_the_site_to_nobody() {
    let severities = |agents: &str| -> Vec<Severity> {
        let file = format!("User-agent: *\nDisallow: /cart\n\n{agents}Crawl-delay: 10\n");
        let found = found(&file);
        let dropped =
            |finding: &&Diagnostic| finding.code() == DiagnosticCode::WildcardRulesDropped;
        let dropped = found.iter().filter(dropped);
        dropped.map(Diagnostic::severity).collect()
    };
    assert_eq!(severities("User-agent: MJ12bot\n"), [Severity::Note]);
    let previews = "User-agent: dotbot\nUser-agent: Pinterest\n";
    assert_eq!(severities(previews), [Severity::Note]);
    assert_eq!(severities("User-agent: bingbot\n"), [Severity::Warning]);
    assert_eq!(severities("User-agent: GPTBot\n"), [Severity::Warning]);
    let with_unknown = "User-agent: MJ12bot\nUser-agent: ExampleBot\n";
    assert_eq!(severities(with_unknown), [Severity::Warning]);
}

/// A site that lets in AhrefsBot is in no search engine; one that lets in a search engine is
/// closed to the others on purpose.
#[test]
fn a_closed_site_is_open_to_search_engines_alone() {
    let is_closed = |named: &str| {
        let file = format!("User-agent: *\nDisallow: /\n\n{named}");
        let found = found(&file);
        let closed = found
            .iter()
            .find(|finding| finding.code() == DiagnosticCode::SiteClosed);
        closed.is_some_and(|finding| {
            assert_eq!((finding.line(), finding.severity()), (2, Severity::Warning));
            let message = finding.message();
            assert!(
                message.contains("no known search engine may fetch"),
                "{message}"
            );
            true
        })
    };
    for spared in [
        "AhrefsBot",
        "Twitterbot",
        "ExampleBot",
        "GPTBot",
        "AdsBot-Google",
    ] {
        let is_spared = is_closed(&format!("User-agent: {spared}\nAllow: /\n"));
        assert!(is_spared, "{spared}");
    }
    // Bing and Yandex document that msnbot and Yandex are names of their crawlers too.
    for engine in [
        "Googlebot",
        "bingbot",
        "msnbot",
        "Yandex",
        "Googlebot-Image",
    ] {
        let is_spared = is_closed(&format!("User-agent: {engine}\nDisallow: /tmp/\n"));
        assert!(!is_spared, "{engine}");
    }
    let file = "User-agent: *\nDisallow: /\n\nUser-agent: AhrefsBot\nAllow: /\n";
    let without_table = Linter::without_crawlers().lint(&RobotsTxt::parse(file.as_bytes()));
    assert_eq!(without_table, []);
}

#[test]
fn default_files_have_no_warning() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/defaults");
    let mut files = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        files += 1;
        let found = found(&std::fs::read_to_string(&path).unwrap());
        let warnings: Vec<_> = found
            .iter()
            .filter(|finding| finding.severity() > Severity::Note)
            .collect();
        assert!(warnings.is_empty(), "{}: {warnings:#?}", path.display());
    }
    assert_eq!(files, 7);
}

/// Without its only rule the group of `*` would get the rules of the next.
#[test]
fn a_line_that_parts_two_groups_is_not_just_removed() {
    let found = found("User-agent: *\nDisallow: /\n\nUser-agent: AhrefsBot\nDisallow: /\n");
    let [finding] = &found[..] else {
        panic!("{found:?}");
    };
    assert_eq!(finding.code(), DiagnosticCode::SiteClosed);
    let message = finding.message();
    let words = [
        "if this is the live site, remove this line, which opens the whole site;",
        "an empty `Disallow:` takes its place",
    ];
    assert!(
        words.iter().all(|words| message.contains(words)),
        "{message}"
    );
}

/// An `Allow` that Google's matcher reads opens nothing in the group of another crawler, or beside
/// a longer `Disallow`; and a file of any length is asked about.
#[test]
fn google_reads_a_part_of_a_closed_site_where_its_matcher_says_so() {
    let comment = format!("# {}\n", "a".repeat(98)).repeat(1_000);
    for (file, is_opened) in [
        (
            "User-agent: *\nDisallow: /\nAllowance: /x\n".to_owned(),
            true,
        ),
        (
            format!("{comment}User-agent: *\nDisallow: /\nAllowance: /x\n"),
            true,
        ),
        (
            "User-agent: *\nDisallow: /\nAllowance: x\n".to_owned(),
            false,
        ),
        (
            "User-agent: *\nDisallow: /\nAllowance: /x\nDisallow: /x*\n".to_owned(),
            false,
        ),
        (
            "User-agent: PlumBot\nDisallow: /\nAllowance: /x\n\nUser-agent: *\nDisallow: /\n"
                .to_owned(),
            false,
        ),
    ] {
        let found = found(&file);
        let is_closed = |finding: &&Diagnostic| finding.code() == DiagnosticCode::SiteClosed;
        let closed = found.iter().find(is_closed).unwrap();
        let says = closed.message().contains("opens a part of it");
        assert_eq!(says, is_opened, "{}", closed.message());
    }
}

/// RFC 9309 §2.2.2: the `Allow` wins the tie, so the line forbids nothing, which one finding says.
#[test]
fn a_path_that_a_comment_cuts_off_says_whether_an_allow_wins() {
    let robots_txt = RobotsTxt::parse(b"User-agent: *\nAllow: /\nDisallow: /#/a\n");
    let found = Linter::new().lint(&robots_txt);
    let codes: Vec<DiagnosticCode> = found.iter().map(Diagnostic::code).collect();
    assert_eq!(codes, [DiagnosticCode::CommentInPath]);
    let said = "; an `Allow` takes precedence over it, so it closes nothing";
    assert!(found[0].message().contains(said), "{found:?}");
}

/// A crawler in the place of a path is closed by a group of its own, above that of the line.
#[test]
fn a_crawler_in_the_place_of_a_path_gets_a_group() {
    for (file, expected) in [
        (
            "User-agent: *\nDisallow: gptbot\nDisallow: /a/\n",
            "User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /a/\n",
        ),
        (
            "Sitemap: https://a.eu/s.xml\r\nUser-agent: *\r\nAllow: Googlebot # ours\r\n\r\nUser-agent: PlumBot\r\nDisallow: /\r\n",
            "Sitemap: https://a.eu/s.xml\r\nUser-agent: Googlebot\r\nAllow: /\r\n\r\nUser-agent: *\r\nDisallow: # ours\r\n\r\nUser-agent: PlumBot\r\nDisallow: /\r\n",
        ),
        (
            "User-agent: CCBot\nUser-agent: *\nDisallow: bingbot\nDisallow: /a/",
            "User-agent: bingbot\nDisallow: /\n\nUser-agent: CCBot\nUser-agent: *\nDisallow: /a/",
        ),
    ] {
        let found = Linter::new().lint(&RobotsTxt::parse(file.as_bytes()));
        let is_path = |finding: &&Diagnostic| finding.code() == DiagnosticCode::PathWithoutSlash;
        let finding = found.iter().find(is_path).unwrap();
        let message = finding.message();
        let is_said =
            message.contains(" is a crawler and no path") && message.contains("whole site");
        assert!(is_said && !message.contains("`/"), "{message}");
        let followed = finding.proposals()[0].apply(file.as_bytes());
        assert_eq!(String::from_utf8_lossy(&followed), expected);
    }
    // No group is there, and no crawler.
    for file in ["Disallow: GPTBot\n", "User-agent: *\nDisallow: PlumBot\n"] {
        let found = Linter::new().lint(&RobotsTxt::parse(file.as_bytes()));
        let is_about = |finding: &Diagnostic| finding.message().contains("is a crawler");
        assert!(!found.iter().any(is_about), "{found:?}");
    }
}
