//! The decompression of a file into a stream of plain bytes.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

/// The compression of a file.
#[derive(Debug, Clone, Copy)]
pub(super) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
}

/// The progress and the errors of reading a file, shared with the owner of the decoded stream.
#[derive(Debug, Default)]
pub(super) struct ReadProgress {
    bytes_read: AtomicU64,
    is_at_end: AtomicBool,
    /// Whether reading the file failed.
    pub(super) has_read_error: AtomicBool,
    /// Whether decompression failed.
    pub(super) has_decode_error: AtomicBool,
}

impl ReadProgress {
    /// The bytes of the file that were read, before decompression.
    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Whether a reader has asked for bytes after the end of the file.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end.load(Ordering::Relaxed)
    }
}

/// Opens a file as a stream of its decoded bytes.
pub(super) fn open(
    path: &Path,
    compression: Compression,
    progress: &Arc<ReadProgress>,
) -> io::Result<Box<dyn Read + Send>> {
    let file = MeteredReader {
        reader: File::open(path)?,
        progress: Arc::clone(progress),
        note: |progress, result| match result {
            Ok(0) => progress.is_at_end.store(true, Ordering::Relaxed),
            Ok(bytes) => {
                let bytes = *bytes as u64;
                progress.bytes_read.fetch_add(bytes, Ordering::Relaxed);
            }
            Err(_) => progress.has_read_error.store(true, Ordering::Relaxed),
        },
    };
    let file = BufReader::with_capacity(BUFFER, file);
    let reader: Box<dyn Read + Send> = match compression {
        Compression::None => return Ok(Box::new(file)),
        Compression::Gzip => Box::new(MultiGzDecoder::new(file)),
        Compression::Xz => Box::new(XzReader::new_mem_limit(file, true, XZ_MEMORY_KIB)),
        Compression::Zstd => Box::new(zstd::Decoder::with_buffer(file)?),
    };
    Ok(Box::new(MeteredReader {
        reader,
        progress: Arc::clone(progress),
        note: |progress, result| {
            let has_failed = result.is_err();
            progress
                .has_decode_error
                .fetch_or(has_failed, Ordering::Relaxed);
        },
    }))
}

/// A reader that notes how each read ended, unless it was interrupted.
struct MeteredReader<R> {
    reader: R,
    progress: Arc<ReadProgress>,
    note: fn(&ReadProgress, &io::Result<usize>),
}

impl<R: Read> Read for MeteredReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.reader.read(buffer);
        let error = result.as_ref().err().map(io::Error::kind);
        if error != Some(io::ErrorKind::Interrupted) {
            (self.note)(&self.progress, &result);
        }
        result
    }
}

/// The size of the read buffer.
const BUFFER: usize = 256 * 1024;

/// The memory limit of xz: enough for the 64 MiB dictionary of `xz -9`. `zstd` has its own limit of
/// 128 MiB.
const XZ_MEMORY_KIB: u32 = 96 * 1024;
