//! Comparison with recorded verdicts and real files. A suite that needs the folder `shared` beside
//! the checkout is reported as ignored without it; the verdicts on generated files are in testdata/
//! and always run.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::string_slice,
    clippy::indexing_slicing,
    clippy::print_stdout,
    missing_docs
)]

use std::path::PathBuf;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

mod oracle {
    pub(crate) mod corpus;
    pub(crate) mod generated;
    pub(crate) mod real_files;
    pub(crate) mod verdicts;

    pub(crate) use super::shared;
}

/// Helpers from the other test binary, which uses the ones that are unused here.
#[allow(dead_code)]
#[path = "suite"]
mod suite {
    pub(crate) mod verdict {
        pub(crate) mod answers;
        pub(crate) mod entry_points;
        pub(crate) mod naive;
        pub(crate) mod naive_file;
    }
}

use crate::oracle::{corpus, generated, real_files, verdicts};

/// Returns the path of a file in the folder `shared`, which may be absent.
pub(crate) fn shared(path: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../shared")
        .join(path)
}

/// A suite: its name, the files of `shared` that it reads, and its test.
type Suite = (&'static str, &'static [&'static str], fn());

const SUITES: &[Suite] = &[
    (
        "generated_cases_against_the_crate",
        &[],
        generated::the_crate_matches_the_records,
    ),
    (
        "generated_cases_against_the_reference",
        &[],
        generated::the_reference_matches_the_records,
    ),
    (
        "rows_of_known_suites",
        &[verdicts::SUITE_CASES],
        verdicts::rows_of_known_suites,
    ),
    (
        "crawl_delays",
        &[verdicts::CRAWL_DELAYS],
        verdicts::issue_crawl_delays,
    ),
    (
        "corpus_verdicts",
        &[verdicts::CORPUS_VERDICTS, corpus::TOP_SITES_OF_2019],
        verdicts::google_corpus_verdicts,
    ),
    (
        "entry_points_on_real_files_2019",
        &[corpus::TOP_SITES_OF_2019],
        || real_files::every_entry_point_works(corpus::top_sites_of_2019()),
    ),
    (
        "entry_points_on_real_files_2024",
        &[corpus::SITES_OF_2024],
        || real_files::every_entry_point_works(corpus::sites_of_2024()),
    ),
    (
        "canonical_forms_of_real_files_2019",
        &[corpus::TOP_SITES_OF_2019],
        || real_files::the_canonical_form_answers_like_the_file(corpus::top_sites_of_2019()),
    ),
    (
        "canonical_forms_of_real_files_2024",
        &[corpus::SITES_OF_2024],
        || real_files::the_canonical_form_answers_like_the_file(corpus::sites_of_2024()),
    ),
];

fn main() -> ExitCode {
    let trials = SUITES.iter().map(|(name, files, test)| {
        let is_here = files.iter().all(|file| shared(file).exists());
        let run = *test;
        let trial = Trial::test(*name, move || {
            run();
            Ok(())
        });
        // libtest has no field for the reason of an ignored test, so the kind gives it.
        let trial = if is_here {
            trial
        } else {
            trial.with_kind("needs ../shared")
        };
        trial.with_ignored_flag(!is_here)
    });
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials.collect());
    conclusion.exit_code()
}
