//! The file of the rows. It takes its name when it is whole; standard output and a device get the
//! rows as they come.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, Stdout, Write};
use std::path::{Path, PathBuf};

use clap::builder::{PathBufValueParser, TypedValueParser};
use polite_robots_survey::rows::{RowFormat, RowWriter, Rows};
use tempfile::NamedTempFile;

use crate::rewrite::beside;
use crate::survey::output::{OutputError, is_device, target, unwritable};

/// The path of a file of rows, whose name states its form, or `-` for standard output.
#[derive(Debug, Clone)]
pub(crate) struct RowPath {
    path: PathBuf,
    format: RowFormat,
}

impl RowPath {
    /// The file; `None` for standard output.
    pub(crate) fn file(&self) -> Option<&Path> {
        (!self.is_standard_output()).then_some(&self.path)
    }

    pub(crate) fn is_standard_output(&self) -> bool {
        self.path == Path::new(STANDARD_OUTPUT)
    }

    /// The same place with compact rows; `None` for a table, which has no compact form.
    pub(crate) fn compact(&self) -> Option<RowPath> {
        Some(RowPath {
            path: self.path.clone(),
            format: self.format.compact()?,
        })
    }
}

/// The parser of the path.
pub(crate) fn path() -> impl TypedValueParser<Value = RowPath> {
    PathBufValueParser::new().try_map(|path| {
        let format = match path == Path::new(STANDARD_OUTPUT) {
            true => Some(RowFormat::JsonLines),
            false => RowFormat::from_path(&path),
        };
        match format {
            Some(format) => Ok(RowPath { path, format }),
            None => Err(
                "the name must end in .jsonl or .csv, which says the form of the rows, with .gz or .zst after it or not",
            ),
        }
    })
}

/// A file of rows that is being written.
pub(crate) struct RowFile<'p> {
    path: &'p RowPath,
    writer: Writer,
}

enum Writer {
    StandardOutput(BufWriter<Stdout>),
    Device(RowWriter<BufWriter<File>>),
    /// A file beside the one that it replaces.
    Whole(RowWriter<BufWriter<NamedTempFile>>, PathBuf),
}

impl<'p> RowFile<'p> {
    pub(crate) fn create(path: &'p RowPath) -> Result<RowFile<'p>, OutputError> {
        let create = || -> io::Result<Writer> {
            if path.is_standard_output() {
                return Ok(Writer::StandardOutput(BufWriter::new(io::stdout())));
            }
            if is_device(&path.path) {
                let device = OpenOptions::new().write(true).open(&path.path)?;
                let device = RowWriter::new(&path.path, BufWriter::new(device))?;
                return Ok(Writer::Device(device));
            }
            let target = target(&path.path)?;
            let file = RowWriter::new(&path.path, BufWriter::new(beside(&target)?))?;
            Ok(Writer::Whole(file, target))
        };
        let writer = create().map_err(|source| unwritable(&path.path, source))?;
        Ok(RowFile { path, writer })
    }

    /// Begins the rows.
    pub(crate) fn rows(&mut self) -> Result<Rows<'_>, OutputError> {
        let out: &mut (dyn Write + Send) = match &mut self.writer {
            Writer::StandardOutput(out) => out,
            Writer::Device(device) => device,
            Writer::Whole(file, _) => file,
        };
        Rows::new(self.path.format, out).map_err(|source| unwritable(&self.path.path, source))
    }

    /// Gives the whole file its name.
    pub(crate) fn finish(self) -> Result<(), OutputError> {
        let finish = || -> io::Result<()> {
            match self.writer {
                Writer::StandardOutput(mut out) => out.flush(),
                Writer::Device(device) => device.finish()?.flush(),
                Writer::Whole(file, target) => {
                    let file = file.finish()?.into_inner()?;
                    file.as_file().sync_all()?;
                    file.persist(target)?;
                    Ok(())
                }
            }
        };
        finish().map_err(|source| unwritable(&self.path.path, source))
    }
}

/// The path that stands for standard output, which gets JSON lines.
const STANDARD_OUTPUT: &str = "-";
