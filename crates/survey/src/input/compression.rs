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
    has_read_error: AtomicBool,
    has_decode_error: AtomicBool,
}

impl ReadProgress {
    /// The bytes of the file that were read, before decompression.
    pub(super) fn bytes_read(&self) -> u64 {
        self.bytes_read.load(Ordering::Relaxed)
    }

    /// Whether more bytes were wanted than the file has.
    pub(super) fn is_at_end(&self) -> bool {
        self.is_at_end.load(Ordering::Relaxed)
    }

    /// Whether reading the file failed.
    pub(super) fn has_read_error(&self) -> bool {
        self.has_read_error.load(Ordering::Relaxed)
    }

    /// Whether decompression failed.
    pub(super) fn has_decode_error(&self) -> bool {
        self.has_decode_error.load(Ordering::Relaxed)
    }
}

/// Opens a file as a stream of its decoded bytes.
pub(super) fn open(
    path: &Path,
    compression: Compression,
    progress: &Arc<ReadProgress>,
) -> io::Result<Box<dyn Read + Send>> {
    let file = MeteredReader {
        file: File::open(path)?,
        progress: Arc::clone(progress),
    };
    let file = BufReader::with_capacity(BUFFER, file);
    let progress = Arc::clone(progress);
    Ok(match compression {
        Compression::None => Box::new(file),
        Compression::Gzip => Box::new(Decoder {
            decoder: MultiGzDecoder::new(file),
            progress,
        }),
        Compression::Xz => Box::new(Decoder {
            decoder: XzReader::new_mem_limit(file, true, XZ_MEMORY_KIB),
            progress,
        }),
        Compression::Zstd => Box::new(Decoder {
            decoder: zstd::Decoder::with_buffer(file)?,
            progress,
        }),
    })
}

/// A file that records how much of it was read.
struct MeteredReader {
    file: File,
    progress: Arc<ReadProgress>,
}

impl Read for MeteredReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.file.read(buffer);
        match &result {
            Ok(0) => self.progress.is_at_end.store(true, Ordering::Relaxed),
            Ok(bytes) => {
                self.progress
                    .bytes_read
                    .fetch_add(*bytes as u64, Ordering::Relaxed);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.progress.has_read_error.store(true, Ordering::Relaxed),
        }
        result
    }
}

/// A decoder that records its errors.
struct Decoder<D> {
    decoder: D,
    progress: Arc<ReadProgress>,
}

impl<D: Read> Read for Decoder<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.decoder.read(buffer);
        if result
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.progress
                .has_decode_error
                .store(true, Ordering::Relaxed);
        }
        result
    }
}

/// The size of the read buffer.
const BUFFER: usize = 256 * 1024;

/// The memory limit of xz: enough for the 64 MiB dictionary of `xz -9`. `zstd` has its own limit of
/// 128 MiB.
const XZ_MEMORY_KIB: u32 = 96 * 1024;
