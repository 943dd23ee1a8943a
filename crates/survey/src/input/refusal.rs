//! Refused inputs: pipes, devices, and files that are not the robots.txt or archive that their name
//! promises.

use std::fs;
use std::io;
use std::path::Path;

use memchr::memmem;

use crate::input::kind::Kind;

/// Refuses a path that is neither a file nor a folder. A pipe gives its bytes once, but a survey
/// may read them again.
pub(super) fn check_root(path: &Path) -> io::Result<()> {
    let metadata = fs::metadata(path)?;
    if metadata.is_file() || metadata.is_dir() {
        Ok(())
    } else {
        Err(io::Error::other(NOT_A_FILE))
    }
}

/// Refuses an empty archive. It does not count as damaged, and a later run tries it again. (A wrong
/// tar is refused at its first member.)
pub(super) fn check_archive(path: &Path, kind: Kind) -> io::Result<()> {
    if kind != Kind::Files && fs::metadata(path)?.len() == 0 {
        return Err(io::Error::other(EMPTY));
    }
    Ok(())
}

/// Refuses a file that is not a WARC at all, such as an error page that a server sent instead. The
/// first [`SEARCHED_START`] bytes decide. Such a file does not count as damaged either.
pub(super) fn check_warc(start: &[u8]) -> io::Result<()> {
    let contains = |mark| memmem::find(start, mark).is_some();
    if start.is_empty() {
        Err(io::Error::other(EMPTY))
    } else if contains(b"WARC/") || contains(b"\x1f\x8b\x08") || contains(b"\x28\xb5\x2f\xfd") {
        Ok(())
    } else {
        Err(io::Error::other(NOT_A_WARC))
    }
}

/// Refuses a compressed file or an archive by its first bytes. Names prove nothing: `example.zip`
/// is a host.
pub(super) fn check_body(body: &[u8]) -> io::Result<()> {
    let format = MAGIC_NUMBERS
        .iter()
        .find(|(magic, _)| body.starts_with(magic))
        .map(|(_, format)| *format);
    let tar = body
        .get(TAR_MAGIC_OFFSET..)
        .filter(|rest| rest.starts_with(TAR_MAGIC));
    match format.or(tar.map(|_| "a tar archive")) {
        Some(format) => Err(io::Error::other(format!(
            "it is {format}; {READABLE_FORMATS}"
        ))),
        None => Ok(()),
    }
}

/// The first bytes of formats that are not robots.txt files, with their names.
const MAGIC_NUMBERS: [(&[u8], &str); 9] = [
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

/// The magic number of a tar archive, and its offset.
const TAR_MAGIC: &[u8] = b"ustar";
const TAR_MAGIC_OFFSET: usize = 257;

const READABLE_FORMATS: &str = "what is read, by these endings: .tar, .tar.gz, .tar.xz, .tar.zst, .warc, .warc.gz, \
    .warc.zst; any other file is a robots.txt as text";

const EMPTY: &str = "it is empty, and no archive is; fetch it again";

const NOT_A_WARC: &str = "it begins with neither a WARC record nor a gzip member or zstd frame, so it is another kind of \
    file, perhaps an error page of the server; fetch it again";

/// The bytes that are searched for the start of a record or member, because the first bytes may be
/// damaged.
pub(super) const SEARCHED_START: u64 = 64 * 1024;

const NOT_A_FILE: &str = "it is neither a file nor a folder; write what it gives to a file, and name that, or pipe a \
    WARC into `robots survey -`";
