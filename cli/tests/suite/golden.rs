//! Commands with everything that they print: tests/golden/ has a file for each case. After a change
//! of the output, run the tests with `UPDATE_EXPECTED=1` and read the difference.
//!
//! A case says first what it is about. Its sections begin with `== `: `file NAME` is written before
//! the commands below it, and `stdin` is the input of all of them. `$ robots …` is a command in the
//! folder of the files; a word of it may stand in single quotes. The sections after it are what it
//! did: `exit` where the code is not 0, `stdout`, `stderr`, and `wrote` or `removed` for each file
//! that it changed. `note` is a comment. Text is written as Rust escapes it, and a backslash at the
//! end of a line takes the line end away.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use similar::{Algorithm, ChangeTag, capture_diff_slices};

use crate::suite::robots::{command, output, scratch};

/// A test for each case, and the names of all of them.
macro_rules! cases {
    ($($(#[$if:meta])* $topic:ident: $($case:ident)*;)*) => {
        $($(#[$if])* mod $topic {
            $(#[test] fn $case() { super::assert_as_expected(stringify!($topic), stringify!($case)); })*
        })*
        const CASES: &[(&str, &[&str])] = &[$((stringify!($topic), &[$(stringify!($case)),*])),*];
    };
}

cases! {
    agents:
        a_file_that_is_not_there_is_named a_purpose_chooses_known_crawlers a_use_is_listed_apart
        crawlers_that_may_have_been_forgotten_are_named
        each_agent_has_a_line_and_known_crawlers_are_counted the_document_is_stable
        the_use_that_a_signal_permits_is_shown
        where_no_group_is_for_everyone_others_may_fetch_everything;
    check:
        a_cut_file_is_announced_and_its_half_line_does_not_count a_file_need_not_be_text
        a_list_that_is_empty_or_no_text_is_an_error a_very_long_url_does_not_widen_the_column
        agents_and_urls_make_a_table_with_the_lines_below all_allowed_is_exit_code_0
        an_argument_that_is_taken_for_a_host_is_said colours_where_they_are_asked_for
        control_characters_of_a_url_are_escaped each_agent_and_url_is_a_line
        every_reason_has_its_name more_agents_than_urls_go_down no_colour_in_a_pipe
        one_bad_agent_of_several_is_named one_disallowed_is_exit_code_1 the_dialect_decides
        the_document_is_stable_to_the_byte the_document_of_several_agents_is_stable
        the_head_says_what_was_asked the_line_says_which_group_was_asked
        urls_come_from_standard_input urls_come_from_the_command_line_and_then_from_a_file;
    diff:
        a_change_of_use_is_a_change a_changed_answer_has_both_lines
        a_pattern_may_match_within_an_escape a_preference_for_a_path_is_found
        a_use_is_called_no_crawler agents_with_the_same_changes_stand_together
        an_agent_that_is_no_longer_named_obeys_the_wildcard another_order_and_layout_is_no_change
        delays_are_told_in_seconds equal_groups_are_one_block_wherever_they_stand
        only_the_chosen_agents_are_asked records_beside_the_rules_are_changes_too
        rules_of_which_nothing_comes_are_no_change the_directory_of_an_index_page_is_asked_about
        the_document_is_stable urls_of_a_list_are_all_shown what_is_wrong_is_named;
    edit:
        a_diff_shows_the_change a_name_that_lint_would_warn_of_is_refused
        a_use_has_a_group_of_its_own a_word_that_names_no_crawler_is_refused
        crawlers_that_need_not_obey_are_not_closed the_crawlers_that_follow_another_are_named
        the_file_is_written_and_stays_as_asked what_cannot_be_edited_stays_as_it_is
        wrong_requests_are_errors_that_say_what_to_do;
    errors:
        a_list_that_is_not_there a_list_that_is_not_utf8 a_list_without_urls
        a_robots_txt_that_is_not_there a_url_for_the_robots_txt a_user_agent_header_for_a_token
        an_agent_that_is_nothing_at_all an_empty_url an_unknown_dialect no_agent no_url
        standard_input_for_both;
    explain:
        a_named_agent_hears_what_the_wildcard_would_have_said a_tie_is_explained
        groups_that_count_as_one_are_named it_is_for_people other_rules_that_match_are_listed
        several_agents_and_urls_come_one_after_the_other the_deciding_line_stands_in_its_place
        the_file_itself_needs_no_rule where_the_dialects_differ_both_say_so
        without_a_group_the_file_says_whom_it_names;
    fmt:
        a_canonical_file_passes_the_check a_file_is_written_only_when_asked
        another_file_fails_the_check_with_the_difference the_canonical_form_is_printed
        what_cannot_be_is_refused what_is_left_out_is_said;
    lint:
        a_clean_file_has_no_findings a_folder_and_a_pattern_stand_for_files
        a_suggestion_for_github_is_readable an_unknown_code_is_named_with_the_nearest
        contradictions_are_refused each_of_many_files_is_named
        findings_are_shown_in_the_order_of_the_file_and_counted
        five_findings_of_a_kind_are_shown_and_the_others_counted
        github_gets_a_command_for_each_finding github_gets_no_name_for_standard_input
        notes_alone_are_exit_code_0_unless_denied of_no_file_there_is_no_summary
        quiet_is_the_exit_code_alone the_dialect_and_the_limit_count
        the_json_document_is_stable_to_the_byte
        the_page_of_a_code_is_named_where_the_code_comes_first
        the_short_format_is_a_line_for_each_finding warnings_are_denied_unless_errors_alone_are
        what_is_allowed_is_left_out;
    lint_fix:
        a_diff_for_the_eye_is_safe a_diff_is_printed_and_the_file_stays a_file_is_fixed_once
        a_file_without_fixes_has_no_diff a_name_with_a_blank_ends_in_a_tab_as_patch_wants_it
        nothing_is_said_of_a_file_that_cannot_be_read standard_input_is_fixed_as_a_diff
        what_a_comment_allows_is_not_fixed what_is_left_out_is_not_fixed
        written_files_keep_all_else_and_what_remains_is_shown;
    #[cfg(feature = "site")]
    obeyed:
        a_log_of_several_hosts_asks_for_one
        each_crawler_has_a_row_and_the_lines_that_it_did_not_obey
        google_is_not_blamed_for_a_delay_that_it_ignores the_answer_is_yes_where_all_obeyed
        the_document_is_stable the_logs_of_three_services_are_read
        wrong_input_is_an_error_that_says_what_to_do;
    operator:
        a_dialect_is_asked_by_the_name_alone a_name_that_is_no_longer_used_is_said
        googles_crawlers_read_as_googles_matcher_does nothing_is_noted_where_the_readings_agree
        programs_and_explanations_have_the_note_too several_answers_are_named_with_their_urls
        the_operators_statement_decides_and_is_a_note what_is_no_robots_txt_is_said_by_all;
    page:
        a_noindex_on_a_closed_page_is_never_seen a_page_with_the_status_of_an_error_is_not_indexed
        each_agent_has_its_uses_with_the_rule_that_decides
        headers_come_from_the_command_line_a_file_or_before_the_page
        json_has_each_use_and_each_statement other_uses_are_listed_where_a_rule_is_about_them
        rules_without_an_effect_are_named_with_the_right_ones what_cannot_be_read_has_a_sentence;
    #[cfg(feature = "site")]
    sitemap:
        a_line_of_json_for_each_url an_index_asks_about_the_sitemaps_in_it
        another_host_is_asked_about_where_it_is_named disallowed_urls_are_counted_by_line
        the_document_is_stable wrong_input_is_an_error_that_says_what_and_where;
    test:
        a_comment_may_follow_an_expectation a_document_has_every_answer_with_the_line_that_decides
        all_as_expected_is_exit_code_0 the_line_that_decides_is_named
        what_is_no_expectation_is_named;
}

#[test]
fn no_case_is_lost() {
    let mut named: Vec<PathBuf> = CASES
        .iter()
        .flat_map(|(topic, cases)| cases.iter().map(|case| path(topic, case)))
        .collect();
    let topics = fs::read_dir(golden()).unwrap();
    let cases = topics.flat_map(|topic| fs::read_dir(topic.unwrap().path()).unwrap());
    let mut found: Vec<PathBuf> = cases.map(|case| case.unwrap().path()).collect();
    named.sort();
    found.sort();
    assert_eq!(named, found);
}

fn assert_as_expected(topic: &str, case: &str) {
    let path = path(topic, case);
    let expected = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let folder = scratch().join("golden").join(topic).join(case);
    let found = with_real_output(&expected, &folder);
    if std::env::var_os("UPDATE_EXPECTED").is_some() {
        fs::write(&path, &found).unwrap();
    } else if found != expected {
        panic!("{}:\n{}", path.display(), difference(&expected, &found));
    }
}

/// The lines that differ, each with `-` or `+`, and as Rust escapes them.
fn difference(expected: &str, found: &str) -> String {
    let [expected, found] =
        [expected, found].map(|text| text.split_inclusive('\n').collect::<Vec<_>>());
    let ops = capture_diff_slices(Algorithm::Myers, &expected, &found);
    let changes = ops.iter().flat_map(|op| op.iter_changes(&expected, &found));
    let changed = changes.filter(|change| change.tag() != ChangeTag::Equal);
    changed
        .map(|change| format!("{}{:?}\n", change.tag(), change.value()))
        .collect()
}

/// The case with the real effects of its commands.
fn with_real_output(case: &str, folder: &Path) -> String {
    let _ = fs::remove_dir_all(folder);
    fs::create_dir_all(folder).unwrap();
    let (mut real, mut stdin) = (String::new(), Vec::new());
    for (head, content) in sections(case) {
        let (kind, rest) = head.split_once(' ').unwrap_or((head, ""));
        match kind {
            "file" => {
                let path = folder.join(rest);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, unescaped(&content)).unwrap();
            }
            "stdin" => stdin = unescaped(&content),
            "" | "$" | "note" => {}
            "exit" | "stdout" | "stderr" | "wrote" | "removed" => continue,
            _ => panic!("`{kind}` is no kind of section"),
        }
        if !kind.is_empty() {
            real += &format!("== {head}\n");
        }
        real += &content;
        if kind == "$" {
            real += &outcome(rest, &stdin, folder);
        }
    }
    real
}

/// The sections, each with its head and its lines. The description of the case has no head.
fn sections(case: &str) -> Vec<(&str, String)> {
    let mut sections = vec![("", String::new())];
    for line in case.split_inclusive('\n') {
        match line.strip_prefix("== ") {
            Some(head) => sections.push((head.trim_end_matches('\n'), String::new())),
            None => sections.last_mut().unwrap().1 += line,
        }
    }
    sections
}

/// The sections with the effects of a command.
fn outcome(line: &str, stdin: &[u8], folder: &Path) -> String {
    let words = line.split('\'').enumerate();
    let words = words.flat_map(|(number, part)| match number % 2 {
        0 => part.split(' ').filter(|word| !word.is_empty()).collect(),
        _ => vec![part],
    });
    let words = words.map(|word| String::from_utf8(unescaped(word)).unwrap());
    let words: Vec<String> = words.collect();
    let program = words.iter().position(|word| word == "robots").unwrap();
    let variables = words[..program]
        .iter()
        .map(|word| word.split_once('=').unwrap());
    let mut command = command();
    command
        .env_remove("COLUMNS")
        .envs(variables)
        .args(&words[program + 1..])
        .current_dir(folder);
    let before = files(folder);
    let output = output(&mut command, stdin);
    let after = files(folder);
    let code = output.status.code().unwrap();
    let mut told = match code {
        0 => String::new(),
        _ => format!("== exit {code}\n"),
    };
    let mut tell = |head: &str, bytes: &[u8]| told += &format!("== {head}\n{}", escaped(bytes));
    for (head, bytes) in [("stdout", &output.stdout), ("stderr", &output.stderr)] {
        if !bytes.is_empty() {
            tell(head, bytes);
        }
    }
    for (name, content) in &after {
        if before.get(name) != Some(content) {
            tell(&format!("wrote {name}"), content);
        }
    }
    for name in before.keys().filter(|name| !after.contains_key(*name)) {
        tell(&format!("removed {name}"), b"");
    }
    told
}

/// The names of the files in a folder and those below it, with their content.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            let below = self::files(&path).into_iter();
            files.extend(below.map(|(below, content)| (format!("{name}/{below}"), content)));
        } else {
            files.insert(name.to_owned(), fs::read(&path).unwrap());
        }
    }
    files
}

/// The bytes as lines of text, without the parts that differ between systems and versions.
fn escaped(bytes: &[u8]) -> String {
    let mut text = String::new();
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' | '"' | '\'' => text.push(character),
                _ => text.extend(character.escape_debug()),
            }
        }
        text.extend(chunk.invalid().iter().map(|byte| format!("\\x{byte:02X}")));
    }
    if !text.is_empty() && !text.ends_with('\n') {
        text += "\\\n";
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let line = match line.strip_prefix("== ") {
            Some(rest) => format!("\\u{{3d}}= {rest}"),
            None => line.to_owned(),
        };
        let Some((message, rest)) = line.split_once(" (os error ") else {
            return line;
        };
        let (before, _) = message.rsplit_once(": ").unwrap();
        let (_, rest) = rest.split_once(')').unwrap();
        format!("{before}: [error]{rest}")
    });
    let text: String = lines.collect();
    text.replace("robots.exe", "robots")
        .replace(env!("CARGO_PKG_VERSION"), "[version]")
}

fn unescaped(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some((before, escape)) = rest.split_once('\\') {
        bytes.extend(before.as_bytes());
        let (kind, after) = escape.split_at(1);
        rest = after;
        match kind {
            "\n" => {}
            "x" => {
                let (code, after) = after.split_at(2);
                bytes.push(u8::from_str_radix(code, 16).unwrap());
                rest = after;
            }
            "u" => {
                let (code, after) = after.strip_prefix('{').unwrap().split_once('}').unwrap();
                let code = u32::from_str_radix(code, 16).unwrap();
                bytes.extend(char::from_u32(code).unwrap().to_string().as_bytes());
                rest = after;
            }
            _ => bytes.push(match kind {
                "n" => b'\n',
                "r" => b'\r',
                "t" => b'\t',
                "0" => 0,
                "\\" => b'\\',
                _ => panic!("`\\{kind}` is no escape"),
            }),
        }
    }
    bytes.extend(rest.as_bytes());
    bytes
}

fn path(topic: &str, case: &str) -> PathBuf {
    golden().join(topic).join(case).with_extension("txt")
}

fn golden() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}
