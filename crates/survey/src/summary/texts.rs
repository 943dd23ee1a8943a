//! The files as bytes: how large, in which encoding, and whether they are robots.txt at all.

use std::collections::BTreeMap;

use polite_robots::lint::DiagnosticCode;
use serde::{Deserialize, Serialize};

use crate::summary::distribution::Distribution;
use crate::summary::file::Facts;
use crate::summary::merge::merge_fields;

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Texts {
    pub(crate) octets: Distribution,
    pub(crate) lines: Distribution,
    /// Bytes of the longest line of each file.
    pub(crate) longest_line: Distribution,
    /// Without an byte.
    pub(crate) empty: u64,
    /// Nothing but white space, the empty ones included.
    pub(crate) blank: u64,
    /// More than Google reads: 512,000 bytes.
    pub(crate) over_500_kib: u64,
    /// Files with comments.
    pub(crate) with_comments: u64,
    /// Lines with a comment.
    pub(crate) comments: u64,
    pub(crate) encodings: BTreeMap<Encoding, u64>,
    pub(crate) byte_order_mark: u64,
    /// Files with a NUL byte anywhere.
    pub(crate) with_nul: u64,
    /// Files that begin like an HTML page.
    pub(crate) html: u64,
}

/// The encoding of the bytes, taken as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Encoding {
    Ascii,
    /// With bytes outside of ASCII.
    Utf8,
    Utf16,
    /// Not UTF-8.
    Other,
}

impl Texts {
    pub(crate) fn add(&mut self, facts: &Facts<'_>) {
        let shape = facts.shape;
        let octets = facts.body.len() as u64;
        let has = |code: DiagnosticCode| facts.findings.iter().any(|(found, _)| *found == code);
        self.octets.add(octets);
        self.lines.add(shape.lines);
        self.longest_line.add(shape.longest_line);
        self.empty += u64::from(octets == 0);
        self.blank += u64::from(shape.is_blank);
        self.over_500_kib += u64::from(octets > GOOGLE_FILE_OCTETS);
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

merge_fields!(Texts {
    octets,
    lines,
    longest_line,
    empty,
    blank,
    over_500_kib,
    with_comments,
    comments,
    encodings,
    byte_order_mark,
    with_nul,
    html,
});

/// RFC 9309 §2.5 asks parsers to read at least this much; Google reads no more.
const GOOGLE_FILE_OCTETS: u64 = 500 * 1024;
