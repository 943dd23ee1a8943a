//! The file of the rows. It takes its name when it is whole; a device gets the rows as they come.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::builder::TypedValueParser;
use polite_robots_survey::{RowFormat, Rows};
use tempfile::NamedTempFile;

use crate::rewrite::beside;
use crate::survey::output::{self, OutputError, is_device, target, unwritable};

/// The path of a file of rows, whose name states its form.
#[derive(Debug, Clone)]
pub(crate) struct RowPath {
    path: PathBuf,
    format: RowFormat,
}

impl RowPath {
    pub(crate) fn as_path(&self) -> &Path {
        &self.path
    }
}

/// The parser of the path.
pub(crate) fn path() -> impl TypedValueParser<Value = RowPath> {
    output::file().try_map(|path| match RowFormat::from_path(&path) {
        Some(format) => Ok(RowPath { path, format }),
        None => Err("the name must end in .jsonl or .csv, which says the form of the rows"),
    })
}

/// A file of rows that is being written.
pub(crate) struct RowFile<'p> {
    path: &'p RowPath,
    writer: Writer,
}

enum Writer {
    Device(BufWriter<File>),
    /// A file beside the one that it replaces.
    Whole(BufWriter<NamedTempFile>, PathBuf),
}

impl<'p> RowFile<'p> {
    pub(crate) fn create(path: &'p RowPath) -> Result<RowFile<'p>, OutputError> {
        let create = || -> io::Result<Writer> {
            if is_device(&path.path) {
                let device = OpenOptions::new().write(true).open(&path.path)?;
                return Ok(Writer::Device(BufWriter::new(device)));
            }
            let target = target(&path.path)?;
            Ok(Writer::Whole(BufWriter::new(beside(&target)?), target))
        };
        let writer = create().map_err(|source| unwritable(&path.path, source))?;
        Ok(RowFile { path, writer })
    }

    /// Begins the rows.
    pub(crate) fn rows(&mut self) -> Result<Rows<'_>, OutputError> {
        let out: &mut (dyn Write + Send) = match &mut self.writer {
            Writer::Device(device) => device,
            Writer::Whole(file, _) => file,
        };
        Rows::new(self.path.format, out).map_err(|source| unwritable(&self.path.path, source))
    }

    /// Gives the whole file its name.
    pub(crate) fn finish(self) -> Result<(), OutputError> {
        let finish = || -> io::Result<()> {
            match self.writer {
                Writer::Device(mut device) => device.flush(),
                Writer::Whole(file, target) => {
                    let file = file.into_inner()?;
                    file.as_file().sync_all()?;
                    file.persist(target)?;
                    Ok(())
                }
            }
        };
        finish().map_err(|source| unwritable(&self.path.path, source))
    }
}
