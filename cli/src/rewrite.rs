//! New content for a file. If something fails, the file keeps its old content.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::terminal::printable;

/// Replaces the content of a file by `bytes`. The file keeps its owner and permissions, and a
/// symbolic link stays a link.
pub(crate) fn rewrite(path: &Path, bytes: &[u8]) -> Result<(), RewriteError> {
    fs::canonicalize(path)
        .and_then(|target| replace(&target, |file| file.write_all(bytes)))
        .map_err(|source| RewriteError {
            path: path.to_owned(),
            source,
        })
}

/// Writes a new file beside the old one. Once it is whole, it takes the name of the old file, so
/// that a server never serves half a file.
pub(crate) fn replace(
    target: &Path,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    let mut new = BufWriter::new(beside(target)?);
    write(&mut new)?;
    let new = new.into_inner()?;
    new.as_file().sync_all()?;
    new.persist(target)?;
    Ok(())
}

/// A new file beside the target, with the owner and the permissions of the old one.
pub(crate) fn beside(target: &Path) -> io::Result<NamedTempFile> {
    let old = match fs::metadata(target) {
        Ok(metadata) => Some(metadata),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let folder = target.parent().unwrap_or(Path::new("."));
    let Some(old) = old else {
        return builder().tempfile_in(folder);
    };
    if old.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // A rename needs only the permission to write to the folder.
    if old.permissions().readonly() {
        return Err(io::Error::new(
            io::ErrorKind::PermissionDenied,
            "it is read-only",
        ));
    }
    let new = builder().tempfile_in(folder)?;
    keep_owner(new.as_file(), &old)?;
    new.as_file().set_permissions(old.permissions())?;
    Ok(new)
}

/// A file that others may read, as far as the umask lets them.
fn builder() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// Keeps the owner of a file that root fixes; otherwise its web server could no longer read it.
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
