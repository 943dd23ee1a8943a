//! The reader of a folder of robots.txt files, or of one such file.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use walkdir::{DirEntry, IntoIter};

use crate::batch::Batch;
use crate::content::{BodyEnd, Place};
use crate::input::kind::Kind;
use crate::input::reader::{Chunk, Limits, Position, Reader};
use crate::input::refusal;
use crate::input::walk::walk;

/// Reads a folder of robots.txt files, or one such file.
pub(super) struct Files {
    root: PathBuf,
    entries: IntoIter,
    limits: Limits,
    /// The number of entries visited, of any kind. The walk has the same order in each run.
    done: u64,
    bytes_read: u64,
}

impl Files {
    pub(super) fn open(root: &Path, limits: Limits, position: Position) -> io::Result<Files> {
        check_readable(root)?;
        let mut entries = walk(root).into_iter();
        let mut bytes_read = 0;
        for _ in 0..position.at {
            if let Some(Ok(entry)) = entries.next()
                && entry.file_type().is_file()
            {
                bytes_read += entry.metadata().map_or(0, |metadata| metadata.len());
            }
        }
        Ok(Files {
            root: root.to_owned(),
            entries,
            limits,
            done: position.at,
            bytes_read,
        })
    }

    fn add(&mut self, entry: walkdir::Result<DirEntry>, batch: &mut Batch) {
        let (path, result) = match &entry {
            Ok(entry) => (entry.path(), self.read(entry)),
            Err(error) => {
                let path = error.path().unwrap_or(&self.root);
                (path, Err(io::Error::other(error.to_string())))
            }
        };
        match result {
            Ok(Some((body, end))) => batch.push_file(Place::of_input(path), body, end),
            Ok(None) => {}
            Err(error) => batch.push_unreadable(Place::of_input(path), &error),
        }
    }

    /// Reads an entry; `None` if it is not a robots.txt.
    fn read(&mut self, entry: &DirEntry) -> io::Result<Option<(Vec<u8>, BodyEnd)>> {
        let is_wanted = entry.depth() == 0 || Kind::from_name(entry.path()) == Kind::Files;
        if !entry.file_type().is_file() || !is_wanted {
            return Ok(None);
        }
        let (body, end) = read_limited(File::open(entry.path())?, self.limits.max_bytes)?;
        self.bytes_read += body.len() as u64;
        refusal::check_body(&body)?;
        Ok(Some((body, end)))
    }
}

impl Reader for Files {
    fn next(&mut self) -> Chunk {
        let mut batch = Batch::default();
        let mut is_last = false;
        while !batch.holds(self.limits.batch) {
            let Some(entry) = self.entries.next() else {
                is_last = true;
                break;
            };
            self.done += 1;
            self.add(entry, &mut batch);
        }
        Chunk {
            batch,
            bytes_read: self.bytes_read,
            is_last,
            ..Chunk::empty(Position::after(self.done))
        }
    }
}

/// Fails if the input itself cannot be read. A later run tries such an input again, unlike an
/// unreadable file in a folder.
fn check_readable(root: &Path) -> io::Result<()> {
    let metadata = fs::metadata(root)?;
    if metadata.is_dir() {
        fs::read_dir(root)?;
    } else if metadata.is_file() {
        File::open(root)?;
    }
    Ok(())
}

/// Reads a body up to the limit.
pub(super) fn read_limited(
    from: impl io::Read,
    max_bytes: usize,
) -> io::Result<(Vec<u8>, BodyEnd)> {
    let mut body = Vec::new();
    from.take((max_bytes as u64).saturating_add(1))
        .read_to_end(&mut body)?;
    let end = match body.len() > max_bytes {
        true => BodyEnd::LimitReached,
        false => BodyEnd::Complete,
    };
    body.truncate(max_bytes);
    // The batch counts the length of its bodies, not their capacity.
    body.shrink_to_fit();
    Ok((body, end))
}
