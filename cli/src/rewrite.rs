//! New content for a file that is there: all of it or, if something fails, none.

use std::fs::{self, File, Metadata};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use polite_robots::Code;
use tempfile::NamedTempFile;

use crate::terminal::printable;

/// Puts `octets` in place of what the file holds. It keeps its owner and permissions, and a symbolic link stays one.
pub(crate) fn rewrite(path: &Path, octets: &[u8]) -> Result<(), RewriteError> {
    replace(path, octets).map_err(|source| RewriteError {
        path: path.to_owned(),
        source,
    })
}

/// A file beside the old one takes its name once it is whole, so that a server never serves half of it.
fn replace(path: &Path, octets: &[u8]) -> io::Result<()> {
    let target = fs::canonicalize(path)?;
    let metadata = fs::metadata(&target)?;
    let permissions = metadata.permissions();
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
    keep_owner(new.as_file(), &metadata)?;
    new.as_file().set_permissions(permissions)?;
    new.as_file().sync_all()?;
    new.persist(&target)?;
    Ok(())
}

/// Whether the finding says that the file is something else, of which a rewritten one would be a ruin.
pub(crate) fn is_no_robots_txt(code: Code) -> bool {
    matches!(code, Code::HtmlDocument | Code::Utf16)
}

/// Of a file that root mends, which its web server is to read on.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let made = new.metadata()?;
    if (made.uid(), made.gid()) == (old.uid(), old.gid()) {
        return Ok(());
    }
    fchown(new, Some(old.uid()), Some(old.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) -> io::Result<()> {
    Ok(())
}

/// A file that stays as it was, and why.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{}`, which is as it was: {source}", printable(&path.to_string_lossy()))]
pub(crate) struct RewriteError {
    path: PathBuf,
    source: io::Error,
}
