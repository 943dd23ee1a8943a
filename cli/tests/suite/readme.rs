//! The README shows what is really printed.

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use crate::suite::robots::{command, scratch};

/// Its ```` ```text ```` blocks are files, by the name that stands last before them; each ````
/// ```console ```` block is a command beside the files above it, and its output. No two files have
/// one name: a second `shop.txt` would answer for the first. After a change of the output, run the
/// test with `UPDATE_EXPECTED=1` and read the difference.
#[test]
fn the_readme_shows_real_output() {
    let readme = include_str!("../../README.md");
    let folder = scratch().join("readme");
    // A file of an earlier run would stand in for one that is shown no longer, or further down.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut files = BTreeSet::new();
    let mut consoles = 0;
    let mut updated = readme.to_owned();
    for block in blocks(readme) {
        if block.language == "text" {
            let name = block.before.rsplit('`').nth(1).unwrap();
            assert!(files.insert(name), "{name} is shown twice");
            fs::write(folder.join(name), block.text).unwrap();
            continue;
        }
        consoles += 1;
        let console = block.text;
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
    assert!(consoles > 0);
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

/// A `*` would become the names of all files, of which the first would be taken for the agent; and
/// some shells refuse a `?` that matches no file.
fn is_changed_by_a_shell(word: &str) -> bool {
    !word.starts_with('\'') && word.contains(['*', '?', '&', ';', '~', '#', '<', '>', '|'])
}

/// A ```` ```text ```` or ```` ```console ```` block.
struct Block<'a> {
    language: &'static str,
    /// The README up to the block.
    before: &'a str,
    text: &'a str,
}

/// The blocks in the order of the README.
fn blocks(readme: &str) -> Vec<Block<'_>> {
    let of_language = |language| {
        let fence = format!("```{language}\n");
        let places = readme.match_indices(&fence).map(|(at, _)| at);
        let blocks = places.map(|at| {
            let (before, block) = readme.split_at(at);
            let block = block.strip_prefix(&fence).unwrap();
            let text = block.split("```").next().unwrap();
            Block {
                language,
                before,
                text,
            }
        });
        blocks.collect::<Vec<_>>()
    };
    let mut blocks = of_language("text");
    blocks.extend(of_language("console"));
    blocks.sort_by_key(|block| block.before.len());
    blocks
}
