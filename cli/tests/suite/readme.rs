//! The README shows what is really printed.

use std::fs;

use crate::suite::robots::{command, run, scratch};

/// Its ```` ```text ```` blocks are files, by the name that stands last before them; each ```` ```console ```` block is
/// a command beside those files, and its output.
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
    for (_, console) in consoles {
        let (line, output) = console.split_once('\n').unwrap();
        assert!(!line.split(' ').any(is_changed_by_a_shell), "{line}");
        let arguments = line.strip_prefix("$ robots ").unwrap().split(' ');
        let arguments = arguments.map(|argument| argument.trim_matches('\''));
        let run = run(command().current_dir(&folder).args(arguments), b"");
        assert_eq!(run.stdout + &run.stderr, output, "{line}");
    }
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
