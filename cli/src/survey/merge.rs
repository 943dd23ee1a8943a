//! `robots survey merge`: the parts of a survey as one.

use std::io;
use std::path::{Path, PathBuf};

use clap::Args;
use polite_robots_survey::{merge, merge_lines};

use crate::outcome::{Answer, Failure};
use crate::survey::conclusion::{self, Printed};
use crate::survey::output::{self, PartOutput};
use crate::survey::threads;

/// Add up parts of a survey
///
/// The result is that of one survey of all their inputs, and can be merged again. All of them must
/// have been surveyed with the same --max-bytes, and all as --thorough does or all as --sampled
/// does.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files that `robots survey --out` wrote, all finished; `-` is standard input, with one part
    /// on each line
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// Write the result as JSON; replaces the file if it is there. `-` is standard output, on one
    /// line in place of the tables
    #[arg(long, value_name = "FILE|-", value_parser = output::part())]
    out: PartOutput,

    /// Write a report as one HTML page with charts
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    report: Option<PathBuf>,

    /// Use N threads; by default as many as there are cores
    #[arg(long, value_name = "N", value_parser = threads::parse)]
    threads: Option<usize>,

    /// Title of the whole, in place of those of the parts
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl Merge {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        // The inputs of the parts cannot be found: their paths may be from another folder or
        // machine.
        let files = self.parts.iter().filter(|part| !is_standard_input(part));
        output::check(
            &[
                ("--out", self.out.file()),
                ("--report", self.report.as_deref()),
            ],
            files,
        )?;
        let threads = threads::or_cores(self.threads);
        let mut merged = match self.parts.as_slice() {
            [part] if is_standard_input(part) => merge_lines(io::stdin().lock(), part, threads)?,
            parts if parts.iter().any(|part| is_standard_input(part)) => {
                return Err(Failure::usage(
                    "the parts are either files or, with `-`, the lines of standard input",
                ));
            }
            parts => merge(parts, threads)?,
        };
        if let Some(title) = &self.title {
            merged.set_title(title);
        }
        if let Some(out) = self.out.file() {
            output::write(out, |out| merged.write(out))?;
        }
        let printed = Printed::of(&merged, Some(&self.out));
        conclusion::show(&merged, self.report.as_deref(), printed)?;
        Ok(conclusion::answer(&merged))
    }
}

fn is_standard_input(part: &Path) -> bool {
    part == Path::new("-")
}
