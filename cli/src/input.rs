//! Bytes from a file or standard input, and the list of URLs that they may be.

use std::borrow::Cow;
use std::ffi::OsString;
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader, Read};
use std::path::PathBuf;
use std::str;

use crate::terminal::printable;

/// `FILE|-`, as it is written on the command line.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Input {
    StandardInput,
    File(PathBuf),
}

impl From<OsString> for Input {
    fn from(argument: OsString) -> Input {
        if argument == STANDARD_INPUT {
            Input::StandardInput
        } else {
            Input::File(argument.into())
        }
    }
}

impl Input {
    /// All bytes of the input.
    pub(crate) fn bytes(&self) -> Result<Vec<u8>, InputError> {
        self.first_bytes(u64::MAX)
    }

    /// The first bytes, no more than `most`, even of a pipe that never ends.
    pub(crate) fn first_bytes(&self, most: u64) -> Result<Vec<u8>, InputError> {
        let mut bytes = Vec::new();
        let read = match self {
            Input::StandardInput => io::stdin().lock().take(most).read_to_end(&mut bytes),
            Input::File(path) => {
                File::open(path).and_then(|file| file.take(most).read_to_end(&mut bytes))
            }
        };
        read.map_err(|source| self.unreadable(source))?;
        Ok(bytes)
    }

    /// A stream of its bytes.
    pub(crate) fn reader(&self) -> Result<Box<dyn Read>, InputError> {
        match self {
            Input::StandardInput => Ok(Box::new(io::stdin().lock())),
            Input::File(path) => match File::open(path) {
                Ok(file) => Ok(Box::new(file)),
                Err(source) => Err(self.unreadable(source)),
            },
        }
    }

    /// The URLs of a list: one per line, blank lines and lines that start with `#` left out. At
    /// least one.
    pub(crate) fn urls(&self) -> Result<Vec<String>, InputError> {
        let lines = self.numbered_lines()?;
        if lines.is_empty() {
            return Err(self.no_url());
        }
        Ok(lines.into_iter().map(|(_, url)| url).collect())
    }

    /// Passes on the URLs of a list one by one, as they come. Returns their number.
    pub(crate) fn each_url(
        &self,
        take: impl FnMut(&str, IsLastForNow),
    ) -> Result<usize, InputError> {
        self.each_url_of(self.reader()?, take)
    }

    /// The bytes as a file that can be read again and again. Bytes that come through a pipe are
    /// kept in a temporary file.
    pub(crate) fn seekable(&self) -> Result<File, InputError> {
        let file = match self {
            Input::File(path) => File::open(path).map_err(|source| self.unreadable(source))?,
            Input::StandardInput => return self.kept(&mut io::stdin().lock()),
        };
        match file.metadata() {
            Ok(metadata) if metadata.is_file() => Ok(file),
            _ => self.kept(&mut &file),
        }
    }

    fn kept(&self, reader: &mut dyn Read) -> Result<File, InputError> {
        let mut kept = tempfile::tempfile().map_err(|source| InputError::NotKept {
            input: self.clone(),
            folder: std::env::temp_dir(),
            source,
        })?;
        io::copy(reader, &mut kept).map_err(|source| self.unreadable(source))?;
        Ok(kept)
    }

    pub(crate) fn unreadable(&self, source: io::Error) -> InputError {
        InputError::Unreadable {
            input: self.clone(),
            source,
        }
    }

    /// Passes on the URLs of `list`, which holds the bytes of this input, one by one.
    pub(crate) fn each_url_of(
        &self,
        list: impl Read,
        mut take: impl FnMut(&str, IsLastForNow),
    ) -> Result<usize, InputError> {
        let unreadable = |source| self.unreadable(source);
        let mut reader = BufReader::new(list);
        let mut line = Vec::new();
        let mut count: usize = 0;
        for number in 1.. {
            line.clear();
            if reader.read_until(b'\n', &mut line).map_err(unreadable)? == 0 {
                break;
            }
            let text = match number {
                1 => line.strip_prefix(BYTE_ORDER_MARK).unwrap_or(&line),
                _ => &line,
            };
            let url = str::from_utf8(text).map_err(|error| self.not_utf8(text, number, error))?;
            let url = url.trim_ascii();
            if !url.is_empty() && !url.starts_with('#') {
                count = count.saturating_add(1);
                take(url, IsLastForNow(reader.buffer().is_empty()));
            }
        }
        Ok(count)
    }

    /// The error of a list without URLs.
    pub(crate) fn no_url(&self) -> InputError {
        InputError::NoUrl {
            input: self.clone(),
        }
    }

    /// The paths of a list, in the same form; the list may be compressed, as `robotstxt.paths.gz`
    /// of Common Crawl is.
    #[cfg(feature = "survey")]
    pub(crate) fn paths(&self) -> Result<Vec<PathBuf>, InputError> {
        let mut bytes = self.bytes()?;
        if bytes.starts_with(GZIP) {
            bytes = self.decompressed(&bytes)?;
        }
        let paths = self.numbered_lines_of(&bytes)?;
        if paths.is_empty() {
            return Err(InputError::NoPath {
                input: self.clone(),
            });
        }
        let paths = paths.into_iter();
        Ok(paths.map(|(_, path)| PathBuf::from(path)).collect())
    }

    #[cfg(feature = "survey")]
    fn decompressed(&self, bytes: &[u8]) -> Result<Vec<u8>, InputError> {
        let mut decompressed = Vec::new();
        let read = flate2::read::MultiGzDecoder::new(bytes).read_to_end(&mut decompressed);
        read.map_err(|source| self.unreadable(source))?;
        Ok(decompressed)
    }

    /// The lines of a list with their numbers from 1, blank lines and lines that start with `#`
    /// left out.
    pub(crate) fn numbered_lines(&self) -> Result<Vec<(usize, String)>, InputError> {
        self.numbered_lines_of(&self.bytes()?)
    }

    fn numbered_lines_of(&self, bytes: &[u8]) -> Result<Vec<(usize, String)>, InputError> {
        let bytes = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
        let mut lines = Vec::new();
        for (line, number) in bytes.split(|byte| *byte == b'\n').zip(1..) {
            let line = str::from_utf8(line).map_err(|error| self.not_utf8(line, number, error))?;
            let line = line.trim_ascii();
            if !line.is_empty() && !line.starts_with('#') {
                lines.push((number, line.to_owned()));
            }
        }
        Ok(lines)
    }

    fn not_utf8(&self, text: &[u8], line: usize, error: str::Utf8Error) -> InputError {
        let before = error.valid_up_to();
        InputError::NotUtf8 {
            input: self.clone(),
            line,
            position: before,
            byte: text.get(before).copied().unwrap_or_default(),
        }
    }

    /// The input as it is given on the command line.
    pub(crate) fn argument(&self) -> Cow<'_, str> {
        match self {
            Input::StandardInput => Cow::Borrowed(STANDARD_INPUT),
            Input::File(path) => path.to_string_lossy(),
        }
    }

    /// The argument, if it is a URL in place of a file.
    pub(crate) fn url(&self) -> Option<&str> {
        let Input::File(path) = self else {
            return None;
        };
        let argument = path.to_str()?;
        let scheme = argument.split_once("://").map(|(scheme, _)| scheme)?;
        let is_fetched = ["http", "https"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known));
        is_fetched.then_some(argument)
    }

    /// The end of an error. A user who gives a URL in place of a file expects that it is fetched.
    fn way_out(&self) -> String {
        match self.url().map(printable) {
            Some(url) => format!(
                "; nothing is fetched here: save the file with `robots fetch '{url}' --save robots.txt`, or give `-` as the file \
                 and pipe it in, as in `curl -sL '{url}' | robots …`"
            ),
            None => String::new(),
        }
    }
}

/// Whether the line is the last one that a pipe has delivered so far.
#[derive(Debug, Clone, Copy)]
pub(crate) struct IsLastForNow(pub(crate) bool);

/// Writes the input as a place in a message.
impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::StandardInput => f.write_str("standard input"),
            Input::File(_) => write!(f, "`{}`", printable(&self.argument())),
        }
    }
}

/// An input that cannot be used: where, what, and the way out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("cannot read {input}: {source}{}", input.way_out())]
    Unreadable { input: Input, source: io::Error },
    #[error(
        "cannot keep {input} in a file in `{}`, as it is read for each agent: {source}; give the list as a file, or set TMPDIR to a folder that can be written",
        printable(&folder.to_string_lossy())
    )]
    NotKept {
        input: Input,
        folder: PathBuf,
        source: io::Error,
    },
    #[error(
        "{input}, line {line}: 0x{byte:02X} at byte {position} is not UTF-8; \
         save the list as UTF-8; a URL may be percent-encoded instead"
    )]
    NotUtf8 {
        input: Input,
        line: usize,
        /// The position, counted from 0 as in the library's messages.
        position: usize,
        byte: u8,
    },
    #[error(
        "{input} holds no URL; write one per line (blank lines and lines that start with `#` are skipped)"
    )]
    NoUrl { input: Input },
    #[cfg(feature = "survey")]
    #[error(
        "{input} holds no path; write one per line (blank lines and lines that start with `#` are skipped)"
    )]
    NoPath { input: Input },
}

const STANDARD_INPUT: &str = "-";

/// The first bytes of a compressed list. No path begins with a control character.
#[cfg(feature = "survey")]
const GZIP: &[u8] = b"\x1f\x8b";

/// The byte order mark. Editors of one platform begin UTF-8 files with it, and it is no part of the
/// first URL.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";
