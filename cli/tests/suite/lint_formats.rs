//! `robots lint --format`: the documents for programs, colours, and files that are hostile.

use polite_robots_lint::DiagnosticCode;
use serde_json::Value;
use serde_sarif::sarif::{ResultLevel, Sarif};

use crate::suite::robots::{Run, command, file, robots_reading, run, run_without_reader};

const FORMATS: [&str; 4] = ["human", "json", "sarif", "github"];

fn lint(robots_txt: impl AsRef<[u8]>, format: &str) -> Run {
    robots_reading(robots_txt, ["lint", "-", "--format", format])
}

#[test]
fn columns_are_characters_and_bytes_are_bytes() {
    let places = |robots_txt: &[u8]| -> Vec<(u64, u64, u64, u64)> {
        let document: Value = serde_json::from_str(&lint(robots_txt, "json").stdout).unwrap();
        let findings = document["files"][0]["findings"].as_array().unwrap();
        let number = |value: &Value| value.as_u64().unwrap();
        findings
            .iter()
            .map(|finding| {
                let (start, end) = (&finding["start"], &finding["end"]);
                (
                    number(&start["line"]),
                    number(&start["column"]),
                    number(&start["byte"]),
                    number(&end["column"]),
                )
            })
            .collect()
    };
    // The letter has two bytes and is one character. Bytes that are not UTF-8 are one character for
    // each U+FFFD that replaces them.
    assert_eq!(
        places("User-agent: *\nDisallow: é\n".as_bytes()),
        [(2, 11, 24, 12)]
    );
    assert_eq!(
        places(b"User-agent: *\nDisallow: /\xE2\x82/\xE9\0x\n"),
        [(2, 11, 24, 15), (2, 12, 25, 13), (2, 15, 29, 17)]
    );
    // A line may end with any of three line ends. The end of the file begins no line.
    assert_eq!(
        places(b"User-agent: *\r\nDisallow: a\rDisallow: b"),
        [(2, 11, 25, 12), (2, 12, 26, 1), (3, 11, 37, 12)]
    );
}

/// The types do not promise that places and texts are those of the file, so this is checked.
#[test]
fn sarif_is_sarif() {
    let text = "User-agent *\nDisalow: /é\nDisallow: y\n";
    let path = file("sarif é#1%.txt", text);
    let run = run(
        command()
            .args(["lint", "--format=sarif", "--deny=errors", "/nowhere/x"])
            .arg(&path),
        b"",
    );
    assert_eq!(run.code, 2);
    let sarif: Sarif = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(serde_json::to_value(&sarif.version).unwrap(), "2.1.0");
    let sarif_run = &sarif.runs[0];
    let driver = &sarif_run.tool.driver;
    let rules = driver.rules.as_ref().unwrap();
    let results = sarif_run.results.as_ref().unwrap();
    let found: Vec<&str> = results
        .iter()
        .map(|result| result.rule_id.as_deref().unwrap())
        .collect();
    assert_eq!(
        found,
        [
            "missing-colon",
            "misspelled-field",
            "non-ascii-in-path",
            "path-without-slash"
        ]
    );
    let levels: Vec<&ResultLevel> = results
        .iter()
        .map(|result| result.level.as_ref().unwrap())
        .collect();
    assert_eq!(
        levels,
        [
            &ResultLevel::Warning,
            &ResultLevel::Warning,
            &ResultLevel::Note,
            &ResultLevel::Error
        ]
    );
    for result in results {
        let rule = &rules[usize::try_from(result.rule_index.unwrap()).unwrap()];
        assert_eq!(Some(&rule.id), result.rule_id.as_ref());
        let help = rule.help.as_ref().unwrap();
        assert!(
            help.markdown
                .as_ref()
                .unwrap()
                .starts_with(&format!("# {}\n", rule.id))
        );
        let code = DiagnosticCode::from_name(&rule.id).unwrap();
        assert_eq!(rule.help_uri.as_deref(), Some(code.page_url()));
        let short = rule.short_description.as_ref().unwrap();
        assert!(short.text.ends_with('.') && !short.text.contains('\n'));
        let full = rule.full_description.as_ref().unwrap();
        assert!(full.text.ends_with('.') && !full.text.contains('\n'));

        let location = result.locations.as_ref().unwrap()[0]
            .physical_location
            .as_ref()
            .unwrap();
        let uri = location
            .artifact_location
            .as_ref()
            .unwrap()
            .uri
            .as_ref()
            .unwrap();
        assert!(uri.starts_with("file:///"), "{uri}");
        assert!(uri.ends_with("/sarif%20%C3%A9%231%25.txt"), "{uri}");

        let region = location.region.as_ref().unwrap();
        let number = |number: Option<i64>| usize::try_from(number.unwrap()).unwrap();
        let offset = number(region.byte_offset);
        let by_bytes = text
            .get(offset..offset + number(region.byte_length))
            .unwrap();
        let line = text.lines().nth(number(region.start_line) - 1).unwrap();
        let columns = number(region.end_column) - number(region.start_column);
        let by_columns: String = line
            .chars()
            .skip(number(region.start_column) - 1)
            .take(columns)
            .collect();
        assert_eq!(by_bytes, by_columns);
        assert_eq!(region.start_line, region.end_line);
    }
    let fixes = results[2].fixes.as_ref().unwrap();
    let replacement = &fixes[0].artifact_changes[0].replacements[0];
    assert_eq!(
        replacement
            .inserted_content
            .as_ref()
            .unwrap()
            .text
            .as_deref(),
        Some("/%C3%A9")
    );
    assert_eq!(replacement.deleted_region.byte_length, Some(3));
    assert!(results[3].fixes.is_none());

    let invocation = &sarif_run.invocations.as_ref().unwrap()[0];
    assert!(!invocation.execution_successful);
    let notifications = invocation.tool_execution_notifications.as_ref().unwrap();
    assert!(
        notifications[0]
            .message
            .text
            .as_ref()
            .unwrap()
            .starts_with("cannot read `/nowhere/x`")
    );
}

/// A fix that changes an answer, or that only the author can choose, is in no format.
#[test]
fn no_format_has_an_unsafe_suggestion() {
    // To Google the first would begin to match, the second loses a name, and the third is a
    // conflict.
    let robots_txt = "User-agent: * PlumBot\nDisallow: /x y\nAllow: /z\nDisallow: /z\n";
    let json: Value = serde_json::from_str(&lint(robots_txt, "json").stdout).unwrap();
    let findings = json["files"][0]["findings"].as_array().unwrap();
    assert_eq!(findings.len(), 3, "{findings:#?}");
    assert!(
        findings
            .iter()
            .all(|finding| finding["suggestion"].is_null())
    );
    assert!(!lint(robots_txt, "sarif").stdout.contains("\"fixes\""));
    assert!(!lint(robots_txt, "github").stdout.contains("[suggestion"));
    let human = lint(robots_txt, "human").stdout;
    assert!(
        human.contains("3 | Allow") || human.contains("4 | Disallow"),
        "{human}"
    );
    assert!(!human.contains("help:"), "{human}");
    let fix = run(
        command().args(["lint", "--fix", "-"]),
        robots_txt.as_bytes(),
    );
    assert_eq!(fix.stdout, "");
}

#[test]
fn sarif_of_a_file_in_the_working_directory_has_a_relative_uri() {
    let path = file("sarif-relative.txt", "Disallow: /\n");
    let run = run(
        command().current_dir(path.parent().unwrap()).args([
            "lint",
            "--format=sarif",
            "./sarif-relative.txt",
        ]),
        b"",
    );
    let document: Value = serde_json::from_str(&run.stdout).unwrap();
    let artifact = &document["runs"][0]["artifacts"][0];
    assert_eq!(artifact["location"]["uri"], "sarif-relative.txt");
    assert_eq!(artifact["length"], 12);
}

/// Escape sequences, forged workflow commands, marks that turn the text around, NULs, no text at
/// all.
#[test]
fn hostile_files_are_shown_safely() {
    let hostile: [&[u8]; 6] = [
        include_bytes!("../lint/evil.robots.txt"),
        b"\x1b]0;t\x07: \x9b31m\xC2\x9B\x7f\r::error::forged\n\xE2\x80\xAE::add-mask::x",
        &[0; 3_000],
        &[0xFF; 3_000],
        b"Disallow: /\xE2\x80\xA8forged\xE2\x80\xA9\xD8\x9C\nUser-agent: \x1b[31m\x08\nDisallow /\x1b[2J",
        b"\xEF\xBB\xBF\xEF\xBB\xBF\r\r\n\n\r\xEF\xBB",
    ];
    for robots_txt in hostile {
        for format in FORMATS {
            let run = lint(robots_txt, format);
            assert!(run.code < 2, "{run:?}");
            let is_hostile = |character: char| {
                character.is_control() && character != '\n'
                    || "\u{61c}\u{200e}\u{200f}\u{2028}\u{2029}\u{202e}\u{feff}".contains(character)
            };
            let is_escaped = |text: &str| match format {
                // A message of the library may quote the byte order mark, which is invisible but
                // harmless.
                "json" | "sarif" | "github" => text.replace('\u{feff}', ""),
                _ => text.to_owned(),
            };
            assert!(
                !is_escaped(&run.stdout).contains(is_hostile),
                "{format} {run:?}"
            );
            if format == "github" {
                let is_command = |line: &str| {
                    ["::error line=", "::warning line=", "::notice line="]
                        .iter()
                        .any(|start| line.starts_with(start))
                };
                assert!(run.stdout.lines().all(is_command), "{run:?}");
            }
        }
    }
}

#[test]
fn a_line_of_a_megabyte_is_cut_around_the_finding() {
    let path = "a".repeat(500_000) + "$" + &"b".repeat(500_000);
    let run = lint(format!("User-agent: *\nDisallow: /{path}\n"), "human");
    assert!(
        run.stdout.contains("…aaa") && run.stdout.contains("aaa$bbb"),
        "{run:?}"
    );
    assert!(run.stdout.contains("--> -:2:500012\n"));
    assert!(run.stdout.lines().all(|line| line.chars().count() < 300));
}

#[test]
fn colours_are_for_terminals_or_whoever_asks() {
    let faulty = b"User-agent *\nDisallow: y\n";
    for format in FORMATS {
        let arguments = ["lint", "-", "--format", format];
        assert!(
            !run(command().args(arguments), faulty)
                .stdout
                .contains('\u{1b}')
        );
        let forced = run(command().env("CLICOLOR_FORCE", "1").args(arguments), faulty);
        assert_eq!(
            forced.stdout.contains('\u{1b}'),
            format == "human",
            "{forced:?}"
        );
        let refused = run(command().env("NO_COLOR", "1").args(arguments), faulty);
        assert!(!refused.stdout.contains('\u{1b}'), "{refused:?}");
    }
}

#[test]
fn a_closed_pipe_is_quiet_and_keeps_the_answer() {
    let faulty = file(
        "lint-closed-pipe.txt",
        "User-agent: *\nDisalow: /\n".repeat(4_000),
    );
    for arguments in [
        &["lint"][..],
        &["lint", "--format=json"],
        &["lint", "--fix"],
    ] {
        let run = run_without_reader(command().args(arguments).arg(&faulty));
        assert_eq!(run.code, 1);
        assert!(
            run.stderr.is_empty() || run.stderr.ends_with("rerun with --write to apply\n"),
            "{run:?}"
        );
    }
}
