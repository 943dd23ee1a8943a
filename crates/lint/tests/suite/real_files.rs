//! The law of suggestions, on real files: to follow the safe suggestions changes no answer of
//! either dialect.
//!
//! The archives are in the folder `shared` beside the checkout; without it there is nothing to
//! read. One file in [`SAMPLE`] is read here, and `.ci/long suggestions` reads all of them.

use polite_robots::{Options, RobotsTxt};
use polite_robots_audit::difference::{Question, Versions};
use polite_robots_lint::fix::{Fixes, Suggestions};
use polite_robots_lint::{Diagnostic, lint};

use super::corpus::{self, Files, SITES_OF_2024, TOP_SITES_OF_2019};
use super::fixed::{assert_apart, assert_means_the_same, findings, fixes, with as with_fixes};
use super::shared;

const SAMPLE: usize = 15;

#[test]
fn safe_suggestions_change_no_answer_on_a_sample_of_real_files() {
    for (files, _) in archives() {
        let followed = assert_safe(files, SAMPLE);
        assert!(followed > 10, "{followed}");
    }
}

#[test]
#[ignore = "takes minutes; .ci/long suggestions"]
#[allow(clippy::print_stdout)]
fn safe_suggestions_change_no_answer_on_real_files() {
    for (files, name) in archives() {
        let followed = assert_safe(files, 1);
        println!(
            "{name}: {followed} of {} files with suggestions",
            files.len()
        );
        assert!(followed > 100, "{followed}");
    }
}

/// Every suggestion of the default dialect keeps its answers, whether or not it is safe for
/// Google's matcher.
#[test]
fn suggestions_keep_the_answers_of_rfc9309() {
    for (files, _) in archives() {
        suggestions_keep_the_meaning(files);
    }
}

/// Applies all suggestions of a file at once and compares the answers.
fn suggestions_keep_the_meaning(files: &Files) {
    /// Limit on the file size, as every agent is asked about every URL.
    const MAX_BYTES: usize = if cfg!(debug_assertions) {
        4_000
    } else {
        20_000
    };

    let mut fixed_files = 0;
    for file in files.values() {
        let found = findings(file, &Options::rfc9309());
        let fixes = fixes(&found);
        assert_apart(&fixes);
        if !fixes.is_empty() && file.len() <= MAX_BYTES {
            fixed_files += 1;
            assert_means_the_same(file, &with_fixes(file, &fixes));
        }
    }
    println!("{} real files, {fixed_files} of them fixed", files.len());
    assert!(fixed_files > 0);
}

type ReadFiles = fn() -> &'static Files;

fn archives() -> impl Iterator<Item = (&'static Files, &'static str)> {
    let archives: [(ReadFiles, &str); 2] = [
        (corpus::top_sites_of_2019, TOP_SITES_OF_2019),
        (corpus::sites_of_2024, SITES_OF_2024),
    ];
    archives
        .into_iter()
        .filter(|(_, name)| shared(name).exists())
        .map(|(files, name)| (files(), name))
}

/// Follows the safe suggestions of every n-th file, as each dialect has them and as `--fix` does.
/// Returns the number of files with a suggestion.
fn assert_safe(files: &Files, n: usize) -> usize {
    let mut followed = 0;
    for (name, file) in files.iter().step_by(n) {
        let mut fixed_files = vec![Fixes::new(file, |_| true).file().to_vec()];
        let again = Fixes::new(&fixed_files[0], |_| true);
        assert_eq!(again.count(), 0, "{name} is not fixed at once");
        for options in [Options::rfc9309(), Options::google()] {
            let robots_txt = RobotsTxt::parse_with(file, &options);
            let found = lint(&robots_txt);
            let suggestions = Suggestions::new(&robots_txt, &found);
            fixed_files.push(with(file, &found, &suggestions));
        }
        fixed_files.sort();
        fixed_files.dedup();
        fixed_files.retain(|fixed| fixed != file);
        followed += usize::from(!fixed_files.is_empty());
        for fixed in fixed_files {
            for options in [Options::rfc9309(), Options::google()] {
                let [old, new] = [file, &fixed].map(|file| RobotsTxt::parse_with(file, &options));
                let versions = Versions::new(&old, &new);
                let difference = versions.difference(Question::Rules);
                assert!(
                    !difference.is_change(),
                    "{name} {options:?}: {difference:#?}"
                );
            }
        }
    }
    followed
}

/// The file with all safe suggestions put in place of the text that they are about, as the JSON of
/// the command says.
fn with(file: &[u8], found: &[Diagnostic], suggestions: &Suggestions) -> Vec<u8> {
    let safe = found.iter().enumerate().filter_map(|(at, finding)| {
        let suggestion = suggestions.safe(at, finding)?;
        Some((finding.span(), suggestion))
    });
    let mut safe: Vec<_> = safe.collect();
    safe.sort_by_key(|(span, _)| span.start);
    let mut fixed = file.to_vec();
    for (span, suggestion) in safe.into_iter().rev() {
        fixed.splice(span, suggestion.bytes());
    }
    fixed
}
