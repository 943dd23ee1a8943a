//! The README shows what is really printed.

use crate::suite::robots::{command, file, run};

/// Its ```` ```text ```` block is the file `robots.txt`; each ```` ```console ```` block is a command and its output.
#[test]
fn the_readme_shows_real_output() {
    let readme = include_str!("../../README.md");
    let robots_txt = file("readme.robots.txt", blocks(readme, "text")[0]);
    let consoles = blocks(readme, "console");
    assert!(!consoles.is_empty());
    for console in consoles {
        let (line, output) = console.split_once('\n').unwrap();
        let arguments = line.strip_prefix("$ robots ").unwrap().split(' ');
        let run = run(
            command().args(arguments.map(|argument| match argument {
                "robots.txt" => robots_txt.as_os_str(),
                argument => argument.as_ref(),
            })),
            b"",
        );
        let printed =
            (run.stdout + &run.stderr).replace(robots_txt.to_str().unwrap(), "robots.txt");
        assert_eq!(printed, output, "{line}");
    }
}

fn blocks<'a>(readme: &'a str, language: &str) -> Vec<&'a str> {
    let fence = format!("```{language}\n");
    readme
        .split(fence.as_str())
        .skip(1)
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}
