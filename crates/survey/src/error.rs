//! Errors that stop a survey: what is wrong, where, and what to do.

use std::io;
use std::path::{Path, PathBuf};

use crate::depth::Depth;
use crate::unit::Unit;
use polite_robots_audit::printable::printable;

/// An error that stops a survey. Its message names what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SurveyError {
    /// A file cannot be read.
    #[error("cannot read {}: {source}", quoted(path))]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// A file is not a part of a survey.
    #[error(
        "{} is not a part of a survey: {source}; a part is a file that `robots survey --out` wrote, or a line of `--out -`",
        quoted(path)
    )]
    NotAPart {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: serde_json::Error,
    },
    /// A part has another version of the format.
    #[error(
        "{} is of version {version} of the format, and this `robots` reads version {reads}; survey its inputs again, or use \
         the `robots` that wrote it",
        quoted(path)
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        version: u32,
        /// The version that is read.
        reads: u32,
    },
    /// An input has changed since the survey began.
    #[error(
        "{} has changed since {} was begun, so its counts may be wrong; survey it again, with another --out",
        quoted(input),
        quoted(out)
    )]
    Changed {
        /// The input.
        input: PathBuf,
        /// The part.
        out: PathBuf,
    },
    /// An input no longer exists.
    #[error(
        "{}, an input of {}, is not there; put it back, or go on in the folder where the survey was begun, if its path is \
         relative to it",
        quoted(input),
        quoted(out)
    )]
    Gone {
        /// The input.
        input: PathBuf,
        /// The part.
        out: PathBuf,
    },
    /// Standard input was read in part, and its bytes come only once.
    #[error(
        "{} of {} is standard input, which gives its bytes once, and the survey was stopped within it; survey it again, \
         with another --out",
        quoted(input),
        quoted(out)
    )]
    StandardInput {
        /// The name of the input.
        input: PathBuf,
        /// The part.
        out: PathBuf,
    },
    /// The inputs given are not those of the part.
    #[error(
        "{} is {}; give --resume the same paths as before, or none",
        quoted(input),
        not_in(out, *is_in_out)
    )]
    OtherInputs {
        /// The input.
        input: PathBuf,
        /// The part.
        out: PathBuf,
        /// Whether the part has the input; otherwise only the arguments have it.
        is_in_out: bool,
    },
    /// A part was read with another limit.
    #[error(
        "{} was read with --max-bytes {theirs}, not {ours}; what was counted differently cannot be added up",
        quoted(path)
    )]
    OtherLimit {
        /// The file.
        path: PathBuf,
        /// The value in the part.
        theirs: usize,
        /// The value asked for.
        ours: usize,
    },
    /// A part was surveyed at another depth.
    #[error(
        "{} was surveyed as {theirs} does, not {ours}; what was counted differently cannot be added up, so give all \
         parts, and each --resume, the same of the two",
        quoted(path)
    )]
    OtherDepth {
        /// The file.
        path: PathBuf,
        /// The value in the part.
        theirs: Depth,
        /// The value asked for.
        ours: Depth,
    },
    /// A part was surveyed with another unit.
    #[error(
        "{} counts each {theirs} once, and not each {ours}; survey again, with another --out, or give --resume the same --by",
        quoted(path)
    )]
    OtherUnit {
        /// The file.
        path: PathBuf,
        /// The unit of the part.
        theirs: Unit,
        /// The unit asked for.
        ours: Unit,
    },
    /// Parts that count each body or domain once cannot be added up.
    #[error(
        "parts that count each {unit} once cannot be added up, as two of them may have the same one; survey all their \
         inputs in one run with --by {unit}"
    )]
    NotAdditive {
        /// The unit.
        unit: Unit,
    },
    /// Standard input would have to be read twice.
    #[error(
        "{} is standard input, which gives its bytes once, and each {unit} is counted once by reading the inputs twice; \
         save it to a file first",
        quoted(input)
    )]
    ReadTwice {
        /// The name of the input.
        input: PathBuf,
        /// The unit.
        unit: Unit,
    },
    /// There are more bodies or domains than fit in memory.
    #[error(
        "there are more than {most} of what --by {unit} counts once, and memory for so many is not taken; use --rows and \
         a database"
    )]
    TooMany {
        /// The unit.
        unit: Unit,
        /// The largest number of bodies or domains that fits.
        most: usize,
    },
    /// A part is not finished.
    #[error(
        "{} is not finished; go on with it: robots survey --resume --out {}",
        quoted(path),
        printable(&path.to_string_lossy())
    )]
    Unfinished {
        /// The file.
        path: PathBuf,
    },
    /// An input is given twice.
    #[error(
        "{} is given twice, or with a folder that it is in; it would count twice, so give it once",
        quoted(input)
    )]
    Twice {
        /// The input.
        input: PathBuf,
    },
    /// Two inputs are the same, or one lies in the other.
    #[error(
        "{} and {} are the same, or one is in the other; it would count twice, so give it once",
        quoted(one),
        quoted(other)
    )]
    Same {
        /// The first input.
        one: PathBuf,
        /// The second input.
        other: PathBuf,
    },
    /// Two parts have the same input.
    #[error(
        "{} is in two of the parts, and would count twice; leave one of them out (the second is {})",
        quoted(input),
        quoted(part)
    )]
    InTwoParts {
        /// The input.
        input: PathBuf,
        /// The second of the two parts.
        part: PathBuf,
    },
    /// A path is not text.
    #[error("{} is not UTF-8, and --out is JSON; rename it", quoted(input))]
    NotUtf8 {
        /// The input.
        input: PathBuf,
    },
    /// A list of labels has a fault.
    #[error("{}, line {line}: {fault}", quoted(path))]
    Labels {
        /// The list.
        path: PathBuf,
        /// The line, counted from 1.
        line: usize,
        /// The fault.
        fault: LabelsFault,
    },
    /// A part was surveyed with other labels.
    #[error(
        "{} was surveyed with another --strata, or without; strata of different lists cannot be added up, so give all \
         parts, and each --resume, the same list",
        quoted(path)
    )]
    OtherLabels {
        /// The part.
        path: PathBuf,
    },
    /// The rows are comma-separated values, and only JSON lines can be read.
    #[error(
        "{} is CSV, and rows are compared as JSON lines; survey with --rows and a name that ends in .jsonl",
        quoted(path)
    )]
    CsvRows {
        /// The file.
        path: PathBuf,
    },
    /// A line is not a row.
    #[error(
        "{}, line {line}, is not a row: {source}; name a file that `robots survey --rows` wrote",
        quoted(path)
    )]
    NotARow {
        /// The file.
        path: PathBuf,
        /// The line, counted from 1.
        line: u64,
        /// The cause.
        source: serde_json::Error,
    },
    /// The rows cannot be written.
    #[error("cannot write the rows: {source}")]
    Rows {
        /// The cause.
        source: io::Error,
    },
    /// The threads cannot be started.
    #[error("cannot start {threads} threads: {source}; give --threads a smaller number")]
    Threads {
        /// The number of threads.
        threads: usize,
        /// The cause.
        source: rayon::ThreadPoolBuildError,
    },
}

/// A fault of a list of labels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum LabelsFault {
    /// A line is not a host and a label.
    #[error("write a host, a comma and its label, as in `example.com,top 1000`")]
    NoLabel,
    /// A host has two labels.
    #[error("the host has another label above; give each host one")]
    Twice,
    /// There are too many labels.
    #[error(
        "there are more than 1000 labels; strata are for groups of hosts, and --rows is for single ones"
    )]
    TooMany,
}

fn quoted(path: &Path) -> String {
    format!("`{}`", printable(&path.to_string_lossy()))
}

fn not_in(out: &Path, is_in_out: bool) -> String {
    if is_in_out {
        format!("an input of {}, but not given now", quoted(out))
    } else {
        format!("not an input of {}", quoted(out))
    }
}
