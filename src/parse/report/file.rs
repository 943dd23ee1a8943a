//! Diagnostics about the file as a whole, and about the bytes of a line before it is parsed.

use alloc::format;

use crate::lint::code::DiagnosticCode;
use crate::lint::diagnostic::{Diagnostic, Sink};
use crate::parse::line::{GOOGLE_LINE_BYTES, PhysicalLine, byte_order_mark_len};
use crate::parse::part::Part;
use crate::parse::report::findings::Findings;

/// Kind of file and first offset of each problem, so that lines are searched only for problems the
/// file has.
#[derive(Debug)]
pub(super) struct Shape {
    kind: Kind,
    first_nul: Option<usize>,
    /// Taken when it is reported.
    first_not_utf8: Option<usize>,
    /// Taken when it is reported; most files end before it.
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

    /// Whether the file is text. In other files most lines are no record, and one diagnostic says
    /// why.
    pub(super) fn is_text(&self) -> bool {
        self.kind == Kind::Text
    }

    pub(super) fn before_lines<S: Sink + ?Sized>(&self, findings: &mut Findings<'_, '_, S>) {
        let mark = byte_order_mark_len(findings.file);
        if mark > 0 {
            let message = "the file starts with a byte order mark, which some crawlers read as text; save it as \
                           UTF-8 without one";
            let finding = Diagnostic::new(DiagnosticCode::ByteOrderMark, 1, 0..mark, message);
            // With two marks the second is text; removing the first would make it the mark.
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
                "the file begins like an HTML page; serve a plain text file in its place",
            ),
            Kind::Utf16 => (
                DiagnosticCode::Utf16,
                "the file is UTF-16, in which crawlers find no record; save it as UTF-8",
            ),
        };
        findings
            .sink
            .report(Diagnostic::new(code, 1, mark..mark, message));
    }

    /// Reports on a line; `text` is the part that the dialect reads.
    #[inline]
    pub(super) fn line<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        text: Part<'a>,
    ) {
        if line.is_too_long() && self.is_text() {
            self.long_line(findings, line);
        }
        let end = line.part.end();
        if self.first_not_utf8.is_some_and(|at| at < end) {
            self.not_utf8(findings, line);
        }
        if self.first_nul.is_some_and(|at| at < end) {
            self.nul(findings, line, text);
        }
        if self.has_lone_carriage_return {
            self.lone_carriage_return(findings, line, end);
        }
        if self.first_too_large.is_some_and(|at| at < end) {
            self.too_large(findings, line);
        }
    }

    /// Reports bytes that Google does not read, unless they are in a comment.
    fn long_line<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        let cut = line.part.without_comment().tail(GOOGLE_LINE_BYTES);
        if !cut.bytes.is_empty() {
            let message = format!(
                "Google's matcher reads only the first {GOOGLE_LINE_BYTES} bytes of a line, not these; shorten the line"
            );
            findings.report(DiagnosticCode::LineTooLong, line, cut, message);
        }
    }

    fn not_utf8<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        let file = Part::new(0, findings.file);
        let byte = self.first_not_utf8.take().map(|at| file.tail(at).head(1));
        if let Some((byte, [value])) = byte.map(|byte| (byte, byte.bytes)) {
            let message = format!(
                "byte {value:02X} is not UTF-8 here; save the file as UTF-8, as RFC 9309 §2.3 asks"
            );
            findings.report(DiagnosticCode::NotUtf8, line, byte, message);
        }
    }

    /// Reports a NUL, unless it is in a comment, where it does no harm.
    fn nul<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        text: Part<'a>,
    ) {
        let cut = text.tail(text.without_comment().bytes.len());
        if cut.bytes.first() == Some(&0) {
            let message = "the text after this NUL byte is not read; remove the byte";
            findings.report(DiagnosticCode::NulOctet, line, cut, message);
        }
    }

    fn lone_carriage_return<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
        end: usize,
    ) {
        let line_end = Part::new(0, findings.file).tail(end);
        if let [b'\r', after @ ..] = line_end.bytes {
            if after.first() != Some(&b'\n') {
                self.has_lone_carriage_return = false;
                let message = "a carriage return alone ends this line, and some crawlers see one long line; use line feeds";
                findings.report(
                    DiagnosticCode::LoneCarriageReturn,
                    line,
                    line_end.head(1),
                    message,
                );
            }
        }
    }

    fn too_large<'a, S: Sink + ?Sized>(
        &mut self,
        findings: &mut Findings<'a, '_, S>,
        line: &PhysicalLine<'a>,
    ) {
        self.first_too_large = None;
        let rest = Part::new(0, findings.file).tail(GOOGLE_FILE_BYTES);
        let message = format!(
            "the file has {} bytes, and Google reads only the first {GOOGLE_FILE_BYTES} (500 KiB); shorten the file",
            findings.file.len()
        );
        findings.report(DiagnosticCode::TooLarge, line, rest, message);
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
