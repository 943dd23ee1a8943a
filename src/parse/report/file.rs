//! Diagnostics about the file as a whole, and about the bytes of a line before it is parsed.

use alloc::format;

use memchr::memchr;

use crate::lint::code::DiagnosticCode;
use crate::parse::line::{
    GOOGLE_LINE_BYTES, PhysicalLine, SkippedStart, byte_order_mark_len, skipped_start,
};
use crate::parse::part::Part;
use crate::parse::report::findings::Findings;

/// Kind of file and first offset of each problem, so that lines are searched only for problems the
/// file has. Offsets of problems that are reported once are taken then.
#[derive(Debug)]
pub(super) struct Shape {
    kind: Kind,
    first_nul: Option<usize>,
    first_not_utf8: Option<usize>,
    lone_carriage_return: Search,
    /// Most files end before it.
    first_too_large: Option<usize>,
    /// The least of the offsets above; lines that end before it are not searched.
    first_problem: usize,
}

/// Whether a problem that is reported once is still looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Search {
    Open,
    Over,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Html,
    Utf16,
}

impl Shape {
    pub(super) fn of(file: &[u8]) -> Shape {
        let first_nul = memchr(0, file);
        let kind = if first_nul.is_some() && is_utf16(file) {
            Kind::Utf16
        } else if is_html(file) {
            Kind::Html
        } else {
            Kind::Text
        };
        // ASCII is seen in a third of the instructions.
        let not_utf8 = Some(file).filter(|file| !file.is_ascii());
        let not_utf8 = not_utf8.and_then(|file| core::str::from_utf8(file).err());
        // UTF-16 has NULs everywhere, also within a CRLF.
        let unless_utf16 = |at: Option<usize>| at.filter(|_| kind != Kind::Utf16);
        let first_nul = unless_utf16(first_nul);
        let first_not_utf8 = unless_utf16(not_utf8.map(|error| error.valid_up_to()));
        let lone_carriage_return = match kind {
            Kind::Utf16 => Search::Over,
            Kind::Text | Kind::Html => Search::Open,
        };
        Shape {
            kind,
            first_nul,
            first_not_utf8,
            lone_carriage_return,
            first_too_large: Some(GOOGLE_FILE_BYTES),
            first_problem: [first_nul, first_not_utf8]
                .into_iter()
                .flatten()
                .fold(GOOGLE_FILE_BYTES, usize::min),
        }
    }

    /// Whether the file is text. In other files most lines are no record, and one diagnostic says
    /// why.
    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    pub(super) fn before_lines(&self, findings: &mut Findings<'_, '_>) {
        let mark = findings.file.head(byte_order_mark_len(findings.file.bytes));
        let after_mark = findings.file.tail(mark.bytes.len());
        if skipped_start(findings.file.bytes) == SkippedStart::Mark {
            let message = || {
                "the file starts with a byte order mark, which some crawlers read as text; save it as \
                           UTF-8 without one"
            };
            // The start of a second mark is text; without the first mark it would be skipped.
            let removal = || (byte_order_mark_len(after_mark.bytes) == 0).then_some("");
            findings.suggest(DiagnosticCode::ByteOrderMark, mark, message, removal);
        }
        let (code, message) = match self.kind {
            Kind::Text => return,
            Kind::Html => (
                DiagnosticCode::HtmlDocument,
                "the file begins like an HTML page; serve a plain text file in its place",
            ),
            Kind::Utf16 => (
                DiagnosticCode::Utf16,
                "the file is UTF-16, in which crawlers find no record; save it as UTF-8",
            ),
        };
        findings.report(code, after_mark.head(0), || message);
    }

    /// Reports on a line; `text` is the part that the dialect reads.
    #[inline]
    pub(super) fn line(&mut self, findings: &mut Findings<'_, '_>, text: Part<'_>) {
        if self.is_odd(findings.file, findings.line) {
            self.odd_line(findings, text);
        }
    }

    /// Whether the line may have a problem.
    #[inline]
    pub(super) fn is_odd(&self, file: Part<'_>, line: PhysicalLine<'_>) -> bool {
        line.part.end() >= self.first_problem
            || line.is_too_long()
            || self.ends_with_carriage_return(file, line)
    }

    /// Whether a carriage return alone ends the line and is the first to do so.
    #[inline]
    fn ends_with_carriage_return(&self, file: Part<'_>, line: PhysicalLine<'_>) -> bool {
        let end = line.part.end();
        file.bytes.get(end) == Some(&b'\r')
            && file.bytes.get(end.saturating_add(1)) != Some(&b'\n')
            && self.lone_carriage_return == Search::Open
    }

    fn odd_line(&mut self, findings: &mut Findings<'_, '_>, text: Part<'_>) {
        let line = findings.line;
        let end = line.part.end();
        if line.is_too_long() && self.is_text() {
            // Bytes in a comment are not missed.
            let cut = line.part.without_comment().tail(GOOGLE_LINE_BYTES);
            if !cut.bytes.is_empty() {
                let message = || {
                    format!(
                        "Google's matcher reads only the first {GOOGLE_LINE_BYTES} bytes of a line, not these; shorten the line"
                    )
                };
                findings.report(DiagnosticCode::LineTooLong, cut, message);
            }
        }
        if let Some(at) = self.first_not_utf8.take_if(|at| *at < end) {
            let byte = findings.file.tail(at).head(1);
            let value = byte.bytes.first().copied().unwrap_or_default();
            let message = || {
                format!(
                    "byte {value:02X} is not UTF-8 here; save the file as UTF-8, as RFC 9309 §2.3 asks"
                )
            };
            findings.report(DiagnosticCode::NotUtf8, byte, message);
        }
        if self.first_nul.is_some_and(|at| at < end) {
            let cut = text.tail(text.without_comment().bytes.len());
            // In a comment it does no harm.
            if cut.bytes.first() == Some(&0) {
                let message = || "the text after this NUL byte is not read; remove the byte";
                findings.report(DiagnosticCode::NulOctet, cut, message);
            }
        }
        if self.ends_with_carriage_return(findings.file, line) {
            self.lone_carriage_return = Search::Over;
            let message = || "a carriage return alone ends this line, and some crawlers see one long line; use line feeds";
            let line_end = findings.file.tail(end).head(1);
            findings.report(DiagnosticCode::LoneCarriageReturn, line_end, message);
        }
        if let Some(at) = self.first_too_large.take_if(|at| *at < end) {
            let message = || {
                format!(
                    "the file has {} bytes, and Google reads only the first {GOOGLE_FILE_BYTES} (500 KiB); shorten the file",
                    findings.file.bytes.len()
                )
            };
            findings.report(DiagnosticCode::TooLarge, findings.file.tail(at), message);
        }
    }
}

/// Whether the file looks like UTF-16: in each pair of bytes one is NUL where the text is ASCII.
/// (Where both are, the file was padded, and its records can be read.)
fn is_utf16(file: &[u8]) -> bool {
    let sample = file.get(..256).unwrap_or(file);
    let letters = sample
        .chunks_exact(2)
        .filter(|pair| matches!(pair, [0, other] | [other, 0] if *other != 0))
        .count();
    letters.saturating_mul(5) >= sample.len().saturating_mul(2)
        || matches!(file, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

/// Whether a tag, a declaration or a comment comes before anything else.
fn is_html(file: &[u8]) -> bool {
    let text = file.get(byte_order_mark_len(file)..).unwrap_or_default();
    match text.trim_ascii_start() {
        [b'<', b'!' | b'?', ..] => true,
        [b'<', letter, ..] => letter.is_ascii_alphabetic(),
        _ => false,
    }
}

/// RFC 9309 §2.5 asks parsers to read at least this much; Google reads no more.
const GOOGLE_FILE_BYTES: usize = 500 * 1024;
