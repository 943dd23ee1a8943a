//! `robots survey compare`: what changed between two surveys.

mod change;
mod document;
mod json;
mod measure;

use std::path::{Path, PathBuf};

use clap::Args;

use crate::outcome::{Answer, Failure};
use crate::report::{self, text::write_table};
use crate::survey::compare::change::{Change, changes};
use crate::survey::part::Part;
use crate::terminal::{self, ASIDE, printable};

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

    /// What to call them; by default the names of the files
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"])]
    labels: Option<Vec<String>>,

    /// Print one JSON document with every measure
    #[arg(long)]
    json: bool,

    /// Write a report as one HTML page with charts
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
}

/// Two surveys side by side.
#[derive(Debug)]
struct Compared {
    labels: [String; 2],
    files: [u64; 2],
    changes: Vec<Change>,
}

impl Compare {
    pub(crate) fn run(self) -> Result<Answer, Failure> {
        let old = Part::load(&self.old)?;
        let new = Part::load(&self.new)?;
        let compared = Compared {
            labels: self.labels(),
            files: [old.summary.files, new.summary.files],
            changes: changes(&old.summary, &new.summary),
        };
        terminal::print(|out| {
            if self.json {
                return crate::json::write(out, &json::Document::new(&compared));
            }
            let document = document::document(&compared);
            writeln!(out, "{}", printable(&document.lead))?;
            for table in document::short_tables(&compared) {
                writeln!(out, "\n{ASIDE}{}{ASIDE:#}", table.title)?;
                write_table(out, &table)?;
            }
            Ok(())
        })?;
        if let Some(path) = &self.report {
            report::write(path, &document::document(&compared))?;
        }
        Ok(Answer::Yes)
    }

    fn labels(&self) -> [String; 2] {
        match self.labels.as_deref() {
            Some([old, new]) => [old.clone(), new.clone()],
            _ => [stem(&self.old), stem(&self.new)],
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
  2  one of them cannot be read, and the message says which and why";
