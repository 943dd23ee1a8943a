//! The end of a survey: its page, its counts and its answer.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use polite_robots_survey::{Part, report};

use crate::counted::counted;
use crate::outcome::{Answer, Failure};
use crate::survey::output::PartOutput;
use crate::survey::text;
use crate::terminal;

/// The answer of a complete survey: whether everything was read. Not everything was read if only
/// damage was found, or if an input was cut off.
pub(super) fn answer(part: &Part) -> Answer {
    match part.unreadable() {
        0 if !part.is_only_damage() && part.cut_inputs().next().is_none() => Answer::Yes,
        _ => Answer::Partial,
    }
}

/// The form of the counts on standard output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Printed {
    /// Tables, with the warnings about their figures.
    Tables,
    /// The part on one line.
    Line,
    /// Nothing, because the part is not complete.
    Nothing,
}

impl Printed {
    pub(super) fn of(part: &Part, out: Option<&PartOutput>) -> Printed {
        match out {
            Some(PartOutput::StandardOutput) if part.is_complete() => Printed::Line,
            Some(PartOutput::StandardOutput) => Printed::Nothing,
            Some(PartOutput::File(_)) | None => Printed::Tables,
        }
    }
}

/// Writes the page with charts, if one is wanted, and prints the counts. Neither is lost because
/// the other cannot be written.
pub(super) fn show(part: &Part, report: Option<&Path>, printed: Printed) -> Result<(), Failure> {
    let reported = match report {
        Some(_) => text::write_report(report, &report::survey(REPORT, part)),
        None => Ok(()),
    };
    match printed {
        Printed::Tables => terminal::print(|out| write(out, part))?,
        Printed::Line => terminal::print_whole(|out| part.write_line(out))?,
        Printed::Nothing => {}
    }
    for damage in part.damage() {
        terminal::warn(format_args!(
            "an input is damaged, and what could not be read was passed over: {}",
            terminal::printable(&damage)
        ));
    }
    for (input, bytes) in part.cut_inputs() {
        terminal::warn(format_args!(
            "`{}` ends at byte {bytes}, within a record: it was cut off, and what was read of it counts",
            terminal::printable(&input.to_string_lossy())
        ));
    }
    let shares = match printed {
        Printed::Tables => report::large_shares(part),
        // The part has the shares in `summary.copies`.
        Printed::Line | Printed::Nothing => Vec::new(),
    };
    for (unit, share) in shares {
        terminal::warn(format_args!(
            "{share}; `--by {unit}` counts each {unit} once"
        ));
    }
    Ok(reported?)
}

fn write(out: &mut dyn Write, part: &Part) -> io::Result<()> {
    let archives = archives_in_folders(part);
    write!(out, "{}", counted(part.input_count(), "input"))?;
    if archives > 0 {
        write!(out, ", with {} in a folder", counted(archives, "archive"))?;
    }
    writeln!(out)?;
    text::write(out, &report::overview(part))
}

/// A folder and each archive in it are inputs of their own.
fn archives_in_folders(part: &Part) -> usize {
    let paths: HashSet<&Path> = part.paths().map(PathBuf::as_path).collect();
    let is_in_folder = |path: &&Path| {
        path.ancestors()
            .skip(1)
            .any(|folder| paths.contains(folder))
    };
    paths.iter().copied().filter(is_in_folder).count()
}

/// The title of a report that is given none.
const REPORT: &str = "A survey of robots.txt";
