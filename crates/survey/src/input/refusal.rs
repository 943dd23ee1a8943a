//! Refused inputs: a pipe, a device, and a file that is a robots.txt or an archive by its name only.

use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::Path;

use memchr::memmem;

use crate::input::kind::Kind;

/// A path from the command line. A pipe gives its bytes once, and a survey may come back to them.
pub(super) fn of_root(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path).map_err(|error| match path.to_str() {
        Some("-") => io::Error::other(STANDARD_INPUT),
        _ => error,
    })?;
    if metadata.is_file() || metadata.is_dir() {
        Ok(())
    } else {
        Err(io::Error::other(NO_FILE))
    }
}

/// Refuses a file that a server sent in place of an archive, an error page perhaps. It is no damaged archive: a later run tries it
/// again. (Of a tar it shows at its first member.)
pub(super) fn of_archive(path: &Path, kind: Kind) -> io::Result<()> {
    let mut start = Vec::new();
    match kind {
        Kind::Files => return Ok(()),
        _ => File::open(path)?.take(START).read_to_end(&mut start)?,
    };
    let holds = |mark| memmem::find(&start, mark).is_some();
    if start.is_empty() {
        Err(io::Error::other(EMPTY))
    } else if kind == Kind::Warc && !holds(b"WARC/") && !holds(b"\x1f\x8b\x08") {
        Err(io::Error::other(NO_WARC))
    } else {
        Ok(())
    }
}

/// By its first bytes, as a name says little: `example.zip` and `example.com.br` are hosts.
pub(super) fn of_body(body: &[u8]) -> io::Result<()> {
    let what = STARTS
        .iter()
        .find(|(start, _)| body.starts_with(start))
        .map(|(_, what)| *what);
    let tar = body.get(TAR_AT..).filter(|rest| rest.starts_with(TAR));
    match what.or(tar.map(|_| "a tar archive")) {
        Some(what) => Err(io::Error::other(format!("it is {what}; {WHAT_IS_READ}"))),
        None => Ok(()),
    }
}

const STARTS: [(&[u8], &str); 9] = [
    (b"\x1f\x8b\x08", "compressed (gzip)"),
    (b"BZh91AY&SY", "compressed (bzip2)"),
    (b"\xfd7zXZ\0", "compressed (xz)"),
    (b"\x28\xb5\x2f\xfd", "compressed (zstd)"),
    (b"\x04\x22\x4d\x18", "compressed (lz4)"),
    (b"PK\x03\x04", "a zip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!\x1a\x07", "a rar archive"),
    (b"WARC/1.", "a WARC archive"),
];

const TAR: &[u8] = b"ustar";
const TAR_AT: usize = 257;

const WHAT_IS_READ: &str = "what is read, by these endings: .tar, .tar.gz, .tar.xz, .tar.zst, .warc, .warc.gz; \
    any other file is a robots.txt as text";

const EMPTY: &str = "it is empty, and no archive is; fetch it again";

const NO_WARC: &str = "it begins with neither a WARC record nor a gzip member, so it is something else, perhaps what a \
    server said in its place; fetch it again";

/// Bytes, of which the first may be damaged.
const START: u64 = 64 * 1024;

const NO_FILE: &str =
    "it is neither a file nor a folder; write what it gives to a file, and name that";

const STANDARD_INPUT: &str = "there is no such file, and standard input is not surveyed; write it to a file, and name \
    that (for a list of paths: --paths -)";
