//! A compressed stream as a plain one.

use std::fs::File;
use std::io::{self, BufReader, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

#[derive(Debug, Clone, Copy)]
pub(super) enum Compression {
    None,
    Gzip,
    Xz,
    Zstd,
}

/// How the reading of a file goes, for who does not see the file.
#[derive(Debug, Default)]
pub(super) struct Gauge {
    octets_read: AtomicU64,
    cannot_be_read: AtomicBool,
    does_not_decode: AtomicBool,
}

impl Gauge {
    /// The bytes of the file itself that were read.
    pub(super) fn octets_read(&self) -> u64 {
        self.octets_read.load(Ordering::Relaxed)
    }

    pub(super) fn cannot_be_read(&self) -> bool {
        self.cannot_be_read.load(Ordering::Relaxed)
    }

    pub(super) fn does_not_decode(&self) -> bool {
        self.does_not_decode.load(Ordering::Relaxed)
    }
}

/// The decoded bytes of a file.
pub(super) fn open(
    path: &Path,
    compression: Compression,
    gauge: &Arc<Gauge>,
) -> io::Result<Box<dyn Read + Send>> {
    let file = MeteredReader {
        file: File::open(path)?,
        gauge: Arc::clone(gauge),
    };
    let file = BufReader::with_capacity(BUFFER, file);
    let gauge = Arc::clone(gauge);
    Ok(match compression {
        Compression::None => Box::new(file),
        Compression::Gzip => Box::new(Decoder {
            decoder: MultiGzDecoder::new(file),
            gauge,
        }),
        Compression::Xz => Box::new(Decoder {
            decoder: XzReader::new_mem_limit(file, true, XZ_MEMORY_KIB),
            gauge,
        }),
        Compression::Zstd => Box::new(Decoder {
            decoder: zstd::Decoder::with_buffer(file)?,
            gauge,
        }),
    })
}

struct MeteredReader {
    file: File,
    gauge: Arc<Gauge>,
}

impl Read for MeteredReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.file.read(buffer);
        match &result {
            Ok(octets) => {
                self.gauge
                    .octets_read
                    .fetch_add(*octets as u64, Ordering::Relaxed);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => self.gauge.cannot_be_read.store(true, Ordering::Relaxed),
        }
        result
    }
}

struct Decoder<D> {
    decoder: D,
    gauge: Arc<Gauge>,
}

impl<D: Read> Read for Decoder<D> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let result = self.decoder.read(buffer);
        if result
            .as_ref()
            .is_err_and(|error| error.kind() != io::ErrorKind::Interrupted)
        {
            self.gauge.does_not_decode.store(true, Ordering::Relaxed);
        }
        result
    }
}

const BUFFER: usize = 256 * 1024;

/// For dictionaries of 64 MiB, which is what `xz -9` uses. (`zstd` stops at 128 MiB by itself.)
const XZ_MEMORY_KIB: u32 = 96 * 1024;
