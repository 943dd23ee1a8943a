//! `robots survey compare`: what changed between two surveys.

use std::path::{Path, PathBuf};

use clap::Args;
use polite_robots_survey::Part;
use polite_robots_survey::compare::SurveyComparison;

use crate::outcome::{Answer, Failure};
use crate::survey::{output, text};
use crate::terminal::{self, ASIDE, printable, warn};

/// Compare two surveys: what changed, as shares of their files
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES_AND_EXIT_CODES)]
pub(crate) struct Compare {
    /// The earlier one, a file that `robots survey --out` wrote
    #[arg(value_name = "OLD")]
    old: PathBuf,

    /// The later one
    #[arg(value_name = "NEW")]
    new: PathBuf,

    /// Names for them; by default the names of the files, or their paths where the names are the same
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
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
        output::check(
            &[("--report", self.report.as_deref())],
            [&self.old, &self.new],
        )?;
        let old = Part::load_finished(&self.old)?;
        let new = Part::load_finished(&self.new)?;
        self.warn_of_differences(&old, &new);
        let comparison = SurveyComparison::new(self.labels(), &old, &new);
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

    /// Differences that look like a change and are none.
    fn warn_of_differences(&self, old: &Part, new: &Part) {
        let [old_path, new_path] =
            [&self.old, &self.new].map(|path| printable(&path.to_string_lossy()));
        if old.max_bytes() != new.max_bytes() {
            warn(format_args!(
                "`{old_path}` was read with --max-bytes {}, `{new_path}` with {}: what long files say may differ for \
                 that alone",
                old.max_bytes(),
                new.max_bytes()
            ));
        }
        if old.depth() != new.depth() {
            warn(format_args!(
                "`{old_path}` was surveyed as {} does, `{new_path}` as {}: what is known of a sample only, findings of \
                 rules and differences of dialects, is less exact in one of them",
                old.depth(),
                new.depth()
            ));
        }
    }

    fn labels(&self) -> [String; 2] {
        match self.labels.as_deref() {
            Some([old, new]) => [old.clone(), new.clone()],
            _ => match [stem(&self.old), stem(&self.new)] {
                [old, new] if old == new => {
                    [&self.old, &self.new].map(|path| path.to_string_lossy().into_owned())
                }
                stems => stems,
            },
        }
    }
}

fn stem(path: &Path) -> String {
    let name = path.file_stem().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

const EXAMPLES_AND_EXIT_CODES: &str = "\
Examples:
  robots survey compare 2019.json 2024.json
  robots survey compare a.json b.json --labels 'January 2019' 'June 2024' --report compare.html

Exit codes:
  0  compared
  2  one of them cannot be read or is not finished, and the message says which and why";
