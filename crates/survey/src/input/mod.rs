//! The inputs of a survey: folders and files, WARC and tar archives.

mod compression;
mod files;
pub(crate) mod kind;
pub(crate) mod reader;
mod refusal;
mod tar;
mod walk;
mod warc;

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde::{Deserialize, Serialize};

use crate::input::compression::Compression;
use crate::input::files::Files;
use crate::input::kind::Kind;
use crate::input::reader::{Limits, Position, Reader};
use crate::input::tar::Tar;
use crate::input::walk::walk;
use crate::input::warc::Warc;
use crate::input::warc::source::Pipe;

/// A file, an archive or a folder, with its size and modification time when the survey began.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Input {
    pub(crate) path: PathBuf,
    pub(crate) kind: Kind,
    /// The size in bytes; for a folder, the sum over all its files.
    pub(crate) size: u64,
    /// The modification time in nanoseconds since 1970; for a folder, that of its latest entry.
    pub(crate) modified: u64,
}

impl Input {
    /// Finds the inputs at a path: the file itself, or the folder and each archive in it.
    ///
    /// A path that does not exist is an input too, which the survey will count as unreadable.
    #[must_use]
    pub fn find(path: &Path) -> Vec<Input> {
        // `./robots/` becomes `robots`, so that an input given twice is recognised.
        let plain: PathBuf = path
            .components()
            .filter(|component| *component != Component::CurDir)
            .collect();
        let is_plain = !plain.as_os_str().is_empty();
        let path = if is_plain { &plain } else { path };
        let mut input = Input::empty(path, Kind::from_name(path));
        if !path.is_dir() {
            if let Ok(metadata) = fs::metadata(path) {
                input.add(&metadata);
            }
            return vec![input];
        }
        input.kind = Kind::Files;
        let root = path.canonicalize().unwrap_or_default();
        let mut archives = Vec::new();
        for entry in walk(path).into_iter().flatten() {
            let Ok(metadata) = entry.metadata() else {
                continue;
            };
            let kind = Kind::from_name(entry.path());
            if metadata.is_file() && kind != Kind::Files {
                if is_link_within(entry.path(), path, &root) {
                    continue;
                }
                let mut archive = Input::empty(entry.path(), kind);
                archive.add(&metadata);
                archives.push(archive);
            } else {
                input.add(&metadata);
            }
        }
        archives.insert(0, input);
        archives
    }

    /// A WARC archive on standard input, under this name. Standard input can be read only once, so
    /// a survey that was stopped within it begins again.
    ///
    /// ```
    /// use polite_robots_survey::Input;
    ///
    /// let input = Input::standard_input("robotstxt.warc.gz".as_ref());
    /// assert!(input.is_standard_input());
    /// ```
    #[must_use]
    pub fn standard_input(name: &Path) -> Input {
        Input::empty(name, Kind::StandardInput)
    }

    fn empty(path: &Path, kind: Kind) -> Input {
        Input {
            path: path.to_owned(),
            kind,
            size: 0,
            modified: 0,
        }
    }

    /// Whether the input is standard input, whose size is not known before it is read.
    #[must_use]
    pub fn is_standard_input(&self) -> bool {
        self.kind == Kind::StandardInput
    }

    /// The size of the input in bytes, compressed or not; for a folder, the sum over all its files.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.size
    }

    fn add(&mut self, metadata: &Metadata) {
        // The size of a directory depends on the file system, not on its contents.
        if metadata.is_file() {
            self.size += metadata.len();
        }
        let modified = metadata
            .modified()
            .ok()
            .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
            .and_then(|since| u64::try_from(since.as_nanos()).ok());
        self.modified = self.modified.max(modified.unwrap_or_default());
    }

    /// Finds the input again, with its present size and modification time.
    pub(crate) fn now(&self) -> Option<Input> {
        if self.is_standard_input() {
            return Some(self.clone());
        }
        Input::find(&self.path)
            .into_iter()
            .find(|input| input.path == self.path)
    }

    pub(crate) fn open(&self, limits: &Limits, position: Position) -> io::Result<Box<dyn Reader>> {
        let (path, limits) = (Arc::new(self.path.clone()), limits.clone());
        if !self.is_standard_input() {
            refusal::check_root(&self.path)?;
            refusal::check_archive(&self.path, self.kind)?;
        }
        let compression = match self.kind {
            Kind::Files => return Ok(Box::new(Files::open(&path, limits, position)?)),
            Kind::StandardInput => {
                let source = Box::new(Pipe::new(Box::new(io::stdin())));
                return Ok(Box::new(Warc::open(path, source, limits, position)?));
            }
            Kind::Warc => {
                let source = Box::new(File::open(&*path)?);
                return Ok(Box::new(Warc::open(path, source, limits, position)?));
            }
            Kind::Tar => Compression::None,
            Kind::TarGz => Compression::Gzip,
            Kind::TarXz => Compression::Xz,
            Kind::TarZst => Compression::Zstd,
        };
        Ok(Box::new(Tar::open(path, compression, limits, position)?))
    }
}

/// Whether a path is a link to a file within the same folder: `latest.tar` may link to an archive
/// beside it. The walk visits the target too, so the archive would count twice.
fn is_link_within(path: &Path, folder: &Path, root: &Path) -> bool {
    let by_name = path.strip_prefix(folder).map(|below| root.join(below));
    match (path.canonicalize(), by_name) {
        (Ok(target), Ok(by_name)) => target != by_name && target.starts_with(root),
        _ => false,
    }
}
