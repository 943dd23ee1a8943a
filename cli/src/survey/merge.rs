//! `robots survey merge`: the parts of a survey as one.

use std::path::PathBuf;

use clap::Args;

use crate::outcome::{Answer, Failure};
use crate::survey::{conclusion, output};

/// Add up parts of a survey
///
/// The result is that of one survey of all their inputs, and can be merged again. All of them must have been surveyed with
/// the same --max-bytes, and all as --thorough does or all as --sampled does.
#[derive(Debug, Args)]
pub(crate) struct Merge {
    /// Files that `robots survey --out` wrote, all finished
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// Write the result as JSON; replaces the file if it is there
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    out: PathBuf,

    /// Write a report as one HTML page with charts
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    report: Option<PathBuf>,

    /// Title of the whole, in place of those of the parts
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
}

impl Merge {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        // Where the inputs of the parts are cannot be known: their paths may be from another folder or machine.
        output::check(
            &[
                ("--out", Some(&self.out)),
                ("--report", self.report.as_deref()),
            ],
            &self.parts,
        )?;
        let mut merged = polite_robots_survey::merge(&self.parts)?;
        if let Some(title) = &self.title {
            merged.set_title(title);
        }
        output::write(&self.out, |out| merged.write(out))?;
        conclusion::show(&merged, self.report.as_deref())?;
        Ok(conclusion::answer(&merged))
    }
}
