//! Edits of real files. Each edit does what was asked and changes no answer for anybody else, or it
//! is refused.
//!
//! The edit itself compares the answers (`edit::proof`). The test compares them again by other
//! means: it asks about a fixed list of URLs.

use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::edit::{Edit, EditError};

use super::corpus::{self, Files, SITES_OF_2024, TOP_SITES_OF_2019};
use super::shared;

const SAMPLE: usize = 100;

#[test]
fn a_sample_of_real_files_can_be_edited() {
    assert_edits(SAMPLE);
}

#[test]
#[ignore = "takes minutes; .ci/long edits"]
#[allow(clippy::print_stdout)]
fn real_files_can_be_edited() {
    for (name, edits, refused) in assert_edits(1) {
        println!("{name}: {edits} edits, of which {refused} were refused");
    }
}

type ReadFiles = fn() -> &'static Files;

/// Edits every n-th file. Returns the numbers of edits and of refusals for each archive.
fn assert_edits(n: usize) -> Vec<(&'static str, usize, usize)> {
    let archives: [(ReadFiles, &str); 2] = [
        (corpus::top_sites_of_2019, TOP_SITES_OF_2019),
        (corpus::sites_of_2024, SITES_OF_2024),
    ];
    let mut counts = Vec::new();
    for (files, name) in archives {
        if !shared(name).exists() {
            continue;
        }
        let (mut edits, mut refused) = (0, 0);
        for (host, file) in files().iter().step_by(n) {
            for edit in [
                Edit::new().close("GPTBot"),
                Edit::new().close("Googlebot"),
                Edit::new()
                    .close("AhrefsBot")
                    .and_then(|edit| edit.close("NewBot")),
                Edit::new().open("bingbot"),
                Edit::new().open("*"),
                Edit::new().signal("ai-train", "no"),
                Edit::new().signal("training", "no"),
            ] {
                let edit = edit.unwrap();
                match edit.applied(file) {
                    Ok(edited) => {
                        edits += 1;
                        assert_others_keep_their_answers(host, &edit, file, &edited);
                    }
                    Err(EditError::NoRobotsTxt { .. }) => {}
                    Err(EditError::OtherChange { agent }) => {
                        edits += 1;
                        refused += 1;
                        eprintln_refusal(host, &edit, &agent);
                    }
                    Err(error) => panic!("{host}: {error}"),
                }
            }
        }
        // Odd files exist, but hardly any.
        assert!(
            refused * 100 <= edits,
            "{name}: {refused} of {edits} edits are refused"
        );
        counts.push((name, edits, refused));
    }
    counts
}

#[allow(clippy::print_stderr)]
fn eprintln_refusal(host: &str, edit: &Edit, agent: &str) {
    eprintln!("{host}: {edit:?} is refused because of {agent}");
}

fn assert_others_keep_their_answers(host: &str, edit: &Edit, old: &[u8], new: &[u8]) {
    let edit = format!("{edit:?}");
    for options in [Options::rfc9309(), Options::google()] {
        let [old, new] = [old, new].map(|file| RobotsTxt::parse_with(file, &options));
        for agent in AGENTS {
            let [before, after] = [&old, &new].map(|file| file.robot(agent).unwrap());
            for url in URLS {
                let answers = (before.allowed(*url), after.allowed(*url));
                let is_meant = edit.contains(&format!("{agent:?}")) || edit.contains("\"*\"");
                match (is_meant, edit.contains("open: [\"")) {
                    (false, _) => assert_eq!(answers.0, answers.1, "{host} {edit} {agent} {url}"),
                    (true, true) => assert!(answers.1 || !answers.0, "{host} {edit} {agent} {url}"),
                    (true, false) => assert!(!answers.1, "{host} {edit} {agent} {url}"),
                }
            }
        }
    }
}

/// The agents that the edits close and open, some that many files name, and one that no file names.
const AGENTS: &[&str] = &[
    "GPTBot",
    "Googlebot",
    "AhrefsBot",
    "NewBot",
    "bingbot",
    "Baiduspider",
    "Slurp",
    "Twitterbot",
    "NobodyNamesThis",
];

const URLS: &[&str] = &[
    "/",
    "/a",
    "/search?q=a",
    "/wp-admin/admin-ajax.php",
    "/cart",
    "/index.html",
    "/a/b/c.pdf",
    "/api/",
    "/images/a.jpg",
    "/login",
];
