//! New content for a file that is there: all of it or, if something fails, none.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::terminal::printable;

/// Puts `octets` in place of what the file holds. It keeps its permissions, and a symbolic link stays one.
pub(crate) fn rewrite(path: &Path, octets: &[u8]) -> Result<(), RewriteError> {
    replace(path, octets).map_err(|source| RewriteError {
        path: path.to_owned(),
        source,
    })
}

/// A file beside the old one takes its name once it is whole, so that a server never serves half of it.
fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let permissions = fs::metadata(&target)?.permissions();
    // Renaming asks for permission to write the folder alone.
    if permissions.readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    let folder = target.parent().unwrap_or(Path::new("."));
    let mut new = NamedTempFile::new_in(folder)?;
    new.write_all(octets)?;
    new.as_file().set_permissions(permissions)?;
    new.as_file().sync_all()?;
    new.persist(&target)?;
    Ok(())
}

/// A file that stays as it was, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`, which is as it was: {source}", printable(&path.to_string_lossy()))]
pub(crate) struct RewriteError {
    path: PathBuf,
    source: io::Error,
}
