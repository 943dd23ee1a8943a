//! Tests of findings: the cases of testdata/diagnostics/, whose README documents the format, the
//! pages of the codes, and the laws of suggestions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use polite_robots::{Dialect, Options, Robot, RobotsTxt};
use polite_robots_lint::{Diagnostic, DiagnosticCode, Linter, Sink};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use serde::Deserialize;

use super::case_files::case_files;
use super::fixed::{assert_apart, assert_means_the_same, findings, findings_on, fixes, with};
use super::notation::{self, Encoding, Repeat};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    severity: String,
    hit: Vec<Case>,
    near_miss: Vec<Case>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    why: String,
    robots: String,
    /// The host of the file.
    host: Option<String>,
    dialect: Option<Reading>,
    encoding: Option<Encoding>,
    max_bytes: Option<usize>,
    repeat: Option<Repeat>,
    findings: Vec<Expected>,
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Reading {
    Google,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    line: u32,
    code: String,
    text: String,
    suggestion: Option<String>,
    /// The expected severity; by default the severity of the code.
    severity: Option<String>,
    /// A part of the message.
    says: Option<String>,
}

#[test]
fn every_code_has_hits_and_near_misses() {
    let (mut names, mut hits, mut near_misses) = (BTreeSet::new(), 0, 0);
    let mut wrong = Vec::new();
    let mut files: BTreeMap<DiagnosticCode, CaseFile> = case_files("diagnostics")
        .map(|(path, file)| (code_of(&path), file))
        .collect();
    for code in DiagnosticCode::ALL {
        let cases = files.remove(code).unwrap_or_else(|| panic!("{code}"));
        assert!(
            !cases.hit.is_empty() && !cases.near_miss.is_empty(),
            "{code}"
        );
        assert_eq!(cases.severity, code.severity().as_str(), "{code}");
        hits += cases.hit.len();
        near_misses += cases.near_miss.len();
        let is_expected = |case: &Case| {
            let mut codes = case.findings.iter().map(|expected| &expected.code);
            codes.any(|expected| expected == code.as_str())
        };
        for case in &cases.hit {
            assert!(is_expected(case), "{} does not report its code", case.name);
        }
        for case in &cases.near_miss {
            assert!(
                !is_expected(case),
                "{} reports its code, but it is a near miss",
                case.name
            );
        }
        for case in cases.hit.iter().chain(&cases.near_miss) {
            assert!(
                names.insert(case.name.clone()),
                "{} is used twice",
                case.name
            );
            assert!(case.why.contains(": "), "{} names no authority", case.name);
            // `crawlers.rs` runs the others.
            if !code.needs_known_crawlers() && !code.is_opinion() {
                wrong.extend(case.failure());
            }
        }
    }
    println!(
        "diagnostics: {hits} hits, {near_misses} near misses, {} wrong",
        wrong.len()
    );
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_case_file_belongs_to_a_code() {
    let files = case_files::<CaseFile>("diagnostics");
    let codes: BTreeSet<DiagnosticCode> = files.map(|(path, _)| code_of(&path)).collect();
    assert_eq!(codes.len(), DiagnosticCode::ALL.len());
}

fn code_of(path: &Path) -> DiagnosticCode {
    let name = path.file_stem().unwrap().to_str().unwrap();
    DiagnosticCode::from_name(name).unwrap_or_else(|| panic!("{}", path.display()))
}

impl Case {
    fn failure(&self) -> Option<String> {
        let bytes = |text: &str| notation::bytes(text, self.repeat.as_ref(), self.encoding);
        let file = bytes(&self.robots);
        let mut options = match self.dialect {
            None => Options::rfc9309(),
            Some(Reading::Google) => Options::google(),
        };
        options.max_bytes = self.max_bytes;
        let found = findings_on(self.host.as_deref(), &file, &options);
        check_findings(&file, &options);
        let row = |line, code: &str, severity: &str, text: &[u8], suggestion: Option<&str>| {
            let text = String::from_utf8_lossy(text);
            let shown: String = text.chars().take(80).collect();
            format!(
                "line {line} {severity} {code} {} {shown:?} {suggestion:?}",
                text.len()
            )
        };
        let of_found = |finding: &Diagnostic| {
            let text = &file[finding.span()];
            row(
                finding.line(),
                finding.code().as_str(),
                finding.severity().as_str(),
                text,
                finding.suggestion(),
            )
        };
        let of_expected = |expected: &Expected| {
            let suggestion = expected.suggestion.as_deref();
            let of_code = || {
                DiagnosticCode::from_name(&expected.code)
                    .map_or("", |code| code.severity().as_str())
            };
            row(
                expected.line,
                &expected.code,
                expected.severity.as_deref().unwrap_or_else(of_code),
                &bytes(&expected.text),
                suggestion,
            )
        };
        let mut says = found.iter().zip(&self.findings);
        let unsaid = says.find_map(|(found, expected)| {
            let says = expected.says.as_deref()?;
            (!found.message().contains(says))
                .then(|| format!("{}: {says}\n not in {}", self.name, found.message()))
        });
        let found: Vec<String> = found.iter().map(of_found).collect();
        let expected: Vec<String> = self.findings.iter().map(of_expected).collect();
        if found == expected {
            return unsaid;
        }
        let (found, expected) = (found.join("\n  "), expected.join("\n  "));
        Some(format!("{}:\n  {found}\n not\n  {expected}", self.name))
    }
}

/// A sink that reads no text.
#[derive(Default)]
struct WithoutText {
    found: Vec<Diagnostic>,
}

impl Sink for WithoutText {
    fn report(&mut self, diagnostic: Diagnostic) {
        self.found.push(diagnostic);
    }

    fn reads_text(&self) -> bool {
        false
    }
}

/// Checks that a sink that reads no text gets the same findings, and that those of lines have no
/// text.
fn check_without_text(file: &[u8], options: &Options) {
    let robots_txt = RobotsTxt::parse_with(file, options);
    let without_text = |linter: &Linter| {
        let mut without_text = WithoutText::default();
        linter.report(&robots_txt, &mut without_text);
        without_text.found
    };
    let bare = |found: Vec<Diagnostic>| -> Vec<Diagnostic> {
        let bare = found.iter().map(|finding| {
            Diagnostic::new(finding.code(), finding.line(), finding.span(), "")
                .with_severity(finding.severity())
        });
        bare.collect()
    };
    let (lines, all) = (Linter::without_crawlers().only_lines(), Linter::new());
    assert_eq!(without_text(&lines), bare(lines.lint(&robots_txt)));
    assert_eq!(bare(without_text(&all)), bare(all.lint(&robots_txt)));
}

/// Checks the laws of all findings of a file, and of their suggestions.
fn check_findings(file: &[u8], options: &Options) {
    check_without_text(file, options);
    let found = findings(file, options);
    // The fixed file is read without a limit, which would cut it at another place.
    let read = RobotsTxt::parse_with(file, options);
    let read = read.as_bytes();
    let unlimited = Options::new(options.dialect).with_max_bytes(usize::MAX);
    for finding in &found {
        let message = finding.message();
        assert!(!message.is_empty() && !message.ends_with('.'), "{message}");
        assert!(
            !message.contains(['\n', '\r']) && message.len() < 500,
            "{message}"
        );
        assert!(
            finding.line() > 0 && finding.span().end <= read.len(),
            "{finding:?}"
        );
    }
    for finding in found
        .iter()
        .filter(|finding| finding.suggestion().is_some())
    {
        let fix = fixes(std::slice::from_ref(finding));
        assert!(!finding.span().is_empty(), "{finding:?}");
        let fixed = with(read, &fix);
        let is_gone = findings(&fixed, &unlimited)
            .iter()
            .all(|left| (left.code(), left.line()) != (finding.code(), finding.line()));
        assert!(is_gone, "{finding:?} is still reported after its fix");
        assert_means_the_same(read, &fixed);
        // `Sitemap_index` is a sitemap in the Google dialect only; there the suggestion keeps it.
        let sitemaps_of = |file| RobotsTxt::parse_with(file, &unlimited);
        assert!(
            sitemaps_of(read)
                .sitemaps()
                .eq(sitemaps_of(&fixed).sitemaps())
        );
    }
    let fixes = fixes(&found);
    assert_apart(&fixes);
    assert_means_the_same(read, &with(read, &fixes));
}

#[test]
fn every_page_is_complete_and_its_examples_hold() {
    const PARTS: [&str; 4] = [
        "Example",
        "Why it matters",
        "What Google does",
        "How to fix it",
    ];

    for code in DiagnosticCode::ALL {
        let page = code.page();
        let mut parts = page.split("\n## ");
        let title = parts.next().unwrap();
        let sentence = title
            .strip_prefix(&format!("# {code}\n\n"))
            .unwrap_or_else(|| panic!("{code}: {title}"));
        assert_eq!(
            sentence.trim_end().matches(". ").count(),
            0,
            "{code}: {sentence}"
        );
        assert!(sentence.trim_end().ends_with('.'), "{code}: {sentence}");
        let parts: Vec<(&str, &str)> = parts.map(|part| part.split_once("\n\n").unwrap()).collect();
        let headings: Vec<&str> = parts.iter().map(|(heading, _)| *heading).collect();
        assert_eq!(headings, PARTS, "{code}");
        assert!(
            parts.iter().all(|(_, text)| !text.trim().is_empty()),
            "{code}"
        );
        assert!(
            !page.contains("]("),
            "{code}: a Markdown link reads badly as plain text"
        );

        // `crawlers.rs` holds the examples of the others.
        if code.needs_known_crawlers() || code.is_opinion() {
            continue;
        }
        let options = match page.split_once("Read with a limit of ") {
            Some((_, rest)) => {
                let digits = rest.split(' ').next().unwrap();
                Options::rfc9309().with_max_bytes(digits.parse().unwrap())
            }
            None => Options::rfc9309(),
        };
        let host = page.split_once("Read on the host `");
        let host = host.and_then(|(_, rest)| rest.split('`').next());
        assert_eq!(host.is_some(), code.needs_host(), "{code}");
        let example = findings_on(host, &bytes_of_block(parts[0].1), &options);
        assert!(
            example.iter().any(|finding| finding.code() == *code),
            "{code}: {example:?}"
        );
        let fix = findings_on(host, &bytes_of_block(parts[3].1), &options);
        assert!(fix.is_empty(), "{code}: {fix:?}");
    }
}

/// Reads the bytes of the only text block: `<EF BB>` stands for two bytes, `<20 × "a">` for twenty
/// times `a`.
fn bytes_of_block(part: &str) -> Vec<u8> {
    let mut blocks = part.split("```text\n").skip(1);
    let (block, _) = blocks.next().unwrap().split_once("\n```").unwrap();
    assert_eq!(blocks.next(), None, "{part}");
    let mut bytes = Vec::new();
    let mut rest = block;
    while let Some((before, from)) = rest.split_once('<') {
        bytes.extend(before.bytes());
        let placeholder = from
            .split_once('>')
            .and_then(|(text, after)| Some((placeholder_bytes(text)?, after)));
        rest = match placeholder {
            Some((meant, after)) => {
                bytes.extend(meant);
                after
            }
            None => {
                bytes.push(b'<');
                from
            }
        };
    }
    bytes.extend(rest.bytes());
    bytes
}

fn placeholder_bytes(placeholder: &str) -> Option<Vec<u8>> {
    if let Some((times, quoted)) = placeholder.split_once(" × ") {
        let text = quoted.strip_prefix('"')?.strip_suffix('"')?;
        return Some(text.repeat(times.parse().ok()?).into_bytes());
    }
    let byte = |text: &str| {
        let is_upper_hex = |digit: u8| matches!(digit, b'0'..=b'9' | b'A'..=b'F');
        let is_byte = text.len() == 2 && text.bytes().all(is_upper_hex);
        u8::from_str_radix(text, 16).ok().filter(|_| is_byte)
    };
    placeholder.split(' ').map(byte).collect()
}

const STARTS: &[&[u8]] = &[
    b"",
    b"",
    b"",
    b"\xEF\xBB\xBF",
    b"\xEF",
    b"\xEF\xBB",
    b"\xEF\xBB\xBF\xEF\xBB\xBF",
    b"\xEF\xEF\xBB\xBF",
    b"\xFF\xFE",
    b"<!-- ",
];

const FIELDS: &[&[u8]] = &[
    b"User-agent",
    b"User-agent",
    b"user agent",
    b"Useragent",
    b"User-agents",
    b"Disallow",
    b"Disallow",
    b"Disallow",
    b"disalow",
    b"Disallowed",
    b"Disallow /a",
    b"disalow /a",
    b"Allow",
    b"Allow",
    b"Allowed",
    b"Crawl-delay",
    b"crawl delay",
    b"Sitemap",
    b"site-map",
    b"Sitemap x",
    b"Noindex",
    b"Host",
    b"Request-rate",
    b"Nofollow",
    b"Colour",
    b"\xEF\xBB\xBFDisallow",
    b"#Disallow",
    b"Disallow\0",
    b"",
];

const SEPARATORS: &[&[u8]] = &[
    b": ", b": ", b": ", b":", b" ", b"\t \x0B", b" : ", b"\x0C:", b"",
];

const VALUES: &[&[u8]] = &[
    b"*",
    b"*",
    b"* all",
    b"* , b",
    b"*, b",
    b"ExampleBot",
    b"ExampleBot",
    b"examplebot/2.1",
    b"Example Bot",
    b"Plum.",
    b"Plum*",
    b"Plum\xC2\xAE",
    b"/\xE9",
    b"/a /b c",
    b"a, b",
    b"MJ12bot",
    b"360Spider, b",
    b"",
    b"",
    b"/",
    b"/a",
    b"/a",
    b"/%61",
    b"/a*",
    b"/*a",
    b"/a$",
    b"/a$b",
    b"/a /b",
    b"/a b$",
    b"/\xC3\xA9",
    b"/\xC3\xA9 \xE9$",
    b"/a% b",
    b"/a%2\xC3\xA9",
    b"/a\x0Cb",
    b"/a\x0Bb",
    b"/a\x01",
    b"/a\0b",
    b"/robots.txt$",
    b"a",
    b"http://h/a",
    b"http://h/s.xml",
    b"/s.xml",
    b"5",
    b"0,5",
    b"3600",
    b"x:y",
];

const TAILS: &[&[u8]] = &[b"", b"", b"", b" ", b" # c", b"#\xE9", b"\x0B", b"\0"];

const ENDS: &[&[u8]] = &[b"\n", b"\n", b"\n", b"\r\n", b"\r"];

fn files() -> impl Strategy<Value = Vec<u8>> {
    let line = (
        select(FIELDS),
        select(SEPARATORS),
        select(VALUES),
        select(TAILS),
    )
        .prop_map(|(field, separator, value, tail)| [field, separator, value, tail].concat());
    (select(STARTS), vec((line, select(ENDS)), 0..12)).prop_map(|(start, lines)| {
        let lines = lines
            .into_iter()
            .flat_map(|(line, end)| [line, end.to_vec()].concat());
        start.iter().copied().chain(lines).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(if cfg!(debug_assertions) { 2_000 } else { 20_000 }) })]

    #[test]
    fn any_bytes_have_findings_inside_the_file(file in prop_oneof![vec(any::<u8>(), 0..300), files()], google: bool, max_bytes in proptest::option::of(0_usize..300)) {
        let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
        let mut options = Options::new(dialect);
        options.max_bytes = max_bytes;
        let robots_txt = RobotsTxt::parse_with(&file, &options);
        for finding in Linter::new().with_opinions().lint(&robots_txt) {
            let span = finding.span();
            prop_assert!(span.start <= span.end && span.end <= robots_txt.as_bytes().len(), "{finding:?}");
            prop_assert!(finding.line() > 0 && !finding.message().is_empty());
        }
    }

    #[test]
    fn suggestions_fix_and_keep_the_meaning(file in files(), google: bool) {
        let dialect = if google { Dialect::Google } else { Dialect::Rfc9309 };
        check_findings(&file, &Options::new(dialect));
    }

    /// A caller need not sort the findings.
    #[test]
    fn findings_come_in_the_order_of_the_file(file in files()) {
        let robots_txt = RobotsTxt::parse(&file);
        let found = Linter::new().with_opinions().lint(&robots_txt);
        prop_assert!(found.is_sorted_by_key(Diagnostic::line), "{found:?}");
    }
}

/// RFC 9309 compares `%25` and a bare `%`, `%24` and `$` as the same; Google's matcher compares
/// them as written.
#[test]
fn hints_about_escapes_say_what_they_change_for_google() {
    let texts = [
        "", "a", "%", "%25", "%20", "%2g", "$", "%24", "a%b", "a%25b",
    ];
    let urls = || {
        texts
            .iter()
            .flat_map(|one| texts.map(|other| format!("/{one}{other}")))
    };
    for (path, sign, escape) in [
        ("/%", "%", "%25"),
        ("/*%", "%", "%25"),
        ("/a%b", "%", "%25"),
        ("/*%2g", "%", "%25"),
        ("/$a", "$", "%24"),
        ("/*$%24", "$", "%24"),
    ] {
        let file = |path: &str| format!("User-agent: *\nDisallow: {path}");
        let followed = path.replacen(sign, escape, 1);
        let says_so = |finding: &Diagnostic| {
            let effect = format!("Google matches only URLs that contain `{escape}`");
            finding.message().contains(&effect)
        };
        let found = findings(file(path).as_bytes(), &Options::rfc9309());
        assert!(found.iter().any(says_so), "{path}");
        let closed = |path: &str, options: &Options| -> Vec<String> {
            let robot = Robot::with_options("*", file(path).as_bytes(), options).unwrap();
            urls().filter(|url| !robot.allowed(url)).collect()
        };
        let rfc9309 = Options::rfc9309();
        assert_eq!(
            closed(path, &rfc9309),
            closed(&followed, &rfc9309),
            "{path}"
        );
        let google = closed(&followed, &Options::google());
        assert!(google.iter().all(|url| url.contains(escape)), "{path}");
        assert_ne!(closed(path, &Options::google()), google, "{path}");
    }
}
