//! New content for a file: all of it or, if something fails, what was there before.

use std::fs::{self, File, Metadata};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use polite_robots::Code;
use tempfile::NamedTempFile;

use crate::terminal::printable;

/// Puts `octets` in place of what the file holds. It keeps its owner and permissions, and a symbolic link stays one.
pub(crate) fn rewrite(path: &Path, octets: &[u8]) -> Result<(), RewriteError> {
    fs::canonicalize(path)
        .and_then(|target| replace(&target, |file| file.write_all(octets)))
        .map_err(|source| RewriteError {
            path: path.to_owned(),
            source,
        })
}

/// The same of a file that need not be there. A device or a pipe gets what is written, and stays what it is.
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
pub(crate) fn check_writable(path: &Path) -> io::Result<()> {
    if is_device(path) {
        return Ok(());
    }
    beside(&target(path)?).map(drop)
}

/// The file that is meant, by the one name that each file has. It need not be there, but its folder must.
pub(crate) fn target(path: &Path) -> io::Result<PathBuf> {
    match (fs::canonicalize(path), path.file_name()) {
        (Err(error), Some(name)) if error.kind() == io::ErrorKind::NotFound => {
            let folder = path.parent().filter(|folder| *folder != Path::new(""));
            Ok(fs::canonicalize(folder.unwrap_or(Path::new(".")))?.join(name))
        }
        (target, _) => target,
    }
}

/// A file beside the old one takes its name once it is whole, so that a server never serves half of it.
fn replace(target: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut new = BufWriter::new(beside(target)?);
    write(&mut new)?;
    let new = new.into_inner()?;
    new.as_file().sync_all()?;
    new.persist(target)?;
    Ok(())
}

fn beside(target: &Path) -> io::Result<NamedTempFile> {
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
    // Renaming asks for permission to write the folder alone.
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

/// Of files that others may read, as far as the umask lets them.
fn builder() -> tempfile::Builder<'static, 'static> {
    #[cfg_attr(not(unix), expect(unused_mut))]
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

fn is_device(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|metadata| !metadata.is_file() && !metadata.is_dir())
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
