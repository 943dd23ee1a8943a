//! What stops a survey: where, what, and the way out.

use std::io;
use std::path::{Path, PathBuf};

use crate::survey::summary::file::Depth;
use crate::terminal::printable;

#[derive(Debug, thiserror::Error)]
pub(crate) enum SurveyError {
    #[error(
        "{} is there already; go on with it with --resume, or give --out another name",
        quoted(out)
    )]
    Exists { out: PathBuf },
    #[error("cannot read {}: {source}", quoted(path))]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot write {}: {source}", quoted(path))]
    Unwritable { path: PathBuf, source: io::Error },
    #[error(
        "{} is not a part of a survey: {source}; name a file that `robots survey --out` wrote",
        quoted(path)
    )]
    NotAPart {
        path: PathBuf,
        source: serde_json::Error,
    },
    #[error(
        "{} is of version {version} of the format, and this `robots` reads version 1; use the `robots` that wrote it",
        quoted(path)
    )]
    Version { path: PathBuf, version: u32 },
    #[error(
        "{} has changed since {} was begun, so what was counted of it may be wrong; survey it anew, with another --out",
        quoted(input),
        quoted(out)
    )]
    Changed { input: PathBuf, out: PathBuf },
    #[error(
        "{}, an input of {}, is not there; put it back, or go on in the folder where the survey was begun, if its path \
         is from there",
        quoted(input),
        quoted(out)
    )]
    Gone { input: PathBuf, out: PathBuf },
    #[error(
        "{} is {}; give --resume the same paths as before, or none",
        quoted(input),
        not_in(out, *is_in_out)
    )]
    OtherInputs {
        input: PathBuf,
        out: PathBuf,
        is_in_out: bool,
    },
    #[error(
        "{} was read with --max-bytes {theirs}, not {ours}; what was counted differently cannot be added up",
        quoted(path)
    )]
    OtherLimit {
        path: PathBuf,
        theirs: usize,
        ours: usize,
    },
    #[error(
        "{} was surveyed as {theirs} does, not {ours}; what was counted differently cannot be added up, so give all \
         parts, and each --resume, the same of the two",
        quoted(path)
    )]
    OtherDepth {
        path: PathBuf,
        theirs: Depth,
        ours: Depth,
    },
    #[error(
        "{} is not finished; go on with it: robots survey --resume --out {}",
        quoted(path),
        printable(&path.to_string_lossy())
    )]
    Unfinished { path: PathBuf },
    #[error(
        "{} is given twice, or with a folder that it is in; it would count twice, so give it once",
        quoted(input)
    )]
    Twice { input: PathBuf },
    #[error(
        "{} and {} are the same, or one is in the other; it would count twice, so give it once",
        quoted(one),
        quoted(other)
    )]
    Same { one: PathBuf, other: PathBuf },
    #[error(
        "{} is in two of the parts, and would count twice; leave one of them out (the second is {})",
        quoted(input),
        quoted(part)
    )]
    InTwoParts { input: PathBuf, part: PathBuf },
    #[error(
        "{} is within {}, which is surveyed, and would be taken for a robots.txt; give {option} another place",
        quoted(path),
        quoted(folder)
    )]
    OutputWithin {
        option: &'static str,
        path: PathBuf,
        folder: PathBuf,
    },
    #[error(
        "{} is read, and {option} would replace it; give {option} another name",
        quoted(path)
    )]
    OutputIsRead { option: &'static str, path: PathBuf },
    #[error(
        "{} is what {} and {} name, and one would replace the other; give one of them another name",
        quoted(path),
        options[0],
        options[1]
    )]
    SameOutput {
        path: PathBuf,
        options: [&'static str; 2],
    },
    #[error("{} is not UTF-8, and --out is JSON; rename it", quoted(input))]
    NotUtf8 { input: PathBuf },
    #[error("cannot start {threads} threads: {source}; give --threads a smaller number")]
    Threads {
        threads: usize,
        source: rayon::ThreadPoolBuildError,
    },
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
