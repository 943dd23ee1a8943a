//! The compression of files of rows, stated by their names.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;

/// The compression of a file of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RowCompression {
    Gzip,
    Zstd,
}

impl RowCompression {
    /// The compression that the name of a file states: `.gz` or `.zst`.
    pub(super) fn of(path: &Path) -> Option<RowCompression> {
        let ending = path.extension()?.to_str()?.to_ascii_lowercase();
        match ending.as_str() {
            "gz" => Some(RowCompression::Gzip),
            "zst" => Some(RowCompression::Zstd),
            _ => None,
        }
    }
}

/// A writer that compresses as the name of the file states. The compressed bytes are whole once
/// [`RowWriter::finish`] has returned the writer below.
#[expect(
    missing_debug_implementations,
    reason = "a writer need not implement it"
)]
pub struct RowWriter<W: Write>(Encoder<W>);

enum Encoder<W: Write> {
    Plain(W),
    Gzip(GzEncoder<W>),
    Zstd(zstd::Encoder<'static, W>),
}

impl<W: Write> RowWriter<W> {
    /// Begins a file of this name.
    ///
    /// # Errors
    ///
    /// If the compression cannot begin, for want of memory.
    pub fn new(path: &Path, out: W) -> io::Result<RowWriter<W>> {
        Ok(RowWriter(match RowCompression::of(path) {
            None => Encoder::Plain(out),
            Some(RowCompression::Gzip) => {
                Encoder::Gzip(GzEncoder::new(out, Compression::default()))
            }
            Some(RowCompression::Zstd) => Encoder::Zstd(zstd::Encoder::new(out, ZSTD_LEVEL)?),
        }))
    }

    /// Ends the compression.
    ///
    /// # Errors
    ///
    /// If the writer below fails.
    pub fn finish(self) -> io::Result<W> {
        match self.0 {
            Encoder::Plain(out) => Ok(out),
            Encoder::Gzip(encoder) => encoder.finish(),
            Encoder::Zstd(encoder) => encoder.finish(),
        }
    }

    fn writer(&mut self) -> &mut dyn Write {
        match &mut self.0 {
            Encoder::Plain(out) => out,
            Encoder::Gzip(encoder) => encoder,
            Encoder::Zstd(encoder) => encoder,
        }
    }
}

impl<W: Write> Write for RowWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.writer().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.writer().flush()
    }
}

/// A reader of a file of rows, compressed as its name states.
pub(crate) fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = File::open(path)?;
    Ok(match RowCompression::of(path) {
        None => Box::new(BufReader::new(file)),
        Some(RowCompression::Gzip) => Box::new(BufReader::new(MultiGzDecoder::new(file))),
        Some(RowCompression::Zstd) => Box::new(BufReader::new(zstd::Decoder::new(file)?)),
    })
}

/// The level of zstd: rows are a tenth shorter than with the default of 3, and written as fast as
/// they are counted.
const ZSTD_LEVEL: i32 = 6;
