//! The README and the pages after it show what is really printed.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::suite::robots::{command, scratch};

/// The least number of examples on all pages. A block that the reader misses would no longer be
/// tried.
const EXAMPLES: usize = 29;

/// After a change of the output, run the test with `UPDATE_EXPECTED=1` and read the difference.
#[test]
fn the_pages_show_real_output() {
    let mut examples = 0;
    for name in pages() {
        let shown = fs::read_to_string(package().join(&name)).unwrap();
        let real = with_real_output(&name, &shown).unwrap_or_else(|fault| panic!("{fault}"));
        if std::env::var_os("UPDATE_EXPECTED").is_some() {
            fs::write(package().join(&name), real.page).unwrap();
        } else {
            for example in &real.examples {
                assert_eq!(example.printed, example.shown, "{}", example.place);
            }
        }
        examples += real.examples.len();
    }
    assert!(examples >= EXAMPLES, "only {examples} examples were found");
}

/// The fault is found before anything is compared or updated, so new expected output cannot hide
/// that an example changed the file of another one.
#[test]
fn a_file_that_two_examples_write_is_refused_with_both_places() {
    let first = "With this `a.txt`\n\n```text\nuser-agent: *\n```\n";
    for (second, fault) in [
        (
            "and this `a.txt`\n\n```text\nuser-agent: ExampleBot\n```\n",
            Some("twice.md:3 and twice.md:8 both write `a.txt`"),
        ),
        (
            "run\n\n```console\n$ robots fmt a.txt --write\n```\n",
            Some("twice.md:3 and twice.md:8 both write `a.txt`"),
        ),
        ("run\n\n```console\n$ robots man --dir . check\n```\n", None),
        ("run\n\n```console\n$ robots fmt a.txt\n```\n", None),
    ] {
        let result = with_real_output("twice.md", &format!("{first}{second}"));
        assert_eq!(result.err().as_deref(), fault, "{second}");
    }
}

#[test]
fn output_that_is_not_real_is_replaced_where_it_stands() {
    let page = |printed: &str| {
        let example = format!("\n```console\n$ robots fmt b.txt\n{printed}```\n");
        format!("`b.txt`\n\n```text\nuser-agent:*\n```\n{example}{example}The end.\n")
    };
    let real = with_real_output("replaced.md", &page("User-agent: nobody\n")).unwrap();
    assert_eq!(real.page, page("User-agent: *\n"));
    let shown = real.examples.iter().map(|example| &*example.shown);
    assert_eq!(shown.collect::<Vec<_>>(), ["User-agent: nobody"; 2]);
}

/// The README of the package, and its pages.
pub(crate) fn pages() -> Vec<String> {
    let docs = fs::read_dir(package().join("docs")).unwrap();
    let names = docs.map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut pages: Vec<String> = names.map(|name| format!("docs/{name}")).collect();
    pages.sort();
    pages.insert(0, "README.md".to_owned());
    pages
}

pub(crate) fn package() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A page with the output that its commands really have.
struct RealPage {
    page: String,
    examples: Vec<Example>,
}

/// A command in a page.
struct Example {
    /// The page, its line and the command.
    place: String,
    shown: String,
    printed: String,
}

/// Runs the examples of a page in a folder of their own. A ```` ```text ```` block is a file there,
/// by the name that stands last before it; a ```` ```console ```` block is a command and its
/// output. Each file has one writer. If a later example changed the file, an earlier example would
/// show output that a reader who follows the page does not get.
fn with_real_output(name: &str, page: &str) -> Result<RealPage, String> {
    let folder = scratch().join("pages").join(name.replace('/', "-"));
    // A file of an earlier run would hide that the page shows the file no longer, or further down.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    let mut writers = BTreeMap::new();
    let mut examples = Vec::new();
    let parts: Vec<&str> = page.split(FENCE).collect();
    assert!(parts.len() % 2 == 1, "{name}: a block has no end");
    let mut real = Vec::new();
    for (at, part) in parts.iter().enumerate() {
        // Prose and blocks alternate.
        if at % 2 == 0 {
            real.push((*part).to_owned());
            continue;
        }
        let place = format!(
            "{name}:{}",
            parts[..at].join(FENCE).matches('\n').count() + 2
        );
        let (language, text) = part.split_once('\n').unwrap_or((part, ""));
        let mut block = (*part).to_owned();
        let written = match language {
            "text" => {
                let file = parts[at - 1].rsplit('`').nth(1);
                let file = file.filter(|name| name.contains(['.', '/']));
                let file = file.unwrap_or_else(|| panic!("{place}: the file has no name"));
                let path = folder.join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, format!("{text}\n")).unwrap();
                vec![PathBuf::from(file)]
            }
            "console" => {
                let before = contents(&folder);
                let (line, shown) = text.split_once('\n').unwrap_or((text, ""));
                let printed = output_of(line, &folder);
                // An update of the expected output would keep this error for good.
                assert!(!printed.contains("cannot read"), "{place}: {printed}");
                let printed = printed.strip_suffix('\n').unwrap_or(&printed);
                let is_equal = without_times(printed).eq(without_times(shown));
                let printed = if is_equal { shown } else { printed };
                block = format!("console\n{line}\n{printed}");
                examples.push(Example {
                    place: format!("{place}: {line}"),
                    shown: shown.to_owned(),
                    printed: printed.to_owned(),
                });
                changed(&before, &contents(&folder))
            }
            // The Python of a page is run by the tests of the Python package.
            "" | "python" | "sh" | "sql" | "yaml" => Vec::new(),
            other => panic!("{place}: no block is called `{other}`"),
        };
        for file in written {
            let shown = file.display().to_string();
            if let Some(first) = writers.insert(file, place.clone()) {
                return Err(format!("{first} and {place} both write `{shown}`"));
            }
        }
        real.push(block);
    }
    Ok(RealPage {
        page: real.join(FENCE),
        examples,
    })
}

const FENCE: &str = "\n```";

/// Runs a command, and returns standard output and standard error in the order in which they are
/// printed.
fn output_of(line: &str, folder: &Path) -> String {
    assert!(!line.split(' ').any(is_changed_by_a_shell), "{line}");
    let arguments = line.strip_prefix("$ robots ").unwrap().split(' ');
    let arguments = arguments.map(|argument| argument.trim_matches('\''));
    as_on_a_terminal(command().current_dir(folder).args(arguments))
}

fn as_on_a_terminal(command: &mut Command) -> String {
    let (mut reader, writer) = io::pipe().unwrap();
    command.stdin(Stdio::null());
    command.stdout(writer.try_clone().unwrap()).stderr(writer);
    let mut child = command.spawn().unwrap();
    // The command holds the write ends of the pipe, and the pipe ends when the last of them is
    // dropped.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut printed = String::new();
    reader.read_to_string(&mut printed).unwrap();
    child.wait().unwrap();
    printed
}

/// A shell would replace a `*` by the names of all files, and the first of them would be taken for
/// the agent. Some shells refuse a `?` that matches no file.
fn is_changed_by_a_shell(word: &str) -> bool {
    !word.starts_with('\'') && word.contains(['*', '?', '&', ';', '~', '#', '<', '>', '|'])
}

/// The lines that are the same in every run: a survey prints how long it took.
fn without_times(output: &str) -> impl Iterator<Item = &str> {
    let lines = output.lines();
    lines.filter(|line| !line.starts_with("time to parse "))
}

type Contents = BTreeMap<PathBuf, Vec<u8>>;

/// The files below a folder.
fn contents(folder: &Path) -> Contents {
    let mut files = Contents::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).unwrap().to_owned();
                files.insert(name, fs::read(path).unwrap());
            }
        }
    }
    files
}

/// The files that a command created, changed or removed.
fn changed(before: &Contents, after: &Contents) -> Vec<PathBuf> {
    let names = before.keys().chain(after.keys());
    let changed = names.filter(|name| before.get(*name) != after.get(*name));
    let changed: BTreeSet<&PathBuf> = changed.collect();
    changed.into_iter().cloned().collect()
}
