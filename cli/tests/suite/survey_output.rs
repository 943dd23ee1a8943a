//! The output of `robots survey`: it never replaces an input, and the command knows before the work
//! that it can be written.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::suite::robots::{Run, command, run, run_without_reader};
use crate::suite::survey::{assert_error, folder, part};

#[test]
fn no_output_takes_the_place_of_what_is_read() {
    let folder = surveyed_folder("victims");
    let victims = ["robots.txt", "d/one", "list", "pa.json", "pb.json"];
    let before = victims.map(|victim| fs::read(folder.join(victim)).unwrap());
    for (arguments, message) in [
        (
            "robots.txt --report robots.txt",
            "`robots.txt` is read, and --report would replace it; give --report another name",
        ),
        (
            "robots.txt --report ./d/../robots.txt",
            "`./d/../robots.txt` is read",
        ),
        ("--paths list --report list", "`list` is read"),
        ("--resume --out pa.json --report d/one", "`d/one` is read"),
        (
            "robots.txt --out same --report same",
            "`same` is what --out and --report name, and one would replace the other",
        ),
        (
            "d --report d/page.html",
            "`d/page.html` is within `d`, which is surveyed, and would be taken for a robots.txt; \
             give --report another place",
        ),
        ("d --out d/deep/s.json", "`d/deep/s.json` is within `d`"),
        (
            "missing --report missing",
            "`missing` is read, and --report",
        ),
        (
            "merge pa.json pb.json --out pa.json",
            "`pa.json` is read, and --out would replace it",
        ),
        (
            "merge pa.json pb.json --out x --report pb.json",
            "`pb.json` is read",
        ),
        (
            "merge pa.json pb.json --out x --report x",
            "`x` is what --out and --report name",
        ),
        (
            "compare pa.json pb.json --report pb.json",
            "`pb.json` is read",
        ),
    ] {
        assert_error(&survey_in(&folder, arguments), message);
    }
    let after = victims.map(|victim| fs::read(folder.join(victim)).unwrap());
    assert_eq!(after, before);
    for name in ["same", "x", "missing", "d/page.html", "d/deep/s.json"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_to_what_is_read_is_seen_through() {
    let folder = surveyed_folder("links");
    std::os::unix::fs::symlink("robots.txt", folder.join("link")).unwrap();
    let run = survey_in(&folder, "robots.txt --report link");
    assert_error(&run, "`link` is read, and --report would replace it");
}

#[test]
fn a_dash_is_no_file() {
    let folder = surveyed_folder("dash");
    for arguments in [
        "robots.txt --report -",
        "merge pa.json --out x --report -",
        "compare pa.json pb.json --report -",
    ] {
        let run = survey_in(&folder, arguments);
        assert_error(
            &run,
            "it is written to a file; give its name, or `./-` for a file of that name",
        );
    }
    assert!(!folder.join("-").exists());
    let run = survey_in(&folder, "robots.txt --report ./-");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert!(folder.join("-").exists());
}

#[test]
fn a_part_on_standard_output_is_one_line_in_place_of_the_tables() {
    let folder = surveyed_folder("stdout");
    for (arguments, file) in [
        ("robots.txt --date 2026-01-02", "s1.json"),
        ("d/one robots.txt --sampled", "s2.json"),
        ("merge pa.json pb.json", "s3.json"),
        ("merge pa.json", "s4.json"),
    ] {
        let printed = survey_in(&folder, &format!("{arguments} --out -"));
        assert_eq!((printed.code, printed.stderr.as_str()), (0, ""));
        let line = printed.stdout.strip_suffix('\n').unwrap();
        assert!(!line.contains('\n'), "{arguments}");
        let tables = survey_in(&folder, &format!("{arguments} --out {file}"));
        assert!(tables.stdout.lines().count() > 5, "{arguments}");
        fs::write(folder.join("line.json"), line).unwrap();
        assert_eq!(part(&folder.join("line.json")), part(&folder.join(file)));
    }
    assert!(!folder.join("-").exists());

    let reported = survey_in(&folder, "robots.txt --out - --report page.html");
    assert_eq!(reported.stdout.lines().count(), 1);
    assert!(folder.join("page.html").exists());
    let resumed = survey_in(&folder, "--resume --out -");
    let message = "a survey on standard output cannot be gone on with; give --out a file";
    assert_error(&resumed, message);
    assert_eq!(survey_in(&folder, "robots.txt --out ./-").code, 0);
    assert!(folder.join("-").exists());
}

#[test]
fn parts_are_added_up_from_the_lines_of_standard_input() {
    let folder = surveyed_folder("stdin");
    let files = survey_in(&folder, "merge pa.json pb.json --out m.json");
    assert_eq!(files.code, 0);
    let line = |arguments: &str| survey_in(&folder, &format!("{arguments} --out -")).stdout;
    let (one, robots_txt) = (line("d/one"), line("robots.txt"));
    let merged =
        |arguments: &str, lines: &str| run(&mut command_in(&folder, arguments), lines.as_bytes());
    for lines in [
        format!("{one}{robots_txt}"),
        format!("{robots_txt}\r\n\n{}", one.trim_end()),
    ] {
        let run = merged("merge - --out -", &lines);
        assert_eq!((run.code, run.stderr.as_str()), (0, ""));
        fs::write(folder.join("line.json"), &run.stdout).unwrap();
        assert_eq!(
            part(&folder.join("line.json")),
            part(&folder.join("m.json"))
        );
    }
    // A file with one line is merged like any other file.
    fs::write(folder.join("line.json"), &one).unwrap();
    let run = merged("merge line.json pb.json --out m2.json", "");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    assert_eq!(part(&folder.join("m2.json")), part(&folder.join("m.json")));

    for (lines, message) in [
        (String::new(), "`-` is not a part of a survey: EOF"),
        ("\r\n\n".to_owned(), "`-` is not a part of a survey: EOF"),
        (format!("{one}\n{one}"), "`-:3`"),
        (format!("{one}{{}}\n"), "`-:2` is not a part of a survey: "),
        (
            one.replacen("\"version\":5", "\"version\":3", 1),
            "`-:1` is of version 3 of the format",
        ),
        (
            one.replacen("\"is_complete\":true", "\"is_complete\":false", 1),
            "`-:1` is not finished",
        ),
    ] {
        let run = merged("merge - --out -", &lines);
        assert_error(&run, message);
        assert_eq!(run.stdout, "");
    }
    let both = merged("merge - pa.json --out -", &one);
    assert_error(&both, "the parts are either files or, with `-`, the lines");
}

/// Every third of thirty writers was killed within its line. Each of them is named, and none is
/// added up in part. Once their inputs are surveyed again, the sum equals one survey.
#[test]
fn writers_that_were_cut_off_are_named_and_only_they_are_surveyed_again() {
    const WRITERS: usize = 30;
    let folder = surveyed_folder("cut");
    let survey_of = |number: usize| survey_in(&folder, &format!("w/{number:02} --out -")).stdout;
    fs::create_dir(folder.join("w")).unwrap();
    for number in 0..WRITERS {
        let rules = "Disallow: /a\n".repeat(number);
        let file = format!("User-agent: bot{number}\n{rules}");
        fs::write(folder.join(format!("w/{number:02}")), file).unwrap();
    }
    let mut lines: Vec<String> = (0..WRITERS).map(survey_of).collect();
    for (number, line) in lines.iter_mut().enumerate().step_by(3) {
        // The cut lies between the first byte and the last brace.
        let cut = 1 + (line.len() - 3) * number / WRITERS;
        line.replace_range(cut.., "\n");
    }
    let mut again = Vec::new();
    let merged = loop {
        let merged = run(
            &mut command_in(&folder, "merge - --out -"),
            lines.concat().as_bytes(),
        );
        if merged.code == 0 {
            break merged.stdout;
        }
        assert_eq!(merged.stdout, "");
        let named = merged.stderr.strip_prefix("error: `-:").unwrap();
        let (line, message) = named.split_once("` is not a part of a survey: ").unwrap();
        assert!(message.contains("EOF"), "{message}");
        let number = line.parse::<usize>().unwrap() - 1;
        lines[number] = survey_of(number);
        again.push(number);
    };
    assert_eq!(again, (0..WRITERS).step_by(3).collect::<Vec<usize>>());
    fs::write(folder.join("merged.json"), merged).unwrap();
    let every = (0..WRITERS).map(|number| format!("w/{number:02}"));
    let every = every.collect::<Vec<String>>().join(" ");
    assert_eq!(
        survey_in(&folder, &format!("{every} --out one.json")).code,
        0
    );
    let (merged, one) = ["merged.json", "one.json"]
        .map(|name| part(&folder.join(name)))
        .into();
    assert_eq!(merged, one);
}

#[test]
fn a_part_whose_reader_has_left_is_an_error() {
    let folder = surveyed_folder("left");
    for arguments in ["robots.txt --out -", "merge pa.json pb.json --out -"] {
        let run = run_without_reader(&mut command_in(&folder, arguments));
        assert_error(&run, "cannot write to standard output");
    }
}

#[test]
fn nothing_beside_an_output_is_touched() {
    let folder = surveyed_folder("beside");
    fs::write(folder.join("s1.json.new"), "mine").unwrap();
    let before = names(&folder);
    let run = survey_in(&folder, "robots.txt --out s1.json --report s1.html");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let neighbour = fs::read_to_string(folder.join("s1.json.new")).unwrap();
    assert_eq!(neighbour, "mine");
    let mut after = names(&folder);
    after.retain(|name| !before.contains(name));
    assert_eq!(after, ["s1.html", "s1.json"]);
}

#[cfg(unix)]
#[test]
fn outputs_are_files_that_others_may_read_and_devices_stay_devices() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = surveyed_folder("permissions");
    let ordinary = fs::metadata(folder.join("robots.txt")).unwrap();
    let run = survey_in(&folder, "robots.txt --out s1.json --report /dev/null");
    assert_eq!((run.code, run.stderr.as_str()), (0, ""));
    let out = fs::metadata(folder.join("s1.json")).unwrap();
    assert_eq!(out.permissions().mode(), ordinary.permissions().mode());
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}

#[test]
fn an_output_that_cannot_be_written_is_told_before_the_work() {
    let folder = surveyed_folder("early");
    for (arguments, path) in [
        (
            "robots.txt --out s1.json --report no/page.html",
            "no/page.html",
        ),
        ("robots.txt --out s1.json --report d", "d"),
        ("robots.txt --out no/s1.json", "no/s1.json"),
        ("merge pa.json pb.json --out s1.json --report d", "d"),
        ("compare pa.json pb.json --report no/x", "no/x"),
    ] {
        let run = survey_in(&folder, arguments);
        assert_error(&run, &format!("error: cannot write `{path}`: "));
        assert!(!folder.join("s1.json").exists());
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_report_is_written_though_standard_output_is_full() {
    let folder = surveyed_folder("full");
    for arguments in [
        "robots.txt --report page.html",
        "merge pa.json pb.json --out s1.json --report page.html",
        "compare pa.json pb.json --report page.html",
    ] {
        let full = fs::OpenOptions::new()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let run = command_in(&folder, arguments)
            .stdout(full)
            .output()
            .unwrap();
        assert_eq!(run.status.code(), Some(2));
        let stderr = String::from_utf8(run.stderr).unwrap();
        assert!(
            stderr.contains("cannot write to standard output"),
            "{stderr}"
        );
        let page = fs::read_to_string(folder.join("page.html")).unwrap();
        assert!(page.ends_with("</html>"), "{arguments}");
        fs::remove_file(folder.join("page.html")).unwrap();
    }
}

/// A folder with an input of each kind.
fn surveyed_folder(name: &str) -> PathBuf {
    let folder = folder(&format!("output-{name}"));
    fs::create_dir_all(folder.join("d/deep")).unwrap();
    fs::write(folder.join("robots.txt"), "User-agent: *").unwrap();
    fs::write(folder.join("d/one"), "User-agent: *\nDisallow: /").unwrap();
    fs::write(folder.join("list"), "robots.txt\n").unwrap();
    for arguments in ["d/one --out pa.json", "robots.txt --out pb.json"] {
        assert_eq!(survey_in(&folder, arguments).code, 0);
    }
    folder
}

fn survey_in(folder: &Path, arguments: &str) -> Run {
    run(&mut command_in(folder, arguments), b"")
}

fn command_in(folder: &Path, arguments: &str) -> Command {
    let mut command = command();
    command.current_dir(folder).arg("survey");
    command.args(arguments.split(' '));
    command
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = names
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}
