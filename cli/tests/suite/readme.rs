//! The README shows what is really printed.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::suite::robots::{command, scratch};

/// Its ```` ```text ```` blocks are files, by the name that stands last before them; each ```` ```console ```` block is
/// a command beside those files, and its output. After a change of the output, run the test with `UPDATE_EXPECTED=1`
/// and read the difference.
#[test]
fn the_readme_shows_real_output() {
    let readme = include_str!("../../README.md");
    let folder = scratch().join("readme");
    fs::create_dir_all(&folder).unwrap();
    for (before, file) in blocks(readme, "text") {
        let name = before.rsplit('`').nth(1).unwrap();
        fs::write(folder.join(name), file).unwrap();
    }
    let consoles = blocks(readme, "console");
    assert!(!consoles.is_empty());
    let mut updated = readme.to_owned();
    for (_, console) in consoles {
        let (line, output) = console.split_once('\n').unwrap();
        assert!(!line.split(' ').any(is_changed_by_a_shell), "{line}");
        let arguments = line.strip_prefix("$ robots ").unwrap().split(' ');
        let arguments = arguments.map(|argument| argument.trim_matches('\''));
        let printed = as_on_a_terminal(command().current_dir(&folder).args(arguments));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            updated = updated.replace(console, &format!("{line}\n{printed}"));
        } else {
            assert_eq!(printed, output, "{line}");
        }
    }
    if updated != readme {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
        fs::write(path, updated).unwrap();
    }
}

/// Standard output and standard error in the order in which they are printed.
fn as_on_a_terminal(command: &mut Command) -> String {
    let (mut reader, writer) = io::pipe().unwrap();
    command.stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the other ends of the pipe, which ends with the last of them.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    printed
}

/// A `*` would become the names of all files, of which the first would be taken for the agent; and some shells refuse a
/// `?` that matches no file.
fn is_changed_by_a_shell(word: &str) -> bool {
    !word.starts_with('\'') && word.contains(['*', '?', '&', ';', '~', '#', '<', '>', '|'])
}

/// With what stands before each.
fn blocks<'a>(readme: &'a str, language: &str) -> Vec<(&'a str, &'a str)> {
    let fence = format!("```{language}\n");
    readme
        .match_indices(&fence)
        .map(|(at, _)| {
            let (before, block) = readme.split_at(at);
            let block = block.strip_prefix(&fence).unwrap();
            (before, block.split("```").next().unwrap())
        })
        .collect()
}
