//! The files as text: size, encoding, and whether they are robots.txt files at all.

use std::collections::BTreeMap;

use polite_robots_lint::DiagnosticCode;
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::FileFacts;
use crate::summary::merge::counts;

counts! {
    /// Counts of the files by their text.
    #[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
    pub(crate) struct Texts {
        pub(crate) bytes: Distribution,
        pub(crate) lines: Distribution,
        /// The bytes of the longest line of each file.
        pub(crate) longest_line: Distribution,
        /// Files of zero bytes.
        pub(crate) empty: u64,
        /// Files with only white space, empty files included.
        pub(crate) blank: u64,
        /// Files that are longer than Google reads: more than 512,000 bytes.
        pub(crate) over_500_kib: u64,
        /// Files with comments.
        pub(crate) with_comments: u64,
        /// Lines with a comment, in all files.
        pub(crate) comments: u64,
        pub(crate) encodings: BTreeMap<Encoding, u64>,
        pub(crate) byte_order_mark: u64,
        /// Files with a NUL byte anywhere.
        pub(crate) with_nul: u64,
        /// Files that begin like a document in HTML or XML.
        pub(crate) html: u64,
    }
}

/// The encoding of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Encoding {
    Ascii,
    /// UTF-8 with characters outside of ASCII.
    Utf8,
    Utf16,
    /// Neither UTF-8 nor UTF-16.
    Other,
}

impl Texts {
    pub(crate) fn add(&mut self, facts: &FileFacts<'_>) {
        let shape = facts.shape;
        let bytes = facts.body.len() as u64;
        let has = |code: DiagnosticCode| facts.findings.iter().any(|finding| finding.code == code);
        self.bytes.add(bytes);
        self.lines.add(shape.lines);
        self.longest_line.add(shape.longest_line);
        self.empty += u64::from(bytes == 0);
        self.blank += u64::from(shape.is_blank);
        self.over_500_kib += u64::from(bytes > GOOGLE_FILE_BYTES);
        self.with_comments += u64::from(shape.comments > 0);
        self.comments += shape.comments;
        let encoding = if shape.is_ascii && !shape.has_nul {
            Encoding::Ascii
        } else if has(DiagnosticCode::Utf16) {
            Encoding::Utf16
        } else if has(DiagnosticCode::NotUtf8) {
            Encoding::Other
        } else if shape.is_ascii {
            Encoding::Ascii
        } else {
            Encoding::Utf8
        };
        *self.encodings.entry(encoding).or_default() += 1;
        self.byte_order_mark += u64::from(has(DiagnosticCode::ByteOrderMark));
        self.with_nul += u64::from(shape.has_nul);
        self.html += u64::from(has(DiagnosticCode::HtmlDocument));
    }
}

/// The size up to which RFC 9309 §2.5 asks parsers to read at least, and at which Google stops.
const GOOGLE_FILE_BYTES: u64 = 500 * 1024;
