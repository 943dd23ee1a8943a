//! The README and its pages hold together: links, tables of contents, commands and options.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

use crate::suite::readme::{package, pages};
use crate::suite::robots::robots;

/// The README is shown on crates.io and PyPI too, where a relative link leads nowhere.
#[test]
fn links_lead_to_pages_and_headings() {
    let mut followed = 0;
    for page in pages() {
        let text = read(&page);
        for link in text.split("](").skip(1) {
            let link = link.split(')').next().unwrap();
            let (target, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match target.strip_prefix(FOLDER_ON_GITHUB) {
                Some(path) => PathBuf::from(path),
                None if target.contains("://") => continue,
                None if target.is_empty() => PathBuf::from(&page),
                None => {
                    assert_ne!(page, "README.md", "{link} is relative");
                    beside(&page, target)
                }
            };
            followed += 1;
            let path = package().join(&target);
            assert!(path.exists(), "{page}: {link}");
            if !heading.is_empty() {
                let text = read(&target);
                let mut slugs = headings(&text).map(|(_, title)| slug(&title));
                assert!(slugs.any(|slug| slug == heading), "{page}: {link}");
            }
        }
    }
    assert!(followed > 50, "only {followed} links were found");
}

#[test]
fn long_pages_begin_with_their_contents() {
    let mut long = 0;
    for page in pages().into_iter().filter(|page| page != "README.md") {
        let text = read(&page);
        if text.lines().count() <= A_SCREEN {
            continue;
        }
        long += 1;
        let chapters = headings(&text).filter(|(level, _)| *level == 2);
        let chapters = chapters.map(|(_, title)| format!("- [{title}](#{})", slug(&title)));
        let (top, _) = text.split_once("\n## ").unwrap();
        let listed: Vec<&str> = top.lines().filter(|line| line.starts_with("- [")).collect();
        assert_eq!(listed, chapters.collect::<Vec<_>>(), "{page}");
    }
    assert!(long >= 4, "only {long} long pages were found");
}

/// Everything that does not fit two screens belongs on a page.
#[test]
fn the_readme_takes_two_screens() {
    let readme = read("README.md");
    let (lines, words) = (readme.lines().count(), readme.split_whitespace().count());
    assert!(
        lines <= 2 * A_SCREEN && words <= 900,
        "{lines} lines, {words} words"
    );
}

#[test]
fn the_table_of_commands_is_whole() {
    let page = read("docs/commands.md");
    let rows = page
        .lines()
        .filter_map(|line| line.strip_prefix("| [`robots "));
    let listed: BTreeSet<String> = rows
        .map(|row| row.split('`').next().unwrap().to_owned())
        .collect();
    let mut commands = subcommands(&[]);
    let of_survey = subcommands(&["survey"]);
    commands.extend(of_survey.iter().map(|name| format!("survey {name}")));
    assert_eq!(listed, commands);
}

/// An option that was renamed must not stay in a page.
#[test]
fn options_in_pages_exist() {
    let mut help = String::new();
    for command in subcommands(&[]) {
        help.push_str(&robots([&command, "--help"]).stdout);
    }
    for command in subcommands(&["survey"]) {
        help.push_str(&robots(["survey", &command, "--help"]).stdout);
    }
    let known: BTreeSet<&str> = options(&help).collect();
    let mut found = 0;
    for page in pages() {
        // Tables and prose name options in backquotes; commands of other programs are in blocks.
        let text = read(&page);
        let quoted = text
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|quoted| quoted.starts_with("--"));
        for option in quoted.clone().flat_map(options) {
            assert!(
                known.contains(option) || OF_CARGO.contains(&option),
                "{page}: {option}"
            );
            found += 1;
        }
        for format in quoted.filter_map(|quoted| quoted.strip_prefix("--format ")) {
            let format = format.split(' ').next().unwrap();
            assert!(help.contains(&format!("- {format}: ")), "{page}: {format}");
        }
    }
    assert!(found > 50, "only {found} options were found");
}

/// Lines of a terminal, and of a window that shows a README.
const A_SCREEN: usize = 60;

const FOLDER_ON_GITHUB: &str = "https://github.com/polite-robots/polite-robots/blob/main/cli/";

/// Options with which the command is built.
const OF_CARGO: [&str; 2] = ["--features", "--no-default-features"];

fn read(page: impl AsRef<Path>) -> String {
    fs::read_to_string(package().join(page)).unwrap()
}

/// The path from the package to a page that another one links to.
fn beside(page: &str, target: &str) -> PathBuf {
    let mut path = Path::new(page).parent().unwrap().to_owned();
    for part in Path::new(target).components() {
        match part {
            Component::ParentDir => assert!(path.pop(), "{page}: {target} leaves the package"),
            part => path.push(part),
        }
    }
    path
}

/// The level and the title of each heading outside of blocks.
fn headings(page: &str) -> impl Iterator<Item = (usize, String)> {
    let prose = page.split("\n```").step_by(2);
    let lines = prose
        .flat_map(str::lines)
        .filter(|line| line.starts_with('#'));
    lines.map(|line| {
        let title = line.trim_start_matches('#');
        (line.len() - title.len(), title.trim().to_owned())
    })
}

/// The name of a heading in a link, as GitHub makes it.
fn slug(title: &str) -> String {
    let kept = title
        .chars()
        .filter(|sign| sign.is_alphanumeric() || " -_".contains(*sign));
    kept.collect::<String>().to_lowercase().replace(' ', "-")
}

fn subcommands(of: &[&str]) -> BTreeSet<String> {
    let help = robots(of.iter().copied().chain(["--help"])).stdout;
    // The first list has the commands by their readers, and not those for a shell.
    let (list, more) = match help.split_once("\nCommands:\n") {
        Some((_, list)) => (list.split_once("\n\n").unwrap().0, &[][..]),
        None => {
            let (_, list) = help.split_once("\nYou own a site:\n").unwrap();
            (
                list.split_once("\nOptions:\n").unwrap().0,
                &["completions", "man"][..],
            )
        }
    };
    let list = list.lines();
    let names = list.filter_map(|line| {
        let name = line.strip_prefix("  ")?.split(' ').next()?;
        (!name.is_empty() && name != "help").then(|| name.to_owned())
    });
    let more = more.iter().map(|name| (*name).to_owned());
    names.chain(more).collect()
}

/// The options in a text, such as `--json`.
fn options(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|sign: char| !(sign.is_ascii_alphanumeric() || sign == '-'));
    words.filter(|word| word.starts_with("--") && word.len() > 2)
}
