//! `robots survey merge`: the parts of a survey as one.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;

use crate::outcome::{Answer, Failure};
use crate::survey::error::SurveyError;
use crate::survey::output;
use crate::survey::part::Part;
use crate::survey::summary::file::Depth;
use crate::survey::tell;

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
}

impl Merge {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        // Where the inputs of the parts are cannot be known: their paths may be from another folder or machine.
        output::check(Some(&self.out), self.report.as_deref(), &self.parts)?;
        let merged = self.merged()?;
        merged.save(&self.out)?;
        tell(&merged, self.report.as_deref())?;
        Ok(merged.answer())
    }

    fn merged(&self) -> Result<Part, SurveyError> {
        let mut merged: Option<Part> = None;
        let mut inputs = BTreeSet::new();
        for path in &self.parts {
            let part = Part::load_finished(path)?;
            for input in part.paths() {
                if !inputs.insert(input.clone()) {
                    return Err(SurveyError::InTwoParts {
                        input: input.clone(),
                        part: path.clone(),
                    });
                }
            }
            match &mut merged {
                None => merged = Some(part),
                Some(merged) => {
                    part.check_counted_as(merged.max_bytes, merged.depth, path)?;
                    merged.merge(part)?;
                }
            }
        }
        merged.map_or_else(|| Part::new(Vec::new(), 0, Depth::Sampled), Ok)
    }
}
