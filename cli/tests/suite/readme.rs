//! The README shows what is really printed.

use std::path::PathBuf;

use crate::suite::robots::{command, file, run};

/// Its ```` ```text ```` blocks are the files of [`FILES`]; each ```` ```console ```` block is a command and its output.
#[test]
fn the_readme_shows_real_output() {
    let readme = include_str!("../../README.md");
    let contents = blocks(readme, "text");
    assert_eq!(contents.len(), FILES.len());
    let paths: Vec<(&str, PathBuf)> = FILES
        .into_iter()
        .zip(contents)
        .map(|(name, content)| (name, file(&format!("readme.{name}"), content)))
        .collect();
    let consoles = blocks(readme, "console");
    assert!(!consoles.is_empty());
    for console in consoles {
        let (line, output) = console.split_once('\n').unwrap();
        let arguments = line.strip_prefix("$ robots ").unwrap().split(' ');
        let path = |argument| paths.iter().find(|(name, _)| *name == argument);
        let run = run(
            command().args(arguments.map(|argument| match path(argument) {
                Some((_, path)) => path.as_os_str(),
                None => argument.as_ref(),
            })),
            b"",
        );
        let printed = paths
            .iter()
            .fold(run.stdout + &run.stderr, |printed, (name, path)| {
                printed.replace(path.to_str().unwrap(), name)
            });
        assert_eq!(printed, output, "{line}");
    }
}

const FILES: [&str; 3] = ["robots.txt", "new.txt", "messy.txt"];

fn blocks<'a>(readme: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    readme
        .split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}
