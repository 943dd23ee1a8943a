//! `--save`: the file where other subcommands can read it.

use std::fs;
use std::path::{Path, PathBuf};

use crate::fetch::profiles::MAX_BYTES;
use crate::fetch::site::Site;
use crate::input::Input;
use crate::outcome::{Failure, WriteError};
use crate::rewrite::rewrite;
use crate::terminal::{self, printable, warn};

/// Writes the file of a site: into a file, into a folder as `HOST.robots.txt`, or to standard
/// output. For a site without a file nothing is written, because an empty file would allow
/// everything.
pub(super) fn save(site: &Site, target: &Input) -> Result<(), Failure> {
    let Some(file) = site.file() else {
        return Err(NothingToSave(site.origin.robots_url()).into());
    };
    let kept = file.get(..MAX_BYTES).unwrap_or(file);
    if kept.len() < file.len() {
        warn(format_args!(
            "`{}` is longer than crawlers read; its first {} bytes are saved",
            printable(&site.origin.robots_url()),
            kept.len()
        ));
    }
    match target {
        Input::StandardInput => Ok(terminal::print_bytes(kept)?),
        Input::File(path) if is_folder(path) => {
            fs::create_dir_all(path).map_err(|source| WriteError::new(path, source))?;
            write(&path.join(name(site)), kept)
        }
        Input::File(path) => write(path, kept),
    }
}

/// Writes a file. An existing file keeps its owner, and half a file never replaces it.
fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.is_file() {
        return Ok(rewrite(path, bytes)?);
    }
    Ok(fs::write(path, bytes).map_err(|source| WriteError::new(path, source))?)
}

/// Whether a path is a folder: it exists as a folder, or its name ends with a separator and the
/// folder is to be made.
pub(super) fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator)
}

/// A name that `robots lint FOLDER` finds: `example.com.robots.txt`. The name includes any other
/// port or scheme.
fn name(site: &Site) -> PathBuf {
    let origin = site.origin.to_string();
    let host = origin.strip_prefix("https://").map(str::to_owned);
    let host = host.unwrap_or_else(|| origin.replace("://", "_"));
    PathBuf::from(format!("{}.robots.txt", host.replace([':', '[', ']'], "_")))
}

/// An answer that is not a file.
#[derive(Debug, thiserror::Error)]
#[error("nothing is saved, as `{}` is no file that crawlers read", printable(.0))]
struct NothingToSave(String);
