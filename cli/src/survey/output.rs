//! The files that a survey writes: none of them is one that it reads, and all can be written. It is checked before hours
//! of work.

use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::rewrite::{check_writable, target};
use crate::survey::error::SurveyError;

/// No output may be the other one, nor any of what is read, nor in a folder that is read.
pub(crate) fn check<'p>(
    out: Option<&Path>,
    report: Option<&Path>,
    read: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), SurveyError> {
    let mut targets: Vec<(&'static str, &Path, PathBuf)> = Vec::new();
    for (option, path) in [("--out", out), ("--report", report)] {
        let Some(path) = path else {
            continue;
        };
        let target = target(path).map_err(|source| unwritable(path, source))?;
        if let Some((other, ..)) = targets.iter().find(|(.., other)| *other == target) {
            return Err(SurveyError::SameOutput {
                path: path.to_owned(),
                options: [*other, option],
            });
        }
        targets.push((option, path, target));
    }
    if targets.is_empty() {
        return Ok(());
    }
    for read in read {
        let Ok(place) = target(read) else {
            continue;
        };
        let overlap = targets
            .iter()
            .find(|(.., target)| target.starts_with(&place));
        if let Some((option, path, target)) = overlap {
            let (option, path) = (*option, path.to_path_buf());
            return Err(if *target == place {
                SurveyError::OutputIsRead { option, path }
            } else {
                SurveyError::OutputWithin {
                    option,
                    path,
                    folder: read.clone(),
                }
            });
        }
    }
    targets.iter().try_for_each(|(_, path, _)| {
        check_writable(path).map_err(|source| unwritable(path, source))
    })
}

/// Of an option that names a file to write: elsewhere `-` is standard output, and here it would be a file of that name.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("it is written to a file; give its name, or `./-` for a file of that name")
        } else {
            Ok(path)
        }
    })
}

fn unwritable(path: &Path, source: std::io::Error) -> SurveyError {
    SurveyError::Unwritable {
        path: path.to_owned(),
        source,
    }
}
