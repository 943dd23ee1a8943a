//! `robots survey compare`: what changed between two surveys or more.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::Args;
use polite_robots_survey::Part;
use polite_robots_survey::compare::SurveyComparison;

use crate::outcome::{Answer, Failure};
use crate::survey::{output, text};
use crate::terminal::{self, ASIDE, printable, warn};

/// Compare two or more surveys: what changed, as shares of their files
///
/// More than two are a series, the earliest first; the change is that from the first to the last.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Compare {
    /// Files that `robots survey --out` wrote, the earliest first
    #[arg(value_name = "SURVEY", required = true, num_args = 2..=MOST_SURVEYS)]
    surveys: Vec<PathBuf>,

    /// A name for each, after the surveys; by default the names of the files, or their paths where
    /// two names are the same
    #[arg(long, value_name = "LABEL", num_args = 2..=MOST_SURVEYS)]
    labels: Option<Vec<String>>,

    /// Print one JSON document with every measure
    #[arg(long)]
    json: bool,

    /// Write a report as one HTML page with charts
    #[arg(long, value_name = "FILE", value_parser = output::file())]
    report: Option<PathBuf>,
}

impl Compare {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        output::check(&[("--report", self.report.as_deref())], &self.surveys)?;
        let labels = self.labels()?;
        let parts = self.surveys.iter().map(|path| Part::load_finished(path));
        let parts = parts.collect::<Result<Vec<Part>, _>>()?;
        if let Some((first, others)) = self
            .surveys
            .iter()
            .zip(&parts)
            .collect::<Vec<_>>()
            .split_first()
        {
            for other in others {
                warn_of_differences(*first, *other);
            }
        }
        let comparison = SurveyComparison::new(labels.into_iter().zip(&parts));
        let document = comparison.document();
        let reported = text::write_report(self.report.as_deref(), &document);
        terminal::print(|out| {
            if self.json {
                return crate::json::write(out, &comparison);
            }
            writeln!(out, "{}", printable(&document.lead))?;
            for table in comparison.tables() {
                writeln!(out, "\n{ASIDE}{}{ASIDE:#}", table.title)?;
                text::write_table(out, &table)?;
            }
            Ok(())
        })?;
        reported?;
        Ok(Answer::Yes)
    }

    fn labels(&self) -> Result<Vec<String>, Failure> {
        if let Some(labels) = &self.labels {
            if labels.len() != self.surveys.len() {
                return Err(Failure::usage(format_args!(
                    "there are {} labels for {} surveys; give each survey one",
                    labels.len(),
                    self.surveys.len()
                )));
            }
            return Ok(labels.clone());
        }
        let stems: Vec<String> = self.surveys.iter().map(|path| stem(path)).collect();
        let different: BTreeSet<&String> = stems.iter().collect();
        if different.len() == stems.len() {
            return Ok(stems);
        }
        let paths = self.surveys.iter();
        Ok(paths
            .map(|path| path.to_string_lossy().into_owned())
            .collect())
    }
}

/// Warns of differences that look like a change and are none.
fn warn_of_differences((old_path, old): (&PathBuf, &Part), (new_path, new): (&PathBuf, &Part)) {
    let [old_path, new_path] = [old_path, new_path].map(|path| printable(&path.to_string_lossy()));
    if old.max_bytes() != new.max_bytes() {
        warn(format_args!(
            "`{old_path}` was read with --max-bytes {}, `{new_path}` with {}: what long files say may differ for that alone",
            old.max_bytes(),
            new.max_bytes()
        ));
    }
    if old.depth() != new.depth() {
        warn(format_args!(
            "`{old_path}` was surveyed as {} does, `{new_path}` as {}: what is known of a sample only, findings of rules and \
             differences of dialects, is less exact in one of them",
            old.depth(),
            new.depth()
        ));
    }
    if old.unit() != new.unit() {
        warn(format_args!(
            "`{old_path}` counts each {} once, `{new_path}` each {}: their shares are of other things",
            old.unit(),
            new.unit()
        ));
    }
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The most surveys of a series. Each is a few megabytes in memory, and a column of a table.
const MOST_SURVEYS: usize = 24;

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots survey compare 2019.json 2024.json
  robots survey compare 2019.json 2022.json 2024.json --report series.html
  robots survey compare a.json b.json --labels 'January 2019' 'June 2024' --report compare.html

Exit codes:
  0  compared
  2  one of them cannot be read or is not finished, and the message says which and why";
