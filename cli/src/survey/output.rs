//! The files that a survey writes. Before hours of work, a check shows that none of them is one
//! that it reads, and that all can be written.

use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};

use crate::rewrite::{beside, replace};
use crate::terminal::printable;

/// `FILE|-`: the place of the part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum PartOutput {
    /// Standard output gets the part on one line when the survey is done, and no tables.
    StandardOutput,
    File(PathBuf),
}

impl From<PathBuf> for PartOutput {
    fn from(path: PathBuf) -> PartOutput {
        if path == Path::new("-") {
            PartOutput::StandardOutput
        } else {
            PartOutput::File(path)
        }
    }
}

impl PartOutput {
    pub(crate) fn file(&self) -> Option<&Path> {
        match self {
            PartOutput::StandardOutput => None,
            PartOutput::File(path) => Some(path),
        }
    }
}

/// Checks that no output is another output, is read, or lies in a folder that is read. Each output
/// comes with the name of its option.
pub(crate) fn check<'p>(
    outputs: &[(&'static str, Option<&Path>)],
    read: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), OutputError> {
    let mut targets: Vec<(&'static str, &Path, PathBuf)> = Vec::new();
    for (option, path) in outputs {
        let (option, Some(path)) = (*option, *path) else {
            continue;
        };
        let target = target(path).map_err(|source| unwritable(path, source))?;
        if let Some((other, ..)) = targets.iter().find(|(.., other)| *other == target) {
            return Err(OutputError::Same {
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
                OutputError::IsRead { option, path }
            } else {
                OutputError::Within {
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

/// Replaces the file by a whole new one. If the machine stops at any time, either the old file or
/// the new one exists.
pub(crate) fn write(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), OutputError> {
    write_whole(path, write).map_err(|source| unwritable(path, source))
}

/// The parser of an option that names the place of the part.
pub(crate) fn part() -> impl TypedValueParser<Value = PartOutput> {
    PathBufValueParser::new().map(PartOutput::from)
}

/// The parser of an option that names a file to write. Other options take `-` for standard output;
/// here it would be a file of that name.
pub(crate) fn file() -> impl TypedValueParser<Value = PathBuf> {
    PathBufValueParser::new().try_map(|path| {
        if path == Path::new("-") {
            Err("it is written to a file; give its name, or `./-` for a file of that name")
        } else {
            Ok(path)
        }
    })
}

pub(super) fn unwritable(path: &Path, source: io::Error) -> OutputError {
    OutputError::Unwritable {
        path: path.to_owned(),
        source,
    }
}

/// Writes a file, which need not exist. A device or a pipe gets the bytes and is not replaced.
pub(crate) fn write_whole(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if is_device(path) {
        let mut device = BufWriter::new(fs::OpenOptions::new().write(true).open(path)?);
        write(&mut device)?;
        return device.flush();
    }
    replace(&target(path)?, write)
}

/// Whether `write_whole` can begin.
fn check_writable(path: &Path) -> io::Result<()> {
    if is_device(path) {
        return Ok(());
    }
    beside(&target(path)?).map(drop)
}

/// The canonical path of a file. The file need not exist, but its folder must.
pub(super) fn target(path: &Path) -> io::Result<PathBuf> {
    match (fs::canonicalize(path), path.file_name()) {
        (Err(error), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            Ok(fs::canonicalize(folder.unwrap_or(Path::new(".")))?.join(name))
        }
        (target, _) => target,
    }
}

pub(super) fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
}

/// A file that a survey cannot write.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OutputError {
    #[error(
        "{} is there already; go on with it with --resume, or give --out another name",
        quoted(out)
    )]
    Exists { out: PathBuf },
    #[error("cannot write {}: {source}", quoted(path))]
    Unwritable { path: PathBuf, source: io::Error },
    #[error(
        "{} is within {}, which is surveyed, and would be taken for a robots.txt; give {option} another place",
        quoted(path),
        quoted(folder)
    )]
    Within {
        option: &'static str,
        path: PathBuf,
        folder: PathBuf,
    },
    #[error(
        "{} is read, and {option} would replace it; give {option} another name",
        quoted(path)
    )]
    IsRead { option: &'static str, path: PathBuf },
    #[error(
        "{} is what {} and {} name, and one would replace the other; give one of them another name",
        quoted(path),
        options[0],
        options[1]
    )]
    Same {
        path: PathBuf,
        options: [&'static str; 2],
    },
}

fn quoted(path: &Path) -> String {
    format!("`{}`", printable(&path.to_string_lossy()))
}
