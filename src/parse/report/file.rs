//! What is odd about the file as a whole, and about a line before it is read.

use alloc::format;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::parse::line::{GOOGLE_LINE_BYTES, PhysicalLine, byte_order_mark_len, without_comment};
use crate::parse::report::findings::Findings;

/// What a file is, and from where on something may be odd; so that a line is not looked through for what the file does
/// not hold.
#[derive(Debug)]
pub(super) struct Shape {
    kind: Kind,
    first_nul: Option<usize>,
    /// Taken when it is told.
    first_not_utf8: Option<usize>,
    /// Taken when it is told; most files end before it.
    first_too_large: Option<usize>,
    has_lone_carriage_return: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Text,
    Html,
    Utf16,
}

impl Shape {
    pub(super) fn of(file: &[u8]) -> Shape {
        let first_nul = memchr::memchr(0, file);
        let is_utf16 = first_nul.is_some() && is_utf16(file);
        let not_utf8 = core::str::from_utf8(file).err();
        Shape {
            kind: if is_utf16 {
                Kind::Utf16
            } else if is_html(file) {
                Kind::Html
            } else {
                Kind::Text
            },
            first_nul: first_nul.filter(|_| !is_utf16),
            first_not_utf8: not_utf8
                .map(|error| error.valid_up_to())
                .filter(|_| !is_utf16),
            first_too_large: Some(GOOGLE_FILE_BYTES),
            // In UTF-16 a CRLF has a NUL within.
            has_lone_carriage_return: !is_utf16
                && memchr::memchr_iter(b'\r', file)
                    .any(|at| file.get(at.saturating_add(1)) != Some(&b'\n')),
        }
    }

    /// Of other files most lines are no record, and one finding says why.
    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    pub(super) fn before_lines<S: Sink + ?Sized>(&self, findings: &mut Findings<'_, '_, S>) {
        let mark = byte_order_mark_len(findings.file);
        if mark > 0 {
            let message = "the file starts with a byte order mark, which some crawlers take for text; save it as \
                           UTF-8 without one";
            let finding = Diagnostic::new(DiagnosticCode::ByteOrderMark, 1, 0..mark, message);
            // Of two marks the second is text, and without the first it would be skipped.
            let rest = findings.file.get(mark..).unwrap_or_default();
            findings.sink.report(if byte_order_mark_len(rest) == 0 {
                finding.with_suggestion("")
            } else {
                finding
            });
        }
        let (code, message) = match self.kind {
            Kind::Text => return,
            Kind::Html => (
                DiagnosticCode::HtmlDocument,
                "the file begins like an HTML page, of which only lines that look like records count; serve plain text",
            ),
            Kind::Utf16 => (
                DiagnosticCode::Utf16,
                "the file is UTF-16, of which no crawler can read a record; save it as UTF-8",
            ),
        };
        findings
            .sink
            .report(Diagnostic::new(code, 1, mark..mark, message));
    }

    /// What is odd about a line of which `read` is read.
    #[inline]
    pub(super) fn line<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        read: &'a [u8],
    ) {
        if line.bytes.get(GOOGLE_LINE_BYTES).is_some() && self.is_text() {
            self.long_line(findings, line);
        }
        let end = findings.span(line.bytes).end;
        if self.first_not_utf8.is_some_and(|at| at < end) {
            self.not_utf8(findings, line);
        }
        if self.first_nul.is_some_and(|at| at < end) {
            self.nul(findings, line, read);
        }
        if self.has_lone_carriage_return {
            self.lone_carriage_return(findings, line, end);
        }
        if self.first_too_large.is_some_and(|at| at < end) {
            self.too_large(findings, line);
        }
    }

    /// A comment may be as long as it likes.
    fn long_line<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        let cut = without_comment(line.bytes).get(GOOGLE_LINE_BYTES..);
        if let Some(cut) = cut.filter(|cut| !cut.is_empty()) {
            let message = format!(
                "Google's matcher reads {GOOGLE_LINE_BYTES} bytes of a line and not these behind them; shorten it"
            );
            findings.report(DiagnosticCode::LineTooLong, line, cut, message);
        }
    }

    fn not_utf8<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        if let Some(byte) = self
            .first_not_utf8
            .take()
            .and_then(|at| findings.file.get(at..=at))
        {
            let message = format!(
                "byte {:02X} is not UTF-8 here; save the file as UTF-8, as RFC 9309 §2.3 asks",
                byte.first().unwrap_or(&0)
            );
            findings.report(DiagnosticCode::NotUtf8, line, byte, message);
        }
    }

    /// In a comment it does no harm.
    fn nul<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        read: &'a [u8],
    ) {
        let cut = read.get(without_comment(read).len()..).unwrap_or_default();
        if cut.first() == Some(&0) {
            let message = "a NUL byte ends the line and what follows it is not read; remove it";
            findings.report(DiagnosticCode::NulOctet, line, cut, message);
        }
    }

    fn lone_carriage_return<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        end: usize,
    ) {
        if let Some([b'\r', after @ ..]) = findings.file.get(end..) {
            if after.first() != Some(&b'\n') {
                self.has_lone_carriage_return = false;
                let part = findings.file.get(end..=end).unwrap_or_default();
                let message = "a carriage return alone ends the line here and some crawlers see one long line; use line feeds";
                findings.report(DiagnosticCode::LoneCarriageReturn, line, part, message);
            }
        }
    }

    fn too_large<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        self.first_too_large = None;
        let rest = findings.file.get(GOOGLE_FILE_BYTES..).unwrap_or_default();
        let message = format!(
            "the file has {} bytes, of which Google reads the first {GOOGLE_FILE_BYTES} (500 KiB); shorten it",
            findings.file.len()
        );
        findings.report(DiagnosticCode::TooLarge, line, rest, message);
    }
}

/// Of each two bytes of ASCII in UTF-16 one is NUL. (Where both are, a file was padded, and its records can be read.)
fn is_utf16(file: &[u8]) -> bool {
    let sample = file.get(..256).unwrap_or(file);
    let letters = sample
        .chunks_exact(2)
        .filter(|pair| matches!(pair, [0, other] | [other, 0] if *other != 0))
        .count();
    letters.saturating_mul(5) >= sample.len().saturating_mul(2)
        || matches!(file, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

/// A tag, a declaration or a comment before anything else.
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
